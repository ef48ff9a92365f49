package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/llm/builtin"
)

// A chat whose ledger finds no room on the disk: the turn is refused as full
// and nothing of it is kept, in the window as on the disk. Once there is room
// the conversation goes on, with every turn that was acknowledged.
func TestChat_FullDiskRefusesTheTurnAndNothingElse(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(ctx, db, &engine.Options{Embedder: builtin.New()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	talk, err := e.Talk(ctx, sessions.Options{Session: "chat"})
	if err != nil {
		t.Fatal(err)
	}
	open := func() *contextmgr.Manager {
		m, err := contextmgr.New(ctx, contextmgr.Options{Window: 4096, Ledger: talk, Memory: talk})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	request := func(m *contextmgr.Manager) string {
		req, err := m.Prompt(ctx)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	m := open()
	say := func(n int) error {
		text := fmt.Sprintf("Remember that boat %d lies at pier %d. %s", n, n*7, strings.Repeat("It has sails. ", 150))
		return m.Append(ctx, strata.Turn{Role: strata.RoleUser, Text: text})
	}
	if err := say(0); err != nil {
		t.Fatal(err)
	}
	pragma := func(query string) (n int) {
		if err := db.writing.QueryRowContext(ctx, query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	pragma(fmt.Sprintf(`PRAGMA max_page_count = %d`, pragma(`PRAGMA page_count`)+12))
	kept, refused := 1, 0
	for n := 1; refused < 3 && n < 400; n++ {
		before := m.Usage()
		switch err := say(n); strata.CodeOf(err) {
		case "":
			kept++
			// The flushes and compactions of a full disk fail without a word to
			// the user: what they would have kept is made again.
			request(m)
		case strata.CodeFull:
			refused++
			if m.Usage() != before {
				t.Errorf("turn %d was refused and is in the window", n)
			}
			var full *strata.Error
			if !errors.As(err, &full) || full.Hint == "" {
				t.Errorf("the error says not what to do: %v", err)
			}
		default:
			t.Fatalf("turn %d: %v", n, err)
		}
	}
	if refused == 0 || kept < 3 {
		t.Fatalf("%d kept, %d refused: the limit did not bite as planned", kept, refused)
	}
	turns := func() int {
		list, err := talk.Turns(ctx, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if n := turns(); n != kept {
		t.Errorf("%d turns are stored, %d were acknowledged", n, kept)
	}
	pragma(`PRAGMA max_page_count = 1000000`)
	if err := say(999); err != nil {
		t.Fatalf("with room again: %v", err)
	}
	if n := turns(); n != kept+1 {
		t.Errorf("%d turns are stored, %d were acknowledged", n, kept+1)
	}
	if err := m.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	facts, err := e.Facts(ctx, strata.Global().View(), strata.FactFilter{Limit: 1000})
	if err != nil || len(facts) != kept+1 {
		t.Errorf("%d facts of %d turns, %v", len(facts), kept+1, err)
	}
	before := request(m)
	if m = open(); request(m) != before {
		t.Error("after a restart the conversation is another")
	}
	report, err := e.Doctor(ctx, nil)
	if err != nil || len(report.Problems) != 0 {
		t.Errorf("%v, %v", report.Problems, err)
	}
}
