package engine_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/dream"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
)

// ticking is a clock that is set by hand.
type ticking struct{ nanos atomic.Int64 }

func newTicking(at time.Time) *ticking {
	c := new(ticking)
	c.nanos.Store(at.UnixNano())
	return c
}

func (c *ticking) now() time.Time       { return time.Unix(0, c.nanos.Load()).UTC() }
func (c *ticking) pass(d time.Duration) { c.nanos.Add(int64(d)) }

func (c *ticking) in(o *engine.Options) { o.Now = c.now }

// interest has somebody ask for a fact in several ways, in a session.
func interest(t *testing.T, e *engine.Engine, session string, questions ...string) {
	t.Helper()
	for _, q := range questions {
		res, err := e.Query(context.Background(), strata.Query{View: strata.Global().View(), Text: q, Session: session})
		if err != nil || len(res.Hits) == 0 {
			t.Fatalf("%q finds %+v, %v", q, res, err)
		}
	}
}

// ferry are questions that find what ferryFact says.
var ferry = []string{"when does the ferry leave?", "ferry at six", "what leaves at six?"}

const ferryFact = "The ferry leaves at six"

// dreamNow has the global scope dream past its gates.
func dreamNow(t *testing.T, e *engine.Engine) dream.Result {
	t.Helper()
	res, err := e.Dream(context.Background(), strata.Global(), strata.DreamForced)
	if err != nil || res.Dream == nil || res.Repeated {
		t.Fatalf("it did not dream: %+v, %v", res, err)
	}
	return res
}

func TestADueScopeDreamsAtTheEndOfASession(t *testing.T) {
	ctx, tree, clock := context.Background(), filestest.NewMemory(), newTicking(noon)
	e := open(t, inTree(tree), clock.in)
	save(t, e, ferryFact)
	for i := range 5 {
		session := fmt.Sprint("s", i)
		appendTurns(t, e, session, talk("Hello", "Hello"))
		interest(t, e, session, ferry...)
		if err := e.Drain(ctx); err != nil {
			t.Fatal(err)
		}
		// What looks at the end of the last but one may see the last one begun.
		if _, ok := tree.Files(strata.Global())[markdown.DreamsPath]; ok && i < 4 {
			t.Fatalf("it dreamt in session %d", i)
		}
		if err := e.CloseSession(ctx, strata.Global(), session); err != nil {
			t.Fatal(err)
		}
		clock.pass(time.Minute)
	}
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	got := tree.Files(strata.Global())
	if !strings.Contains(got[strata.IndexPath], ferryFact+" _(score 0.") || !strings.Contains(got[markdown.DreamsPath], "### Promoted\n\n- "+ferryFact) {
		t.Errorf("MEMORY.md:\n%s\nDREAMS.md:\n%s", got[strata.IndexPath], got[markdown.DreamsPath])
	}
	list, err := e.Dreams(ctx, strata.Global().View(), 10)
	if err != nil || len(list) != 1 || list[0].Trigger != strata.DreamScheduled || list[0].ProjectedAt == nil {
		t.Errorf("dreams: %+v, %v", list, err)
	}
	healthy(t, e)
}

func TestWhatIsForgottenOrEditedIsSoInTheMemoryFile(t *testing.T) {
	ctx, tree, clock := context.Background(), filestest.NewMemory(), newTicking(noon)
	e := open(t, inTree(tree), clock.in)
	d := save(t, e, ferryFact)
	interest(t, e, "s", ferry...)
	dreamNow(t, e)
	write(t, e, strata.Candidate{Scope: strata.Global(), Content: "The ferry leaves at seven", Target: d.FactID})
	followed(t, e)
	got := tree.Files(strata.Global())
	if !strings.Contains(got[strata.IndexPath], "- The ferry leaves at seven _(") || strings.Contains(got[strata.IndexPath], ferryFact) {
		t.Errorf("an edited fact is not followed:\n%s", got[strata.IndexPath])
	}
	if _, err := e.Forget(ctx, strata.Global().View(), d.FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	for path, content := range tree.Files(strata.Global()) {
		if strings.Contains(content, "ferry") {
			t.Errorf("%s still says\n%s", path, content)
		}
	}
	clock.pass(time.Hour)
	if res := dreamNow(t, e); res.Dream.Promoted != 0 {
		t.Errorf("what was forgotten rose: %+v", res.Dream)
	}
	healthy(t, e)
}

// intruder is a tree of which a file may change right before it is written.
type intruder struct {
	*filestest.Memory
	before func(scope strata.Scope, path string)
}

func (i intruder) Write(ctx context.Context, scope strata.Scope, path string, content []byte, base string) (files.File, error) {
	i.before(scope, path)
	return i.Memory.Write(ctx, scope, path, content, base)
}

func TestMemoryMdThatAPersonEditsDuringADreamIsKept(t *testing.T) {
	tree, clock := filestest.NewMemory(), newTicking(noon)
	mine := "# Memory\n\nAna knows the captain.\n"
	var edited atomic.Bool
	e := open(t, clock.in, inTree(intruder{tree, func(scope strata.Scope, path string) {
		if path == strata.IndexPath && edited.CompareAndSwap(false, true) {
			if err := tree.Put(scope, path, []byte(mine), clock.now()); err != nil {
				t.Error(err)
			}
		}
	}}))
	save(t, e, ferryFact)
	interest(t, e, "s", ferry...)
	dreamNow(t, e)
	followed(t, e)
	got := tree.Files(strata.Global())[strata.IndexPath]
	if !edited.Load() || !strings.HasPrefix(got, mine) || !strings.Contains(got, ferryFact) {
		t.Errorf("MEMORY.md:\n%s", got)
	}
	syncNow(t, e, strata.Global())
	if d, err := e.Document(context.Background(), strata.Global().View(), strata.IndexPath); err != nil || !strings.Contains(d.Content, "Ana knows") {
		t.Errorf("memory has %+v, %v", d, err)
	}
}

func TestADreamInADirectoryThatCannotBeWrittenIsRecordedAndItsFilesFollow(t *testing.T) {
	db, tree, clock := filepath.Join(t.TempDir(), "strata.db"), filestest.NewMemory(), newTicking(noon)
	e := openAt(t, db, inTree(tree), clock.in)
	save(t, e, ferryFact)
	interest(t, e, "s", ferry...)
	followed(t, e)
	tree.Fault(func(op string, _ strata.Scope, _ string) error {
		if op == "write" {
			return &strata.Error{Code: strata.CodeReadOnly, Message: "the disk is read-only", Err: errors.New("EROFS")}
		}
		return nil
	})
	if res := dreamNow(t, e); strata.CodeOf(res.Waiting) != strata.CodeReadOnly || res.Dream.Promoted != 1 {
		t.Fatalf("%+v", res)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	tree.Fault(nil)
	e = openAt(t, db, inTree(tree), clock.in)
	followed(t, e)
	if got := tree.Files(strata.Global()); !strings.Contains(got[strata.IndexPath], ferryFact) || !strings.Contains(got[markdown.DreamsPath], ferryFact) {
		t.Errorf("files %v", got)
	}
	list, err := e.Dreams(context.Background(), strata.Global().View(), 10)
	if err != nil || len(list) != 1 || list[0].ProjectedAt == nil {
		t.Errorf("dreams: %+v, %v", list, err)
	}
}

// A promotion repeats no fact as a memory of its own: what is generated is not found.
func TestWhatRoseIsFoundOnce(t *testing.T) {
	tree, clock := filestest.NewMemory(), newTicking(noon)
	e := open(t, inTree(tree), clock.in)
	d := save(t, e, ferryFact)
	interest(t, e, "s", ferry...)
	dreamNow(t, e)
	followed(t, e)
	syncNow(t, e, strata.Global())
	res, err := e.Query(context.Background(), strata.Query{View: strata.Global().View(), Text: ferry[0], All: true, Search: true})
	if err != nil || len(res.Hits) != 1 || res.Hits[0].ID != d.FactID {
		t.Errorf("found %+v, %v", res.Hits, err)
	}
}

func TestAFactThatIsEditedOftenCanRise(t *testing.T) {
	clock := newTicking(noon)
	e := open(t, clock.in)
	d := save(t, e, ferryFact)
	for i, q := range ferry {
		interest(t, e, "s", q)
		write(t, e, strata.Candidate{Scope: strata.Global(), Content: fmt.Sprintf("%s, says note %d", ferryFact, i), Target: d.FactID})
		if _, err := e.Reindex(context.Background(), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if res := dreamNow(t, e); res.Dream.Promoted != 1 {
		t.Errorf("%+v", res.Dream)
	}
}
