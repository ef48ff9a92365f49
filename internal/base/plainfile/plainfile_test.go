//go:build unix

package plainfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestOpenWaitsForNobody(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no pipes here:", err)
	}
	if f, err := Open(pipe); !errors.Is(err, ErrPipe) {
		t.Errorf("open = %v, %v", f, err)
	}
}

func TestOpenTakesAFileAndWhatTheShellOpened(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		w.WriteString("text")
		w.Close()
	}()
	for _, path := range []string{file, fmt.Sprintf("/dev/fd/%d", r.Fd())} {
		if _, err := os.Stat(path); err != nil {
			continue // no such directory here
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(f); err != nil || string(text) != "text" {
			t.Errorf("%s: %q, %v", path, text, err)
		}
		f.Close()
	}
}
