//go:build !unix

package hook

import "os/exec"

// Detach has a command live on when its parent is gone, which it does here anyway.
func Detach(*exec.Cmd) {}
