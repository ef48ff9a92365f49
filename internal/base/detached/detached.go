// Package detached starts processes that live on when the one that started them is gone.
package detached

import (
	"os/exec"
)

// Start starts a command and does not wait for it. It reads nothing and writes nowhere, so
// that it holds nobody's pipes open, and no interrupt meant for its parent reaches it.
func Start(cmd *exec.Cmd) error {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, nil, nil
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
