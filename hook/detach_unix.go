//go:build unix

package hook

import (
	"os/exec"
	"syscall"
)

// Detach has a command live on when its parent is gone: in a session of its own, so that
// an interrupt meant for the agent does not reach it.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
