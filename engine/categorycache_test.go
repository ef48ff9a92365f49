package engine_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/engine"
)

// TestCategoriesAreThoseOfTheStore writes the same facts through one engine,
// which keeps the categories from one write to the next, and through two by
// turns, of which each has to read them anew: every fact must come into the same
// category.
func TestCategoriesAreThoseOfTheStore(t *testing.T) {
	ctx := context.Background()
	one := open(t)
	db := filepath.Join(t.TempDir(), "strata.db")
	two := []*engine.Engine{openAt(t, db), openAt(t, db)}
	for i, s := range bench.Generate(400, 3) {
		c := strata.Candidate{Scope: strata.Global(), Content: s.Text}
		if i%7 == 6 { // a fact that is replaced leaves its category
			c.Entity, c.Attribute = "the fair", "latest"
		}
		want, err := one.Write(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := two[i%2].Write(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []*engine.Engine{one, two[i%2]} { // the facts are grouped at the same time
			if err := e.Drain(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if got.Op != want.Op || got.After != nil && got.After.Category != want.After.Category {
			t.Fatalf("write %d, %q: %s into %q by turns, %s into %q by one", i, s.Text, got.Op, category(got), want.Op, category(want))
		}
	}
	healthy(t, one)
	healthy(t, two[0])
}

func category(d strata.Decision) string {
	if d.After == nil {
		return ""
	}
	return d.After.Category
}
