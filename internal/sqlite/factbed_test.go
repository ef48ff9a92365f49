package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// factBed is a scope with few facts and, as a rule, many turns, open twice as by two
// processes.
type factBed struct {
	testing.TB
	rng   *rand.Rand
	dbs   []*DB
	n     int // facts and turns so far
	scope strata.Scope
}

func newFactBed(t testing.TB, seed uint64) *factBed { return newFactBedWith(t, seed, 200) }

func newFactBedWith(t testing.TB, seed uint64, turns int) *factBed {
	t.Helper()
	path := filepath.Join(t.TempDir(), "strata.db")
	b := &factBed{TB: t, rng: rand.New(rand.NewPCG(seed, 2)), scope: strata.Global()}
	for range 2 {
		db, err := Open(context.Background(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		b.dbs = append(b.dbs, db)
	}
	b.update(func(ctx context.Context, w *tx) error {
		return w.OpenSession(ctx, strata.Session{ID: "s", Scope: b.scope})
	})
	b.addTurns(turns)
	b.addFacts(20)
	return b
}

func (b *factBed) update(fn func(context.Context, *tx) error) {
	b.Helper()
	ctx := context.Background()
	err := b.dbs[b.rng.IntN(len(b.dbs))].Update(ctx, func(w store.Writer) error { return fn(ctx, w.(*tx)) })
	if err != nil {
		b.Fatal(err)
	}
}

var factWords = strings.Fields("harbor boat boats ferry Nora nora's Quito 会議 e-mail a_b v2.4 tea coffee can't 16 ledger lantern")

func (b *factBed) sentence(n int) string {
	var out []string
	for range n {
		out = append(out, factWords[b.rng.IntN(len(factWords))])
	}
	return strings.Join(out, " ")
}

func (b *factBed) direction() []float32 {
	v := make([]float32, 16)
	for i := range v {
		v[i] = float32(b.rng.NormFloat64())
	}
	return v
}

func (b *factBed) addTurns(n int) {
	b.Helper()
	b.update(func(ctx context.Context, w *tx) error {
		for range n {
			b.n++
			u, number, err := w.AppendTurn(ctx, strata.Turn{ID: fmt.Sprint("turn_", b.n), Scope: b.scope, Session: "s", Role: strata.RoleUser, Text: b.sentence(7)})
			if err != nil {
				return err
			}
			p := store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: b.scope, Parent: "s", Seq: u.Seq, Text: u.Text, Model: "m", Vector: b.direction()}
			if err := w.PutPassage(ctx, p); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *factBed) addFacts(n int) {
	b.Helper()
	b.update(func(ctx context.Context, w *tx) error {
		for range n {
			b.n++
			if err := b.putFact(ctx, w, fmt.Sprint("fact_", b.n), 1); err != nil {
				return err
			}
		}
		return nil
	})
}

// putFact stores a version of a fact; one in four waits for its vector.
func (b *factBed) putFact(ctx context.Context, w *tx, id string, generation int64) error {
	f := plainFact(id, fmt.Sprint(b.sentence(5), " ", id, generation))
	f.Generation, f.Type, f.Category = generation, strata.Types()[b.rng.IntN(4)], fmt.Sprint("c", b.rng.IntN(3))
	number, err := w.PutFact(ctx, f)
	if err != nil {
		return err
	}
	p := store.Passage{Number: number, Kind: strata.KindFact, Ref: id, Scope: b.scope, Parent: f.Category, Type: f.Type, Text: f.Text, Said: f.Text}
	if b.rng.IntN(4) > 0 {
		p.Model, p.Vector = "m", b.direction()
	}
	return w.PutPassage(ctx, p)
}

// some returns a few of the current facts.
func (b *factBed) some(ctx context.Context, w *tx, n int) []strata.Fact {
	b.Helper()
	facts, err := w.Facts(ctx, b.scope, strata.FactFilter{Limit: 10_000})
	if err != nil {
		b.Fatal(err)
	}
	b.rng.Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
	return facts[:min(n, len(facts))]
}

// change does one thing that changes what is found.
func (b *factBed) change() {
	b.Helper()
	switch b.rng.IntN(11) {
	case 0:
		b.addFacts(1 + b.rng.IntN(5))
	case 1:
		b.addTurns(1 + b.rng.IntN(4))
	case 2: // another version
		b.update(func(ctx context.Context, w *tx) error {
			for _, f := range b.some(ctx, w, 2) {
				if err := w.RetireFact(ctx, b.scope, f.ID, f.Generation, ""); err != nil {
					return err
				}
				if err := b.putFact(ctx, w, f.ID, f.Generation+1); err != nil {
					return err
				}
			}
			return nil
		})
	case 3: // deleted
		b.update(func(ctx context.Context, w *tx) error {
			for _, f := range b.some(ctx, w, 1) {
				if err := w.RetireFact(ctx, b.scope, f.ID, f.Generation, ""); err != nil {
					return err
				}
			}
			return nil
		})
	case 4: // forgotten
		b.update(func(ctx context.Context, w *tx) error {
			for _, f := range b.some(ctx, w, 2) {
				if _, err := w.Forget(ctx, b.scope, f.ID, nil); err != nil {
					return err
				}
			}
			return nil
		})
	case 5: // vectors come later
		b.update(func(ctx context.Context, w *tx) error {
			waiting, err := w.Unembedded(ctx, store.Model{Name: "m", Dim: 16}, 3)
			for _, p := range waiting {
				if err == nil {
					err = w.PutVector(ctx, p.Number, "m", b.direction())
				}
			}
			return err
		})
	case 6: // another category
		b.update(func(ctx context.Context, w *tx) error {
			parents, err := w.Parents(ctx, b.scope, strata.KindFact, nil)
			if err != nil || len(parents) < 2 {
				return err
			}
			if b.n%2 == 0 {
				f, err := w.Facts(ctx, b.scope, strata.FactFilter{Category: parents[0].Name, Limit: 1})
				if err != nil || len(f) == 0 {
					return err
				}
				_, err = w.MoveFacts(ctx, b.scope, f[0].Category, parents[1].Name, []string{f[0].ID})
				return err
			}
			if parents[0].Passages == 0 {
				return nil
			}
			return w.RenameCategory(ctx, b.scope, parents[0].Name, parents[1].Name)
		})
	case 7: // undone
		undone := errors.New("undone")
		err := b.dbs[b.rng.IntN(len(b.dbs))].Update(context.Background(), func(w store.Writer) error {
			b.n++
			if err := b.putFact(context.Background(), w.(*tx), fmt.Sprint("undone_", b.n), 1); err != nil {
				return err
			}
			if _, err := w.Match(context.Background(), b.scope, []string{"boat"}, factsOnly, store.MatchOptions{}); err != nil {
				return err
			}
			return undone
		})
		if err != undone {
			b.Fatalf("got %v, want the function's own error", err)
		}
	case 8: // of use
		b.update(func(ctx context.Context, w *tx) error {
			for _, f := range b.some(ctx, w, 2) {
				if err := w.RecordAccess(ctx, b.scope, []string{f.ID}); err != nil {
					return err
				}
			}
			return nil
		})
	case 9: // another name
		b.update(func(ctx context.Context, w *tx) error {
			parents, err := w.Parents(ctx, b.scope, strata.KindFact, nil)
			if err != nil || len(parents) == 0 {
				return err
			}
			no, _, err := w.scopeNo(ctx, b.scope, false)
			if err != nil {
				return err
			}
			return w.renameCategory(ctx, no, parents[0].Number, parents[0].Name, fmt.Sprint("d", b.rng.IntN(5)))
		})
	case 10: // indexed anew
		if b.rng.IntN(4) == 0 {
			b.reindex()
		}
	}
}

func (b *factBed) reindex() {
	b.Helper()
	b.update(func(ctx context.Context, w *tx) error {
		if err := w.DropIndex(ctx, b.scope); err != nil {
			return err
		}
		for after := int64(0); ; {
			list, err := w.Sources(ctx, b.scope, after, 1000)
			if err != nil || len(list) == 0 {
				return err
			}
			for _, s := range list {
				p := store.Passage{Number: s.Number, Scope: b.scope}
				switch {
				case s.Fact != nil:
					p.Kind, p.Ref, p.Parent, p.Type, p.Text = strata.KindFact, s.Fact.ID, s.Fact.Category, s.Fact.Type, s.Fact.Text
					p.Said, p.RetiredAt = s.Fact.Text, s.Fact.RetiredAt
				case s.Turn != nil:
					p.Kind, p.Ref, p.Parent, p.Seq, p.Text = strata.KindTurn, s.Turn.ID, "s", s.Turn.Seq, s.Turn.Text
				}
				if err := w.PutPassage(ctx, p); err != nil {
					return err
				}
				after = s.Number
			}
		}
	})
}
