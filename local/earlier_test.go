package local_test

import (
	"fmt"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/local"
)

// A home whose vectors an earlier version made is asked by them, all of them,
// until the present ones are there, which nobody has to ask for.
func TestAnEarlierHomeIsEmbeddedAnew(t *testing.T) {
	ctx, home := t.Context(), t.TempDir()
	open := func(o local.Options) *engine.Engine {
		o.Home = home
		opened, err := local.OpenWith(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		mem := opened.Engine()
		t.Cleanup(func() { mem.Close() })
		return mem
	}
	found := func(mem *engine.Engine) {
		t.Helper()
		res, err := mem.Recall(ctx, strata.Global().View(), "Who is my kitten?")
		if err != nil || len(res.Hits) == 0 || res.Hits[0].Why.Vector == 0 {
			t.Errorf("found %+v, %v", res, err)
		}
	}
	mem := open(local.Options{Embedder: builtin.Named(builtin.Earlier)})
	for i := range 40 {
		if _, err := mem.Save(ctx, strata.Global(), fmt.Sprintf("Invoice %d is due", i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := mem.Save(ctx, strata.Global(), "My cat's name is Whiskerino"); err != nil {
		t.Fatal(err)
	}
	found(mem)
	if err := mem.Close(); err != nil {
		t.Fatal(err)
	}

	mem = open(local.Options{})
	found(mem) // by whichever of both
	if err := mem.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	found(mem)
	if r, err := mem.Embedding(ctx); err != nil || r.Serving != builtin.Model || r.Target != "" || r.Stale != 0 {
		t.Errorf("embedding %+v, %v", r, err)
	}
}
