package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

// foreground marks the context of the caller, so that a tree tells his writes
// from those of the background.
type foreground struct{}

// gated is a tree in which the background waits at a gate before its first
// look at files.
type gated struct {
	*filestest.Memory
	gate   chan struct{} // closed for the background to go on
	waits  chan struct{} // closed when the background waits
	held   atomic.Bool
	free   chan struct{} // is told that files were let go of
	writes atomic.Int32  // of the caller
}

func newGated(tree *filestest.Memory) *gated {
	return &gated{Memory: tree, gate: make(chan struct{}), waits: make(chan struct{}), free: make(chan struct{}, 1)}
}

func (g *gated) Lock(ctx context.Context, scope strata.Scope) (func(), error) {
	if ctx.Value(foreground{}) == nil && g.held.CompareAndSwap(false, true) {
		close(g.waits)
		select {
		case <-g.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	release, err := g.Memory.Lock(ctx, scope)
	if err != nil {
		return nil, err
	}
	return func() {
		release()
		select {
		case g.free <- struct{}{}:
		default:
		}
	}, nil
}

func (g *gated) Write(ctx context.Context, scope strata.Scope, path string, content []byte, base string) (files.File, error) {
	if ctx.Value(foreground{}) != nil {
		g.writes.Add(1)
	}
	return g.Memory.Write(ctx, scope, path, content, base)
}

// Sizes of a home with much outstanding: more scopes than a turn looks at, and
// one that owns more decisions than a turn renders.
const (
	projects = 80
	each     = 3
	inGlobal = 3000
)

// muchOutstanding fills a home whose files follow nothing yet.
func muchOutstanding(t *testing.T) (db string, scopes []strata.Scope, texts []string) {
	t.Helper()
	db = filepath.Join(t.TempDir(), "strata.db")
	away := filestest.NewMemory()
	away.Fault(func(string, strata.Scope, string) error {
		return &strata.Error{Code: strata.CodeUnavailable, Message: "the disk is not mounted"}
	})
	e := openAt(t, db, inTree(away), at(noon), func(o *engine.Options) { o.Embedder = nil })
	var batch []strata.Candidate
	add := func(s strata.Scope, text string) {
		batch = append(batch, strata.Candidate{Scope: s, Content: text})
		texts = append(texts, text)
	}
	scopes = []strata.Scope{strata.Global()}
	for i := range inGlobal {
		add(strata.Global(), fmt.Sprintf("Crate %d holds apples of row %d", i, i*7))
	}
	for p := range projects {
		s := strata.InWorkspace(fmt.Sprintf("p%d", p))
		scopes = append(scopes, s)
		for i := range each {
			add(s, fmt.Sprintf("Shelf %d of store %d holds pears", i, p))
		}
	}
	for len(batch) > 0 {
		n := min(len(batch), 1000)
		if _, err := e.WriteBatch(context.Background(), batch[:n]); err != nil {
			t.Fatal(err)
		}
		batch = batch[n:]
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return db, scopes, texts
}

// outstanding counts what files do not follow yet.
func outstanding(t *testing.T, e *engine.Engine, scopes []strata.Scope) int {
	t.Helper()
	n := 0
	for _, s := range scopes {
		stats, err := e.Stats(context.Background(), s.View())
		if err != nil {
			t.Fatal(err)
		}
		for _, st := range stats {
			if st.Scope == s {
				n += int(st.Pending)
			}
		}
	}
	return n
}

// openGated opens a home in the foreground.
func openGated(t *testing.T, db string, tree *gated) *engine.Engine {
	t.Helper()
	ctx := context.WithValue(context.Background(), foreground{}, true)
	now := func() time.Time { return noon }
	st, err := sqlite.Open(ctx, db, &sqlite.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(ctx, st, &engine.Options{Tree: tree, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// allTold fails the test unless the logs tell every text once.
func allTold(t *testing.T, tree *filestest.Memory, scopes []strata.Scope, texts []string) {
	t.Helper()
	var all strings.Builder
	for _, s := range scopes {
		for path, content := range tree.Files(s) {
			if strings.HasPrefix(path, "memory/") {
				all.WriteString(content)
			}
		}
	}
	logs, told := all.String(), 0
	for _, text := range texts {
		if n := strings.Count(logs, text+"\n") + strings.Count(logs, text+" "); n == 1 {
			told++
		}
	}
	if told != len(texts) {
		t.Errorf("%d of %d are told once", told, len(texts))
	}
}

func TestOpeningDoesNotWaitForWhatIsOutstanding(t *testing.T) {
	db, scopes, texts := muchOutstanding(t)
	tree := newGated(filestest.NewMemory())
	e := openGated(t, db, tree)
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	left := outstanding(t, e, scopes)
	if left < len(texts)*3/4 || left == len(texts) {
		t.Errorf("%d of %d are outstanding after opening: it did all or nothing", left, len(texts))
	}
	if n := tree.writes.Load(); n > 40 {
		t.Errorf("opening waited for %d files", n)
	}
	close(tree.gate)
	for outstanding(t, e, scopes) > 0 { // the background goes on
		<-tree.free
	}
	allTold(t, tree.Memory, scopes, texts)
	healthy(t, e)
}

func TestClosingDoesNotWaitForWhatOthersLeft(t *testing.T) {
	db, scopes, texts := muchOutstanding(t)
	files := filestest.NewMemory()
	before := len(texts)
	for i := range 3 { // each short command leaves less
		tree := newGated(files)
		e := openGated(t, db, tree)
		<-tree.waits
		text := fmt.Sprintf("Ladder %d stands in the yard", i)
		mine := strata.InWorkspace(fmt.Sprintf("p%d", projects-1-i))
		write(t, e, strata.Candidate{Scope: mine, Content: text})
		texts = append(texts, text)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		reader := openAt(t, db) // without files
		left := outstanding(t, reader, scopes)
		if left >= before || left < before/2 {
			t.Errorf("%d were outstanding, %d are after a short command", before, left)
		}
		if n := outstanding(t, reader, []strata.Scope{mine}); n != 0 || !strings.Contains(files.Files(mine)["memory/2026-03-14.md"], text) {
			t.Errorf("%d are outstanding where something was saved:\n%v", n, files.Files(mine))
		}
		if err := reader.Close(); err != nil {
			t.Fatal(err)
		}
		before = left
	}
	e := openAt(t, db, inTree(files), at(noon))
	followed(t, e)
	allTold(t, files, scopes, texts)
	healthy(t, e)
}
