package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// projector keeps what it was given and fails where it is told to.
type projector struct {
	mu    sync.Mutex // guards what follows
	seen  []string
	fails map[string]error // by text of the fact
}

func (p *projector) Project(_ context.Context, d strata.Decision) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.fails[d.After.Text]; err != nil {
		return err
	}
	p.seen = append(p.seen, d.After.Text)
	return nil
}

func TestProjectionsFollowInOrder(t *testing.T) {
	p := &projector{}
	e := open(t, func(o *engine.Options) { o.Projector = p })
	for _, text := range []string{"Apples are in the barn", "Pears are in the cellar"} {
		save(t, e, text)
	}
	if err := e.Drain(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.seen, []string{"Apples are in the barn", "Pears are in the cellar"}) {
		t.Errorf("projected %q", p.seen)
	}
	pending, err := e.Decisions(context.Background(), strata.Global().View(), strata.DecisionFilter{Pending: true})
	if err != nil || len(pending) != 0 {
		t.Errorf("pending = %+v, %v", pending, err)
	}
}

func TestReplayOnOpenFinishesWhatWasLeft(t *testing.T) {
	db := filepath.Join(t.TempDir(), "strata.db")
	p := &projector{fails: map[string]error{"Apples are in the barn": errors.New("no room")}}
	first := openAt(t, db, func(o *engine.Options) { o.Projector = p })
	save(t, first, "Apples are in the barn")
	if err := first.Drain(context.Background()); err == nil {
		t.Fatal("the projection should have failed")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again := &projector{}
	openAt(t, db, func(o *engine.Options) { o.Projector = again })
	if !slices.Equal(again.seen, []string{"Apples are in the barn"}) {
		t.Errorf("replayed %q", again.seen)
	}
}

func TestA8_ReplaySetsABadRowAsideAndGoesOn(t *testing.T) {
	p := &projector{fails: map[string]error{
		"Apples are in the barn": &strata.Error{Code: strata.CodeConflict, Message: "changed by hand", Hint: "look at it"},
	}}
	e := open(t, func(o *engine.Options) { o.Projector = p })
	bad := save(t, e, "Apples are in the barn")
	save(t, e, "Pears are in the cellar")
	if err := e.Drain(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.seen, []string{"Pears are in the cellar"}) {
		t.Errorf("projected %q", p.seen)
	}
	d, err := e.Decision(context.Background(), strata.Global().View(), bad.ID)
	if err != nil || d.SetAside == "" {
		t.Errorf("decision = %+v, %v", d, err)
	}
}
