package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/strata-memory/strata"
)

// hold starts a command that reads standard input for ever with a throw-away
// home inside temp, and returns once it reads.
func hold(t *testing.T, temp string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = []string{"strata", "save", "-", "--ephemeral-memory"} // the name makes the test binary the command
	cmd.Env = []string{"HOME=" + temp, "TMPDIR=" + temp}
	stderr := new(bytes.Buffer)
	cmd.Stderr = stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close() })
	// More than a pipe holds: the write ends only when the command reads.
	if _, err := stdin.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
		t.Fatalf("the command does not read: %v\n%s", err, stderr)
	}
	if left := homes(t, temp); len(left) != 1 {
		t.Fatalf("throw-away homes while it runs: %v", left)
	}
	return cmd, stderr
}

// homes are the throw-away homes inside temp.
func homes(t *testing.T, temp string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(temp, "strata-ephemeral-*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestSignalsRemoveTheThrowAwayHome(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			temp := t.TempDir()
			cmd, stderr := hold(t, temp)
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != strata.CodeCanceled.ExitCode() {
				t.Errorf("the command ended with %v\n%s", err, stderr)
			}
			if left := homes(t, temp); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestTheNextRunSweepsWhatAKilledRunLeft(t *testing.T) {
	temp := t.TempDir()
	killed, _ := hold(t, temp)
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed.Wait() // the error is the kill
	if left := homes(t, temp); len(left) != 1 {
		t.Fatalf("after the kill: %v, want one home", left)
	}
	var stdout, stderr bytes.Buffer
	code := Main(t.Context(), []string{"facts", "--ephemeral-memory"}, strings.NewReader(""), &stdout, &stderr,
		[]string{"HOME=" + temp, "TMPDIR=" + temp})
	if code != 0 {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	if left := homes(t, temp); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
