package engine_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
)

// ledgerOf writes the ledger of a session and reads it.
func ledgerOf(t *testing.T, e *engine.Engine, id string) (sessions.LedgerReport, []byte, []strata.Turn) {
	t.Helper()
	var out bytes.Buffer
	r, err := e.WriteLedger(context.Background(), strata.Global().View(), id, &out)
	if err != nil {
		t.Fatal(err)
	}
	s, turns, err := snapshot.ReadLedger(bytes.NewReader(out.Bytes()))
	if err != nil || s.ID != id || int64(len(turns)) != r.Session.Turns {
		t.Fatalf("%+v, %d turns, %v; reported %+v", s, len(turns), err, r)
	}
	return r, out.Bytes(), turns
}

func TestTheLedgerOfAnOpenSessionIsMadeOfItsTurns(t *testing.T) {
	e := openHome(t, t.TempDir())
	kept := appendTurns(t, e, "monday", talk("Hello", "Hi", "Bye"))
	r, _, turns := ledgerOf(t, e, "monday")
	if r.Transcript || r.Session.ClosedAt != nil {
		t.Errorf("report %+v", r)
	}
	sameTurns(t, turns, kept)
}

func TestTheLedgerOfAClosedSessionIsItsTranscript(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	e := openHome(t, home)
	appendTurns(t, e, "monday", talk("Hello", "Hi"))
	if err := e.CloseSession(ctx, strata.Global(), "monday"); err != nil {
		t.Fatal(err)
	}
	r, written, _ := ledgerOf(t, e, "monday")
	if !r.Transcript {
		t.Error("it was made of the turns")
	}
	files, err := filepath.Glob(filepath.Join(home, "global", "transcripts", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || !bytes.Equal(data, written) {
		t.Errorf("wrote\n%s\nwant\n%s, %v", written, data, err)
	}

	// A transcript that somebody took away is made again. The background, which writes
	// what is outstanding when memory opens, has ended then: it may write the same file.
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	r, again, _ := ledgerOf(t, e, "monday")
	if r.Transcript || !bytes.Equal(again, written) {
		t.Errorf("without the file: %+v, %s", r, again)
	}

	// One that somebody changed is no transcript.
	if err := os.WriteFile(files[0], data[:len(data)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = e.WriteLedger(ctx, strata.Global().View(), "monday", new(bytes.Buffer))
	wantCode(t, err, strata.CodeCorrupt)
}

func TestTheLedgerOfAClosedSessionWithoutTranscripts(t *testing.T) {
	e := open(t)
	kept := appendTurns(t, e, "monday", talk("Hello", "Hi"))
	if err := e.CloseSession(context.Background(), strata.Global(), "monday"); err != nil {
		t.Fatal(err)
	}
	r, _, turns := ledgerOf(t, e, "monday")
	if r.Transcript || r.Session.ClosedAt == nil {
		t.Errorf("report %+v", r)
	}
	sameTurns(t, turns, kept)
	_, err := e.WriteLedger(context.Background(), strata.Global().View(), "tuesday", new(bytes.Buffer))
	wantCode(t, err, strata.CodeNotFound)
}

func TestTheLedgerHoldsNothingForgotten(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	e := openHome(t, home)
	appendTurns(t, e, "monday", talk("My cat's name is Whiskerino", "Lovely"))
	decisions, err := e.Extract(ctx, strata.Global(), "monday")
	if err != nil || len(decisions) == 0 {
		t.Fatalf("%+v, %v", decisions, err)
	}
	if err := e.CloseSession(ctx, strata.Global(), "monday"); err != nil {
		t.Fatal(err)
	}
	if _, data, _ := ledgerOf(t, e, "monday"); !bytes.Contains(data, []byte("Whiskerino")) {
		t.Fatalf("before: %s", data)
	}
	if _, err := e.Forget(ctx, strata.Global().View(), decisions[0].FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, data, _ := ledgerOf(t, e, "monday"); bytes.Contains(data, []byte("Whiskerino")) {
		t.Errorf("after: %s", data)
	}
}
