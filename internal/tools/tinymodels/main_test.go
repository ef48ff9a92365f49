package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestModelsAreWrittenAsFiles(t *testing.T) {
	dir := t.TempDir()
	if err := run(t.Context(), []string{"-dir", dir}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"strata-tiny-chat.gguf", "strata-tiny-embed.gguf"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(b, []byte("GGUF")) {
			t.Errorf("%s begins with %q", name, b[:4])
		}
	}
}

func TestNothingToDoIsAnError(t *testing.T) {
	if err := run(t.Context(), nil); err == nil {
		t.Error("no error")
	}
}

// TestServerThatNeverAnswers waits no longer than it was told.
func TestServerThatNeverAnswers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() // it is never asked for a connection
	err = run(t.Context(), []string{"-server", "http://" + listener.Addr().String(), "-timeout", "50ms"})
	if err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("error %v", err)
	}
}
