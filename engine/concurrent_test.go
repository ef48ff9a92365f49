package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// gated is a store whose next transaction waits at a gate, before or after its
// function runs.
type gated struct {
	store.Store
	updates atomic.Int32
	shut    atomic.Bool
	before  bool
	arrived chan struct{} // one transaction waits
	gate    chan struct{} // it may go on
	panics  atomic.Int32  // the transaction with this number panics once it is done
}

func (g *gated) Update(ctx context.Context, fn func(store.Writer) error) error {
	n := g.updates.Add(1)
	waits := g.shut.CompareAndSwap(true, false)
	wait := func(here bool) {
		if waits && here {
			close(g.arrived)
			<-g.gate
		}
	}
	return g.Store.Update(ctx, func(w store.Writer) error {
		wait(g.before)
		err := fn(w)
		wait(!g.before)
		if n == g.panics.Load() {
			panic("a decision panics")
		}
		return err
	})
}

// gatedEngine returns an engine whose next write waits in its transaction.
func gatedEngine(t *testing.T) (*Engine, *gated) {
	t.Helper()
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	g := &gated{Store: st, arrived: make(chan struct{}), gate: make(chan struct{})}
	e, err := Open(ctx, g, &Options{Embedder: builtin.New()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	g.updates.Store(0)
	g.shut.Store(true)
	return e, g
}

// waiting returns once so many writes have asked for a transaction besides the one
// that is at the gate.
func (g *gated) waiting(n int) {
	for int(g.updates.Load()) < n+1 {
		runtime.Gosched()
	}
}

// outcome is what became of a write.
type outcome struct {
	decision strata.Decision
	err      error
}

// writeAtOnce writes the candidates while another write holds the transaction,
// and returns what became of each.
func writeAtOnce(t *testing.T, e *Engine, g *gated, cs []strata.Candidate) []outcome {
	t.Helper()
	out := make([]outcome, len(cs))
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := e.Save(context.Background(), strata.Global(), "The lighthouse keeper comes first"); err != nil {
			t.Error(err)
		}
	})
	<-g.arrived
	for i, c := range cs {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					out[i].err = fmt.Errorf("panicked: %v", r)
				}
			}()
			out[i].decision, out[i].err = e.Write(context.Background(), c)
		})
		g.waiting(i + 1)
	}
	close(g.gate)
	wg.Wait()
	return out
}

// allAdded checks that each write stored a new fact.
func allAdded(t *testing.T, out []outcome) {
	t.Helper()
	for i, o := range out {
		if o.err != nil || o.decision.Op != strata.OpAdd {
			t.Errorf("write %d: %s, %v", i, o.decision.Op, o.err)
		}
	}
}

func parcels(n int) []strata.Candidate {
	out := make([]strata.Candidate, n)
	for i := range out {
		out[i] = strata.Candidate{Scope: strata.Global(), Content: fmt.Sprintf("Parcel %d went to shelf %d", i, i*7919%10007)}
	}
	return out
}

func facts(t *testing.T, e *Engine) int64 {
	t.Helper()
	stats, err := e.Stats(context.Background(), strata.Global().View())
	if err != nil {
		t.Fatal(err)
	}
	return stats[0].Facts
}

// Writes that share a commit see each other.
func TestWritesThatWaitAreDecidedOneAfterTheOther(t *testing.T) {
	e, g := gatedEngine(t)
	cs := append(parcels(7), parcels(1)[0]) // the last says what the first says
	ops := make(map[strata.Op]int)
	for i, o := range writeAtOnce(t, e, g, cs) {
		if o.err != nil {
			t.Errorf("write %d: %v", i, o.err)
		}
		ops[o.decision.Op]++
	}
	if ops[strata.OpAdd] != 7 || ops[strata.OpNoop] != 1 {
		t.Errorf("decided %v, want 7 facts added and one known", ops)
	}
	if n := facts(t, e); n != 8 {
		t.Errorf("%d facts, want 8", n)
	}
}

// The cancellation of a write takes no other along, nor is it lost half: either
// it is stored or it is not.
func TestACanceledWriteTakesNoOtherAlong(t *testing.T) {
	e, g := gatedEngine(t)
	g.before = true
	ctx, cancel := context.WithCancel(context.Background())
	var leader error
	others := make([]outcome, 3)
	var wg sync.WaitGroup
	wg.Go(func() { _, leader = e.Save(ctx, strata.Global(), "Nobody reads this") })
	<-g.arrived
	for i, c := range parcels(len(others)) {
		wg.Go(func() { others[i].decision, others[i].err = e.Write(context.Background(), c) })
		g.waiting(i + 1)
	}
	cancel()
	close(g.gate)
	wg.Wait()
	allAdded(t, others)
	want := int64(len(others))
	if leader == nil {
		want++
	} else if !errors.Is(leader, context.Canceled) {
		t.Errorf("the canceled write: %v", leader)
	}
	if n := facts(t, e); n != want {
		t.Errorf("%d facts, want %d", n, want)
	}
}

func TestAWriteThatFailsFailsAlone(t *testing.T) {
	e, g := gatedEngine(t)
	cs := parcels(6)
	cs[3] = strata.Candidate{Scope: strata.Global(), Target: "fact_unknown", Content: "Parcel 3 is lost"}
	for i, o := range writeAtOnce(t, e, g, cs) {
		if i == 3 {
			if strata.CodeOf(o.err) != strata.CodeNotFound {
				t.Errorf("the update of an unknown fact: %v", o.err)
			}
			continue
		}
		if o.err != nil || o.decision.Op != strata.OpAdd {
			t.Errorf("write %d: %s, %v", i, o.decision.Op, o.err)
		}
	}
	if n := facts(t, e); n != 6 {
		t.Errorf("%d facts, want 6", n)
	}
}

func TestAPanicTakesNoOtherWriteAlong(t *testing.T) {
	e, g := gatedEngine(t)
	g.panics.Store(2)
	panicked := 0
	for i, o := range writeAtOnce(t, e, g, parcels(5)) {
		if o.err != nil {
			panicked++
		} else if o.decision.Op != strata.OpAdd {
			t.Errorf("write %d: %s", i, o.decision.Op)
		}
	}
	if panicked != 1 {
		t.Errorf("%d writes failed, want one", panicked)
	}
	if n := facts(t, e); n != 5 {
		t.Errorf("%d facts, want 5", n)
	}
	if _, err := e.Save(context.Background(), strata.Global(), "The harbor is open again"); err != nil {
		t.Error(err)
	}
}

func TestAWriteThatWaitsCanBeCanceled(t *testing.T) {
	e, g := gatedEngine(t)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { e.Save(context.Background(), strata.Global(), "The lighthouse keeper comes first") })
	<-g.arrived
	canceled := make(chan error, 1)
	go func() {
		_, err := e.Save(ctx, strata.Global(), "Nobody reads this")
		canceled <- err
	}()
	g.waiting(1)
	cancel()
	if err := <-canceled; !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled write: %v", err)
	}
	close(g.gate)
	wg.Wait()
	if n := facts(t, e); n != 1 {
		t.Errorf("%d facts, want 1", n)
	}
}

// What a write that is undone made of the categories serves nobody.
func TestTheCategoriesOfAWriteThatIsUndoneAreDropped(t *testing.T) {
	e, g := gatedEngine(t)
	g.shut.Store(false)
	if _, err := e.Save(context.Background(), strata.Global(), "The lighthouse keeper comes first"); err != nil {
		t.Fatal(err)
	}
	if e.categories.scopes == nil {
		t.Fatal("the categories are not kept for the next write")
	}
	g.panics.Store(g.updates.Load() + 1)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the write did not panic")
			}
		}()
		e.Save(context.Background(), strata.Global(), "Nobody reads this")
	}()
	if e.categories.scopes != nil {
		t.Error("the categories of a write that was undone are kept")
	}
}
