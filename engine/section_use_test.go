package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// Use is counted by the document, once for each answer, and is still known after an
// edit and a reindex.
func TestEditsAndReindexKeepTheUseOfADocument(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "strata.db")
	e := openAt(t, path)
	st, err := sqlite.Open(ctx, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	put := func(generation int64, texts ...string) {
		t.Helper()
		err := st.Update(ctx, func(w store.Writer) error {
			d := strata.Document{ID: "doc_1", Scope: strata.Global(), Path: "AGENTS.md", Kind: strata.DocumentProfile, Generation: generation}
			for i, s := range texts {
				d.Content += fmt.Sprintf("# Part %d\n\n%s\n\n", i+1, s)
			}
			sections := markdown.Sections(d.Path, d.Content)
			stored, err := w.PutDocument(ctx, d, sections)
			for i, s := range stored {
				if err == nil && s.New {
					err = w.PutPassage(ctx, store.Passage{Number: s.Number, Kind: strata.KindSection, Ref: d.ID, Scope: d.Scope,
						Parent: d.Path, Seq: int64(i + 1), Text: recall.SectionText(d, sections[i]), RecordedAt: w.Now()})
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	ask := func(automatic bool) *strata.Result {
		t.Helper()
		res, err := e.Query(ctx, strata.Query{View: strata.Global().View(), Text: "which invoices are there", Automatic: automatic})
		if err != nil || len(res.Hits) != 2 {
			t.Fatalf("%+v, %v", res, err)
		}
		if _, err := e.Trace(ctx, strata.Global().View(), res.Trace); err != nil { // waits until it is recorded
			t.Fatal(err)
		}
		return res
	}
	put(1, "one invoice", "two invoices")
	ask(false)
	put(2, "three invoices", "four invoices")
	ask(true) // nobody asked
	if _, err := e.Reindex(ctx, nil, nil); err != nil {
		t.Fatal(err)
	}
	if h := ask(false).Hits[0]; h.Why.Salience <= 0 {
		t.Errorf("the use is forgotten: %+v", h.Why)
	}
	err = st.View(ctx, func(r store.Reader) error {
		m, err := r.Match(ctx, strata.Global(), []string{"invoic"}, store.Filter{}, store.MatchOptions{})
		if err != nil {
			return err
		}
		items, err := r.Items(ctx, strata.Global(), []int64{m.Passages[0].Number})
		if err == nil && items[0].Accesses != 2 {
			t.Errorf("%d accesses, want the 2 that somebody asked for", items[0].Accesses)
		}
		stats, err2 := r.Stats(ctx, strata.Global())
		if stats.Recalls != 3 {
			t.Errorf("%d recall events, want one for each answer", stats.Recalls)
		}
		if err == nil {
			err = err2
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	healthy(t, e)
}
