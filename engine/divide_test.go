package engine_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite"
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
				fmt.Fprintf(&said, "The greenhouse key has the code quartz%d, says Ada.\n\n", i)
			}
		}
		turns[i] = strata.Turn{Role: strata.RoleAssistant, Text: said.String()}
	}
	return turns
}

// findCode asks for one of the codes and checks that the right passage answers.
func findCode(t *testing.T, e *engine.Engine, i int) {
	t.Helper()
	word := fmt.Sprint("quartz", i)
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
	problems, err := st.Check(context.Background())
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

// A home of an earlier version has long turns indexed whole. They are found before
// they are divided, and afterwards, also by processes that open it at once.
func TestTurnsOfEarlierVersionsAreDivided(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "strata.db")
	makeOld := func() {
		e := openAt(t, path)
		if _, err := e.AppendTurns(ctx, strata.Global(), "s1", strata.SessionMain, append(longTalk(150), strata.Turn{Role: strata.RoleUser, Text: "Thanks"})); err != nil {
			t.Fatal(err)
		}
		if err := e.Drain(ctx); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		st, err := sqlite.Open(ctx, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		err = st.Update(ctx, func(w store.Writer) error {
			sources, err := w.Sources(ctx, strata.Global(), 0, 10_000)
			for _, s := range sources {
				if err == nil && s.Turn != nil && s.Span.Start == 0 {
					_, err = w.DivideTurn(ctx, s.Number, nil)
					if err == nil {
						err = w.PutPassage(ctx, store.Passage{Number: s.Number, Kind: strata.KindTurn, Ref: s.Turn.ID, Scope: strata.Global(),
							Parent: s.Turn.Session, Seq: s.Turn.Seq, Text: s.Turn.Text, RecordedAt: s.Turn.RecordedAt})
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	makeOld()
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Exec(`INSERT INTO undivided (number) SELECT number FROM turn WHERE length(text) > 300`); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	first, second := openAt(t, path), openAt(t, path)
	for i := 0; i < 150; i += 30 {
		findCode(t, first, i) // whichever way it is indexed by now
	}
	for _, e := range []*engine.Engine{first, second} {
		if err := e.Drain(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < 150; i += 30 {
		findCode(t, second, i)
	}
	for _, e := range []*engine.Engine{first, second} {
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	raw, err = sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	var waiting, divided int
	if err := raw.QueryRow(`SELECT (SELECT count(*) FROM undivided), (SELECT count(DISTINCT turn) FROM turn_passage)`).Scan(&waiting, &divided); err != nil {
		t.Fatal(err)
	}
	if waiting != 0 || divided != 150 {
		t.Errorf("%d turns wait, %d are divided", waiting, divided)
	}
	soundStore(t, path)
}
