// Package browser shows addresses in the browser of whoever sits at the machine.
package browser

import (
	"context"
	"os/exec"
	"runtime"
)

// Open asks the system to show an address, and does not wait until it does. It is an error
// where there is no program that could.
//
// Other users of the machine may see the address for a moment among the processes: what is
// secret in it must be good for one use.
func Open(ctx context.Context, address string) error {
	cmd := command(ctx, runtime.GOOS, address)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // how it ends is for the person to see
	return nil
}

// command is the program of an operating system that opens addresses.
func command(ctx context.Context, system, address string) *exec.Cmd {
	switch system {
	case "darwin":
		return exec.CommandContext(ctx, "open", address)
	case "windows":
		return exec.CommandContext(ctx, "rundll32", "url.dll,FileProtocolHandler", address)
	}
	return exec.CommandContext(ctx, "xdg-open", address)
}
