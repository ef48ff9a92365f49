package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A note of 200,000 headings is taken in and indexed anew in bounded time and memory. The
// time is that of a busy machine: on a quiet one it takes less than a second.
func TestANoteOfManyHeadings(t *testing.T) {
	user := t.TempDir()
	notes := filepath.Join(user, ".strata", "global", "notes")
	if err := os.MkdirAll(notes, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "---\nname: big\ntype: user\ndescription: a list\n---\n" + strings.Repeat("# a\n", 200_000) + "The ferry to Orkney leaves at noon.\n"
	if err := os.WriteFile(filepath.Join(notes, "user_big.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"sync"}, {"reindex"}, {"recall", "when does the ferry to Orkney leave"}} {
		cmd := strataIn(t, user, args...)
		status := filepath.Join(t.TempDir(), "status")
		cmd.Env = append(cmd.Env, statusInto+"="+status)
		start := time.Now()
		out, err := cmd.CombinedOutput()
		took := time.Since(start)
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		peak := peakIn(t, status)
		if args[0] == "recall" && !strings.Contains(string(out), "noon") {
			t.Errorf("recall says %s", out)
		}
		if took > 60*time.Second || peak > 200 {
			t.Errorf("%s took %v and %d MiB", args[0], took, peak)
		}
		t.Logf("%s took %v and %d MiB", args[0], took, peak)
	}
}

// peakIn returns the most memory that a process had, in MiB, from what it wrote of itself.
// What the system tells its parent, Maxrss, begins with what the parent had: the whole of
// these tests, not this one command.
func peakIn(t *testing.T, status string) int {
	t.Helper()
	text, err := os.ReadFile(status)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var kib int
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kib); err == nil {
			return kib >> 10
		}
	}
	t.Fatalf("no measure in %s", text)
	return 0
}
