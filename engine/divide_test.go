package engine_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// longTalk is a session of n answers of several passages each. Each names its own code
// in one of them.
func longTalk(n int) []strata.Turn {
	turns := make([]strata.Turn, n)
	for i := range turns {
		var said strings.Builder
		for k := range 5 {
			fmt.Fprintf(&said, "%s\n\n", strings.Repeat("The garden wants water in the morning and compost in spring. ", 10))
			if k == 2 {
				fmt.Fprintf(&said, "The greenhouse key has the code %s, says Ada.\n\n", code(i))
			}
		}
		turns[i] = strata.Turn{Role: strata.RoleAssistant, Text: said.String()}
	}
	return turns
}

// code is a word of its own for each number.
func code(i int) string { return fmt.Sprintf("zor%c%cblat", 'a'+i/26, 'a'+i%26) }

// findCode asks for one of the codes and checks that the right passage answers.
func findCode(t *testing.T, e *engine.Engine, i int) {
	t.Helper()
	word := code(i)
	res, err := e.Query(context.Background(), strata.Query{View: strata.Global().View(), Text: "Which greenhouse key is " + word + "?", Kinds: []strata.Kind{strata.KindTurn}, Tokens: 2000})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Hits) == 0 || res.Hits[0].Match == nil {
		t.Fatalf("%s: hits %+v", word, res.Hits)
	}
	h := res.Hits[0]
	if !strings.Contains(h.Text[h.Match.Start-h.Offset:h.Match.End-h.Offset], word) {
		t.Errorf("%s: the match is %q", word, h.Text)
	}
	seen := make(map[string]bool)
	for _, h := range res.Hits {
		if seen[h.ID] {
			t.Errorf("%s comes twice", h.ID)
		}
		seen[h.ID] = true
	}
}

func soundStore(t *testing.T, path string) {
	t.Helper()
	st, err := sqlite.Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	problems, err := st.Check(context.Background(), nil)
	if err != nil || len(problems) > 0 {
		t.Errorf("problems %+v, %v", problems, err)
	}
}

func TestLongTurnsAreFoundByTheirPassages(t *testing.T) {
	e := open(t)
	if _, err := e.AppendTurns(context.Background(), strata.Global(), "s1", strata.SessionMain, longTalk(8)); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		findCode(t, e, i)
	}
	if _, err := e.Reindex(context.Background(), nil, nil); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		findCode(t, e, i)
	}
}

// earlierHome makes a home with n long turns as an earlier version left them: each
// indexed whole, and still to be divided.
func earlierHome(t *testing.T, path string, n int) {
	t.Helper()
	ctx := context.Background()
	e := openAt(t, path)
	if _, err := e.AppendTurns(ctx, strata.Global(), "s1", strata.SessionMain, append(longTalk(n), strata.Turn{Role: strata.RoleUser, Text: "Thanks"})); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Drain(ctx), e.Close()); err != nil {
		t.Fatal(err)
	}
	st, err := sqlite.Open(ctx, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = st.Update(ctx, func(w store.Writer) error {
		sources, err := w.Sources(ctx, strata.Global(), 0, 10_000)
		if err != nil {
			return err
		}
		for _, s := range sources {
			if s.Turn == nil || s.Span.Start > 0 {
				continue
			}
			if _, err := w.DivideTurn(ctx, s.Number, nil); err != nil {
				return err
			}
			err := w.PutPassage(ctx, store.Passage{Number: s.Number, Kind: strata.KindTurn, Ref: s.Turn.ID, Scope: strata.Global(),
				Parent: s.Turn.Session, Seq: s.Turn.Seq, Text: s.Turn.Text, RecordedAt: s.Turn.RecordedAt})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = raw.Exec(`INSERT INTO undivided (number) SELECT number FROM turn WHERE length(text) > 300`)
	if err := errors.Join(err, raw.Close()); err != nil {
		t.Fatal(err)
	}
}

// wantDivided fails the test unless n turns are divided, none waits, and the store is
// sound. Nobody may have it open.
func wantDivided(t *testing.T, path string, n int) {
	t.Helper()
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	var waiting, divided int
	err = raw.QueryRow(`SELECT (SELECT count(*) FROM undivided), (SELECT count(DISTINCT turn) FROM turn_passage)`).Scan(&waiting, &divided)
	if err := errors.Join(err, raw.Close()); err != nil {
		t.Fatal(err)
	}
	if waiting != 0 || divided != n {
		t.Errorf("%d turns wait, %d are divided, want %d", waiting, divided, n)
	}
	soundStore(t, path)
}

// Long turns of an earlier version are found before they are divided, and afterwards,
// also by processes that open the home at once.
func TestTurnsOfEarlierVersionsAreDivided(t *testing.T) {
	const n = 150
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "strata.db")
	earlierHome(t, path, n)
	both := []*engine.Engine{openAt(t, path), openAt(t, path)}
	for i := 0; i < n; i += 30 {
		findCode(t, both[0], i) // whichever way it is indexed by now
	}
	for _, e := range both {
		if err := e.Drain(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < n; i += 30 {
		findCode(t, both[1], i)
	}
	if err := errors.Join(both[0].Close(), both[1].Close()); err != nil {
		t.Fatal(err)
	}
	wantDivided(t, path, n)
}

// A model that is changed while long turns are divided gets a vector of every passage,
// and of no passage that is gone.
func TestTheModelChangesWhileTurnsAreDivided(t *testing.T) {
	const n = 150
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "strata.db")
	earlierHome(t, path, n)
	e := openAt(t, path)
	other := newScripted("other", 64, 1)
	if err := e.UseEmbedder(ctx, other); err != nil {
		t.Fatal(err)
	}
	findCode(t, e, n/2)
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if r := embeddingOf(t, e); r.Serving != "other" || r.Target != "" {
		t.Errorf("%+v", r)
	}
	for i := 0; i < n; i += 30 {
		findCode(t, e, i)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	wantDivided(t, path, n)
}

// Who speaks may change within a session, and a turn may be long and short again.
func TestRolesMayChangeWithinASession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "strata.db")
	e := openAt(t, path)
	turns := longTalk(12)
	for i := range turns {
		turns[i].Role = []strata.Role{strata.RoleUser, strata.RoleAssistant, strata.RoleTool, strata.RoleSystem}[i%4]
		if i%3 == 0 && turns[i].Role == strata.RoleUser {
			turns[i].Speaker = "Ada"
		}
	}
	if _, err := e.AppendTurns(context.Background(), strata.Global(), "s1", strata.SessionMain, turns); err != nil {
		t.Fatal(err)
	}
	for i := range turns {
		word := code(i)
		hits := found(t, e, strata.Query{Text: word, Kinds: []strata.Kind{strata.KindTurn}})
		if len(hits) == 0 || hits[0].Match == nil || !strings.Contains(hits[0].Text[hits[0].Match.Start:hits[0].Match.End], word) {
			t.Errorf("%s as %s: %d hits", word, turns[i].Role, len(hits))
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	wantDivided(t, path, len(turns))
}
