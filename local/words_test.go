package local_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/local"
)

// german is a file of word vectors in which "Boot" is near "Segelschiff".
func german() string {
	var out strings.Builder
	line := func(word string, at int) {
		fmt.Fprint(&out, word)
		for i := range 40 {
			fmt.Fprintf(&out, " %d", (1-2*((at>>(i%6))&1))*(1+(at*i)%5))
		}
		out.WriteString("\n")
	}
	line("boot", 63)
	line("segelschiff", 63)
	for i := range 60 {
		line("wort"+strings.Repeat(string(rune('a'+i%26)), 1+i/26), i)
	}
	return out.String()
}

// Words that are given to a home are used by every process, after its vectors were
// made anew; until then the old ones find all that they found.
func TestAHomeIsGivenOtherWords(t *testing.T) {
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
	found := func(mem *engine.Engine, question, want string, byVector bool) {
		t.Helper()
		res, err := mem.Recall(ctx, strata.Global().View(), question)
		if err != nil || len(res.Hits) == 0 || res.Hits[0].Text != want || byVector && res.Hits[0].Why.Vector == 0 {
			t.Errorf("%s: %+v, %v", question, res, err)
		}
	}
	report := func(mem *engine.Engine) embedding.Report {
		t.Helper()
		r, err := mem.Embedding(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	const cat, ship = "My cat's name is Whiskerino", "Im Hafen liegt ein Segelschiff"
	here, there := open(local.Options{}), open(local.Options{})
	for _, s := range []string{cat, ship} {
		if _, err := here.Save(ctx, strata.Global(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := here.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if err := here.ImportWords(ctx, strings.NewReader(german()), func(int64) {}); err != nil {
		t.Fatal(err)
	}
	found(here, "Who is Whiskerino?", cat, true) // by whichever of both
	found(there, "Who is Whiskerino?", cat, true)
	for _, mem := range []*engine.Engine{there, here, open(local.Options{}), open(local.Options{Embedder: builtin.New()})} {
		if err := mem.Drain(ctx); err != nil {
			t.Fatal(err)
		}
		if r := report(mem); r.Serving != here.Builtin() || !r.ServingReady || r.Target != "" || r.Stale != 0 || builtin.DigestOf(r.Serving) == "" {
			t.Errorf("embedding %+v", r)
		}
		found(mem, "Wo ist mein Boot?", ship, true)
	}
	if r, err := here.Doctor(ctx, nil); err != nil || len(r.Problems) > 0 {
		t.Errorf("doctor: %+v, %v", r.Problems, err)
	}

	// Without its file the home goes on with the words of the program.
	if err := os.Truncate(here.Words().Path, 100); err != nil {
		t.Fatal(err)
	}
	fresh := open(local.Options{})
	if err := fresh.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if r := report(fresh); r.Serving != builtin.Model || r.Target != "" {
		t.Errorf("embedding %+v", r)
	}
	found(fresh, "Who is my kitten?", cat, true)
	if r, err := fresh.Doctor(ctx, nil); err != nil || len(r.Problems) != 1 || r.Problems[0].Kind != "word_vectors" {
		t.Errorf("doctor: %+v, %v", r.Problems, err)
	}
	if removed, err := fresh.RemoveWords(ctx); err != nil || !removed {
		t.Errorf("removed: %v, %v", removed, err)
	}
	if r, err := fresh.Doctor(ctx, nil); err != nil || len(r.Problems) > 0 {
		t.Errorf("doctor: %+v, %v", r.Problems, err)
	}
}
