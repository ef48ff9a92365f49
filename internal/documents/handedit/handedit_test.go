package handedit_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/handedit"
	"github.com/strata-memory/strata/internal/documents/projection"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

var global = strata.Global()

func now() time.Time { return time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC) }

// home is a store with an intake and nothing else.
type home struct {
	*handedit.Intake
	st     store.Store
	tree   *filestest.Memory
	ids    id.Maker
	models *embedding.Models
	t      *testing.T
}

func newHome(t *testing.T) *home { return newHomeWith(t, nil) }

// newHomeWith is newHome with what tells how files came.
func newHomeWith(t *testing.T, origins files.Origins) *home {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "strata.db"), &sqlite.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	log := slog.New(slog.DiscardHandler)
	h := &home{st: st, tree: filestest.NewMemory(), models: embedding.New(st, embedding.Options{Logger: log, Now: now}), t: t}
	h.Intake = handedit.New(handedit.Options{
		Store: st, Tree: h.tree, IDs: &h.ids, Models: h.models, Now: now, Logger: log, Open: t.Context(), Write: h.write, Origins: origins,
		Projector: projection.New(projection.Options{}), // without files, which nothing follows
	})
	return h
}

// write is what the engine does with a candidate about a document.
func (h *home) write(ctx context.Context, cs []strata.Candidate, found []documents.Found) (decisions []strata.Decision, drafts []*documents.Draft, err error) {
	err = h.st.Update(ctx, func(w store.Writer) error {
		tx := documents.NewTx(w, &h.ids, h.models)
		for i, c := range cs {
			draft, err := documents.NewDraft(c)
			if err != nil {
				return err
			}
			draft.Origin = found[i].Origin
			outcome, stored, err := tx.Decide(ctx, draft)
			if err != nil {
				return err
			}
			if stored == nil {
				stored = &strata.Decision{ID: h.ids.New(id.Decision, now()), Scope: c.Scope, Op: outcome.Op, Reason: outcome.Reason,
					Origin: c.Origin, DecidedAt: now()}
				err = tx.Apply(ctx, w, draft, stored)
			}
			if err != nil {
				return err
			}
			decisions, drafts = append(decisions, *stored), append(drafts, draft)
		}
		return nil
	})
	return decisions, drafts, err
}

// put writes a file as a person would.
func (h *home) put(path, content string) {
	h.t.Helper()
	if err := h.tree.Put(global, path, []byte(content), time.Time{}); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) delete(path string) {
	h.t.Helper()
	if err := h.tree.Delete(global, path); err != nil {
		h.t.Fatal(err)
	}
}

// sync returns what was added, updated and deleted.
func (h *home) sync() [3]int64 {
	h.t.Helper()
	preview, err := h.PreviewSync(h.t.Context(), global.View())
	if err != nil {
		h.t.Fatal(err)
	}
	r, err := h.Sync(h.t.Context(), global.View())
	if err != nil {
		h.t.Fatal(err)
	}
	got := [3]int64{r.Added, r.Updated, r.Deleted}
	if told := [3]int64{preview.Added, preview.Updated, preview.Deleted}; told != got {
		h.t.Errorf("the preview said %v, taken in was %v", told, got)
	}
	return got
}

func TestWhatPeopleDoToFilesBecomesDecisions(t *testing.T) {
	h := newHome(t)
	h.put("AGENTS.md", "Build with make.\n")
	h.put("SOUL.md", "Calm.\n")
	for _, step := range []struct {
		name string
		do   func()
		want [3]int64
	}{
		{"new files", func() {}, [3]int64{2, 0, 0}},
		{"nothing", func() {}, [3]int64{}},
		{"an edit", func() { h.put("AGENTS.md", "Build with go.\n") }, [3]int64{0, 1, 0}},
		{"the same bytes again", func() { h.put("AGENTS.md", "Build with go.\n") }, [3]int64{}},
		{"a removal", func() { h.delete("SOUL.md") }, [3]int64{0, 0, 1}},
	} {
		step.do()
		if got := h.sync(); got != step.want {
			t.Errorf("%s: %v, want %v", step.name, got, step.want)
		}
	}
}

func TestADirectoryWhoseEveryFileIsGoneIsAway(t *testing.T) {
	h := newHome(t)
	h.put("AGENTS.md", "Build with make.\n")
	h.put("SOUL.md", "Calm.\n")
	h.sync()
	h.delete("AGENTS.md")
	h.delete("SOUL.md")
	r, err := h.Sync(t.Context(), global.View())
	if err != nil || r.Deleted != 0 || len(r.Away) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAnEditIsNoticedBeforeItsFileIsWritten(t *testing.T) {
	h := newHome(t)
	h.put("AGENTS.md", "Build with make.\n")
	at := documents.Place{Scope: global, Path: "AGENTS.md"}
	if err := h.NoticeEdits(t.Context(), at, at); err != nil {
		t.Fatal(err)
	}
	d, err := store.Read(t.Context(), h.st, func(r store.Reader) (*strata.Document, error) {
		return documents.At(t.Context(), r, at.Scope, at.Path)
	})
	if err != nil || d == nil || d.Content != "Build with make.\n" || d.Generation != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}
