package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// Whoever follows the log sees what other processes do, in order, and may stop at any
// time.
func TestEventsFollowWhatOtherProcessesDo(t *testing.T) {
	home := t.TempDir()
	save := func(text string) {
		t.Helper()
		if out, err := strataCommand(t, home, "save", text, "--scope", "global").CombinedOutput(); err != nil {
			t.Fatalf("save: %v\n%s", err, out)
		}
	}
	save("The ferry to Orkney leaves at noon")
	follower := strataCommand(t, home, "events", "--follow", "--kind", "write", "--scope", "global", "-o", "jsonl")
	stderr := new(bytes.Buffer)
	follower.Stderr = stderr
	stdout, err := follower.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := follower.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { follower.Process.Kill() })
	lines := bufio.NewScanner(stdout)
	next := func() upkeep.Event {
		t.Helper()
		var e upkeep.Event
		if !lines.Scan() {
			t.Fatalf("the log ended: %v\n%s", lines.Err(), stderr)
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	before := next()
	for _, text := range []string{"The museum opens at ten", "The library closes at six"} {
		save(text)
		e := next()
		if e.Kind != strata.EventWriteCommitted || e.Change <= before.Change || e.Ref == before.Ref {
			t.Errorf("after %+v comes %+v", before, e)
		}
		before = e
	}
	if err := follower.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if lines.Scan() {
		t.Errorf("it goes on with %s", lines.Text())
	}
	if err := follower.Wait(); err != nil {
		t.Errorf("the follower ended with %v\n%s", err, stderr)
	}
}
