package projection_test

import (
	"context"
	"log/slog"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/documents/projection"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

// home is a store with a projector and nothing else.
type home struct {
	*projection.Projector
	st   store.Store
	tree *filestest.Memory
	ids  id.Maker
	t    *testing.T
}

func newHome(t *testing.T) *home {
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
	h := &home{st: st, tree: filestest.NewMemory(), t: t}
	h.Projector = projection.New(h.options(h.tree))
	return h
}

func (h *home) options(tree files.Tree) projection.Options {
	return projection.Options{
		Store: h.st, Tree: tree, IDs: &h.ids, Now: now, Logger: slog.New(slog.DiscardHandler),
		Models: embedding.New(h.st, embedding.Options{Logger: slog.New(slog.DiscardHandler), Now: now}),
		Notice: func(context.Context, ...documents.Place) error { return nil },
		Learn:  func(context.Context, strata.Learning) error { return nil },
	}
}

func now() time.Time { return time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC) }

// decide stores a decision that files are to follow.
func (h *home) decide(d strata.Decision) strata.Decision {
	h.t.Helper()
	d.ID, d.Scope, d.Origin, d.DecidedAt, d.Reason = h.ids.New(id.Decision, now()), strata.Global(), strata.OriginAPI, now(), "a test"
	if err := h.st.Update(h.t.Context(), func(w store.Writer) error { return w.AppendDecision(h.t.Context(), d) }); err != nil {
		h.t.Fatal(err)
	}
	return d
}

// save decides that a fact is added.
func (h *home) save(text string) strata.Decision {
	f := strata.Fact{ID: h.ids.New(id.Fact, now()), Scope: strata.Global(), Type: strata.TypeUser, Text: text, Generation: 1, RecordedAt: now()}
	return h.decide(strata.Decision{Op: strata.OpAdd, FactID: f.ID, After: &f})
}

// extract stores a fact that was found in a conversation, and decides it.
func (h *home) extract(text string) strata.Decision {
	h.t.Helper()
	f := strata.Fact{ID: h.ids.New(id.Fact, now()), Scope: strata.Global(), Type: strata.TypeUser, Text: text, Generation: 1,
		Origin: strata.OriginExtractor, RecordedAt: now()}
	err := h.st.Update(h.t.Context(), func(w store.Writer) error {
		_, err := w.PutFact(h.t.Context(), f)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return h.decide(strata.Decision{Op: strata.OpAdd, FactID: f.ID, After: &f})
}

// write decides that a document gets a new content, on top of before.
func (h *home) write(path, content string, before *strata.Document) strata.Decision {
	after := version(path, content)
	op := strata.OpAdd
	if before != nil {
		op = strata.OpUpdate
	}
	return h.decide(strata.Decision{Op: op, Document: &strata.DocumentChange{Path: path, Before: before, After: &after}})
}

func version(path, content string) strata.Document {
	d := strata.Document{ID: "doc_1", Scope: strata.Global(), Path: path, Content: content, Hash: files.Hash([]byte(content)),
		Size: int64(len(content)), Generation: 1, ModifiedAt: now(), RecordedAt: now()}
	markdown.Describe(&d)
	return d
}

// follow lets files follow, and returns them.
func (h *home) follow() map[string]string {
	h.t.Helper()
	if err := h.All(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	return h.tree.Files(strata.Global())
}

// stored reads a decision.
func (h *home) stored(d strata.Decision) strata.Decision {
	h.t.Helper()
	got, err := store.Read(h.t.Context(), h.st, func(r store.Reader) (strata.Decision, error) {
		return r.Decision(h.t.Context(), []strata.Scope{d.Scope}, d.ID)
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return got
}

func TestSavedFactsStandInTheLogOfTheirDayOnce(t *testing.T) {
	h := newHome(t)
	d := h.save("My cat's name is Whiskerino")
	first := h.follow()
	if log := first["memory/2026-03-01.md"]; strings.Count(log, d.ID) != 1 || !strings.Contains(log, "Whiskerino") {
		t.Errorf("the log: %q", log)
	}
	if h.stored(d).AppliedAt == nil {
		t.Error("the decision is not stamped")
	}
	if again := h.follow(); !maps.Equal(first, again) {
		t.Errorf("rendered again: %v", again)
	}
	if changed := h.TakeChanged(); len(changed) != 1 || len(h.TakeChanged()) != 0 {
		t.Errorf("scopes whose files changed: %v", changed)
	}
}

func TestAFileThatAPersonChangedIsNotOverwritten(t *testing.T) {
	h := newHome(t)
	const path = "notes/project_deploys.md"
	h.write(path, "one\n", nil)
	if got := h.follow()[path]; got != "one\n" {
		t.Fatalf("%q", got)
	}
	if err := h.tree.Put(strata.Global(), path, []byte("by hand\n"), time.Time{}); err != nil {
		t.Fatal(err)
	}
	before := version(path, "one\n")
	d := h.write(path, "two\n", &before)
	if got := h.follow()[path]; got != "by hand\n" {
		t.Errorf("%q", got)
	}
	if got := h.stored(d); got.SetAside == "" {
		t.Errorf("the decision is not set aside: %+v", got)
	}
}

func TestADirectoryThatIsAwayKeepsNoOtherWaiting(t *testing.T) {
	h := newHome(t)
	h.tree.Away(strata.Global(), true)
	d := h.save("My cat's name is Whiskerino")
	if got := h.follow(); len(got) != 0 || h.stored(d).AppliedAt != nil {
		t.Errorf("files %v", got)
	}
	h.tree.Away(strata.Global(), false)
	if got := h.follow(); len(got) == 0 || h.stored(d).AppliedAt == nil {
		t.Errorf("files %v", got)
	}
}

// heldTree has its locks held by another process, and remembers how long a lock would
// have been waited for at most; 0 is for ever.
type heldTree struct {
	files.Tree
	patience []time.Duration
}

func (h *heldTree) Lock(ctx context.Context, _ strata.Scope) (func(), error) {
	patience := time.Duration(0)
	if until, ok := ctx.Deadline(); ok {
		patience = time.Until(until)
		<-ctx.Done()
	}
	h.patience = append(h.patience, patience)
	return nil, &strata.Error{Code: strata.CodeBusy, Op: "lock files", Message: "another process holds them"}
}

// Who only reads waits 200 ms for another process that writes files, and is told; who
// decided something waits until its files have followed.
func TestReadersDoNotWaitForTheLockOfFiles(t *testing.T) {
	h := newHome(t)
	h.save("The kettle stands in the kitchen")
	held := &heldTree{Tree: h.tree}
	var notes []string
	o := h.options(held)
	o.Tell = func(note string) { notes = append(notes, note) }
	p := projection.New(o)
	waited := func(what string, err error, short bool, told int) {
		t.Helper()
		if err == nil || len(held.patience) != 1 {
			t.Fatalf("%s: %v, %d locks were asked for", what, err, len(held.patience))
		}
		patience := held.patience[0]
		if got := patience > 0 && patience <= 200*time.Millisecond; got != short || len(notes) != told {
			t.Errorf("%s waits %v, and tells %q", what, patience, notes)
		}
		held.patience, notes = nil, nil
	}
	waited("opening", p.Replay(t.Context()), true, 1)
	byHand := h.save("The lamp stands in the hall")
	byHand.Origin = strata.OriginFile
	p.Decided(byHand)
	waited("closing after a hand edit", p.Finish(t.Context()), true, 1)
	p.Decided(h.save("The chair stands in the garden"))
	waited("closing after a save", p.Finish(t.Context()), false, 0)
}

// failingTree fails every write of one file until it is mended.
type failingTree struct {
	files.Tree
	path   string
	mended bool
}

func (f *failingTree) Write(ctx context.Context, scope strata.Scope, path string, content []byte, base string) (files.File, error) {
	if path == f.path && !f.mended {
		return files.File{}, &strata.Error{Code: strata.CodeBusy, Op: "write file", Message: path + " is in use"}
	}
	return f.Tree.Write(ctx, scope, path, content, base)
}

// A file that could not be written is rendered again, and until then the decision that
// it is to follow is not stamped.
func TestAFailedRenderIsRepeated(t *testing.T) {
	const note = "notes/project_deploys.md"
	for path, decide := range map[string]func(h *home) strata.Decision{
		"memory/2026-03-01.md": func(h *home) strata.Decision { return h.save("My cat's name is Whiskerino") },
		note:                   func(h *home) strata.Decision { return h.write(note, "Deploys go out on Tuesdays.\n", nil) },
		strata.IndexPath:       func(h *home) strata.Decision { return h.extract("My cat's name is Whiskerino") },
	} {
		t.Run(path, func(t *testing.T) {
			h := newHome(t)
			tree := &failingTree{Tree: h.tree, path: path}
			p := projection.New(h.options(tree))
			d := decide(h)
			if err := p.All(t.Context()); strata.CodeOf(err) != strata.CodeBusy {
				t.Errorf("the error is %v", err)
			}
			if got := h.stored(d); got.AppliedAt != nil || got.SetAside != "" {
				t.Fatalf("stamped without its file: %+v", got)
			}
			tree.mended = true
			if err := p.All(t.Context()); err != nil {
				t.Fatal(err)
			}
			if h.stored(d).AppliedAt == nil || h.tree.Files(strata.Global())[path] == "" {
				t.Errorf("not rendered again: %v", h.tree.Files(strata.Global()))
			}
		})
	}
}

// What was asked for without a decision is rendered again, too.
func TestAFailedLearningIsRenderedAgain(t *testing.T) {
	const path = "learnings/corrections.md"
	for name, run := range map[string]func(context.Context, *projection.Projector) error{
		"all":    func(ctx context.Context, p *projection.Projector) error { return p.All(ctx) },
		"scopes": func(ctx context.Context, p *projection.Projector) error { return p.Scopes(ctx, strata.Global()) },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			tree := &failingTree{Tree: h.tree, path: path}
			p := projection.New(h.options(tree))
			err := h.st.Update(t.Context(), func(w store.Writer) error {
				_, err := w.PutLearning(t.Context(), strata.Learning{ID: h.ids.New(id.Learning, now()), Scope: strata.Global(),
					Kind: strata.LearningCorrection, Key: "tabs", Text: "Use tabs here", Count: 1, FirstAt: now(), LastAt: now()})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			p.Want(strata.Global(), markdown.PartLearnings)
			if err := run(t.Context(), p); strata.CodeOf(err) != strata.CodeBusy {
				t.Errorf("the error is %v", err)
			}
			tree.mended = true
			if err := run(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(h.tree.Files(strata.Global())[path], "Use tabs here") {
				t.Errorf("not rendered again: %v", h.tree.Files(strata.Global()))
			}
		})
	}
}
