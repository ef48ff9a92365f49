//go:build unix

package detached

import (
	"os/exec"
	"syscall"
)

// detach puts a command in a session of its own.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
