package connect

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// What doctor says of clients: whether the program is there, on which home, with its hooks.
func TestCheck(t *testing.T) {
	sys := desk(t)
	home := filepath.Join(sys.Home, ".strata")
	program := filepath.Join(t.TempDir(), "strata")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if found := Check(sys, home); len(found) != 0 {
		t.Fatalf("without any entry: %+v", found)
	}
	connectAll := func(s Server) {
		t.Helper()
		for _, c := range Clients() {
			changes, err := c.Plan(sys, s)
			if err != nil {
				t.Fatal(err)
			}
			for _, change := range changes {
				if _, err := change.Apply(time.Now()); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	one := func(id string) Connection {
		t.Helper()
		found := Check(sys, home)
		i := slices.IndexFunc(found, func(c Connection) bool { return c.Client.ID == id })
		if i < 0 {
			t.Fatalf("%s is not among %+v", id, found)
		}
		return found[i]
	}

	connectAll(Server{Command: program, Args: []string{"mcp"}})
	found := Check(sys, home)
	if len(found) != len(Clients()) {
		t.Errorf("%d clients were connected, %d found", len(Clients()), len(found))
	}
	for _, c := range found {
		if c.Fault != "" || c.Server.Command != program {
			t.Errorf("%s, which is connected: %+v", c.Client.ID, c)
		}
	}

	for _, c := range Check(sys, t.TempDir()) {
		if c.Fault != "it uses the home "+home || c.Again {
			t.Errorf("on another home: %+v", c)
		}
	}

	claude := client(t, "claude-code")
	put(t, claude.settings(sys), `{"hooks": {}}`, 0o600)
	if c := one("claude-code"); c.Fault == "" || !c.Again || c.File != claude.settings(sys) {
		t.Errorf("without hooks: %+v", c)
	}
	put(t, claude.settings(sys), `{"hooks": `, 0o600)
	if c := one("claude-code"); c.Fault == "" || c.Again {
		t.Errorf("with hooks that cannot be read: %+v", c)
	}
	put(t, client(t, "cursor").File(sys), `{"mcpServers": {"strata": `, 0o600)
	if c := one("cursor"); c.Fault == "" || c.Again {
		t.Errorf("with an entry that cannot be read: %+v", c)
	}

	gone := Server{Command: filepath.Join(filepath.Dir(program), "gone"), Args: []string{"--home", home, "mcp"}}
	put(t, client(t, "cursor").File(sys), `{}`, 0o600)
	put(t, claude.settings(sys), `{}`, 0o600)
	connectAll(gone)
	for _, c := range Check(sys, home) {
		if c.Fault != gone.Command+", which it starts, is not there" || !c.Again {
			t.Errorf("a program that is gone: %+v", c)
		}
	}
}
