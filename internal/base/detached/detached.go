// Package detached starts processes that outlive the process that started them.
package detached

import (
	"os/exec"
)

// Start starts a command and does not wait for it. The command has no standard streams,
// so that it keeps no pipes open, and does not receive interrupts meant for its parent.
func Start(cmd *exec.Cmd) error {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, nil, nil
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
