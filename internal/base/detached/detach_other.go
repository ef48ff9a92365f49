//go:build !unix

package detached

import "os/exec"

// detach does nothing: the system has no sessions.
func detach(*exec.Cmd) {}
