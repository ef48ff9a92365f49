package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Facts that are few beside turns are read one by one. That finds what the
// index finds: the same passages with the same counts, in the same order.
func TestMatch_FewFactsAreFoundAsByTheIndex(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	words := strings.Fields("harbor Harbors boat boats PostgreSQL postgres v2.4.7-hotfix naïve NAÏVE 会議は毎週 猫 o'clock a_b src/main.go can't 16 x – ß Straße 🙂 e-mail")
	sentence := func(n int) string {
		var out []string
		for range n {
			out = append(out, words[rng.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	scope := strata.Global()
	err = db.Update(ctx, func(w store.Writer) error {
		if err := w.OpenSession(ctx, strata.Session{ID: "s", Scope: scope}); err != nil {
			return err
		}
		for i := range 60 {
			f := plainFact(fmt.Sprintf("fact_%d", i), sentence(6))
			f.Type, f.Category = strata.Types()[i%4], fmt.Sprint("c", i%3)
			number, err := w.PutFact(ctx, f)
			if err != nil {
				return err
			}
			if err := w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: scope, Parent: f.Category, Type: f.Type, Text: f.Text}); err != nil {
				return err
			}
		}
		for i := range 400 {
			u, number, err := w.AppendTurn(ctx, strata.Turn{ID: fmt.Sprintf("turn_%d", i), Scope: scope, Session: "s", Role: strata.RoleUser, Text: sentence(9)})
			if err != nil {
				return err
			}
			if err := w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: scope, Parent: "s", Seq: u.Seq, Text: u.Text}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	facts := store.Filter{Kinds: []strata.Kind{strata.KindFact}}
	private := store.Filter{Kinds: facts.Kinds, NotTypes: []strata.Type{strata.TypeUser}}
	err = db.View(ctx, func(r store.Reader) error {
		tx := r.(*tx)
		no, _, err := tx.scopeNo(ctx, scope, false)
		if few, err2 := tx.fewFacts(ctx, no, facts); err != nil || err2 != nil || !few {
			t.Fatalf("the facts are not few: %v, %v", err, err2)
		}
		if _, ok, err := tx.readTerms(ctx, no, []string{"boat"}, facts); err != nil || !ok {
			t.Fatalf("the facts are not read one by one: %v", err)
		}
		for _, f := range []store.Filter{facts, private} {
			for range 60 {
				terms := text.Terms(sentence(4))
				got, err := r.Match(ctx, scope, terms, f)
				if err != nil {
					return err
				}
				want, err := byIndex(ctx, tx, no, terms, f)
				if err != nil {
					return err
				}
				if !reflect.DeepEqual(got.Passages, want.Passages) || !reflect.DeepEqual(got.Terms, want.Terms) || !reflect.DeepEqual(got.Frequency, want.Frequency) {
					t.Fatalf("%q: got %+v, want %+v", terms, got, want)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// byIndex is Match by the index alone.
func byIndex(ctx context.Context, t *tx, no int64, terms []string, f store.Filter) (store.Matches, error) {
	out := store.Matches{Terms: make([][]store.TermHit, len(terms)), Frequency: make([]int64, len(terms))}
	distinct, places := distinctTerms(terms)
	waiting, err := t.waitingTerms(ctx, no)
	if err != nil {
		return out, err
	}
	found, err := t.matchAll(ctx, no, waiting, distinct, f)
	return found.matches(out, len(distinct), places), err
}
