package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func init() { programs["terminal"] = runTerminal }

// runTerminal is the program
//
//	terminal INPUT OUTPUT COMMAND...
//
// that runs a command on a terminal of its own, types a file there, and writes what
// the terminal shows to another. Standard output, standard error and the exit code are
// those of the command. The ttyin of testscript closes the terminal when the command
// ends, and loses what it wrote last.
func runTerminal() {
	err := onTerminal(os.Args[1], os.Args[2], os.Args[3:])
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode())
	case err != nil:
		fmt.Fprintln(os.Stderr, "terminal:", err)
		os.Exit(127)
	}
	os.Exit(0)
}

func onTerminal(input, output string, command []string) error {
	typed, err := os.ReadFile(input)
	if err != nil {
		return err
	}
	const endOfInput = 4 // control-D
	control, tty, err := openTerminal()
	if err != nil {
		return err
	}
	defer control.Close()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true} // its terminal is standard input
	err = cmd.Start()
	tty.Close() // from here on only the command has it
	if err != nil {
		return err
	}
	if _, err := control.Write(append(typed, endOfInput)); err != nil {
		return err
	}
	// The read fails when the command has closed the terminal and all is read.
	shown, err := io.ReadAll(control)
	if !errors.Is(err, unix.EIO) {
		return fmt.Errorf("read the terminal: %w", err)
	}
	return errors.Join(cmd.Wait(), os.WriteFile(output, shown, 0o600))
}

// openTerminal returns the two sides of a new pseudo-terminal.
func openTerminal() (control, tty *os.File, err error) {
	control, err = os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	fd := int(control.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		tty, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		control.Close()
		return nil, nil, err
	}
	return control, tty, nil
}

// What a command writes just before it ends is seen, however late the terminal is read.
func TestATerminalShowsTheLastWords(t *testing.T) {
	input, output := filepath.Join(t.TempDir(), "input"), filepath.Join(t.TempDir(), "output")
	if err := os.WriteFile(input, []byte("no\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if err := onTerminal(input, output, []string{"sh", "-c", "read answer; printf last >/dev/tty"}); err != nil {
			t.Fatal(err)
		}
		if shown, err := os.ReadFile(output); err != nil || !strings.HasSuffix(string(shown), "last") {
			t.Fatalf("shown %q, %v", shown, err)
		}
	}
}
