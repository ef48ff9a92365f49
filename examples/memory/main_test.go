package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/client"
)

// The first program starts the server of its home, and the next one finds it running.
func TestTheProgramRemembers(t *testing.T) {
	dir, err := os.MkdirTemp("", "memory") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	command, home := filepath.Join(dir, "strata"), filepath.Join(dir, "home")
	if out, err := exec.Command("go", "build", "-o", command, "../../cmd/strata").CombinedOutput(); err != nil {
		t.Fatalf("build strata: %v\n%s", err, out)
	}
	t.Cleanup(func() { end(t, home) })
	o := client.Options{Home: home, Command: command}
	for _, want := range []string{"add: nothing like it known\nMy cat's name is Whiskerino\n", "noop: "} {
		var out bytes.Buffer
		if err := run(t.Context(), o, "My cat's name is Whiskerino", "what is my cat called?", &out); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("it says %q, want %q", out.String(), want)
		}
		o.Command = filepath.Join(dir, "none") // the server runs
	}
}

// end ends the server of a home, whose lock names its process.
func end(t *testing.T, home string) {
	text, err := os.ReadFile(filepath.Join(home, "server.lock"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Signal(os.Interrupt)
	}
	if err != nil {
		t.Error(err)
	}
}

func TestWithoutTheCommandTheErrorSaysWhatToDo(t *testing.T) {
	err := run(t.Context(), client.Options{Home: t.TempDir(), Command: "no-such-strata"}, "a", "b", new(bytes.Buffer))
	var known *strata.Error
	if !errors.As(err, &known) || known.Code != strata.CodeUnavailable || !strings.Contains(known.Message, "no command no-such-strata") || known.Hint == "" {
		t.Errorf("error %v", err)
	}
	if !errors.Is(err, client.ErrNotTaken) {
		t.Errorf("%v does not say that nothing was done", err)
	}
}
