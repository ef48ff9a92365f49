package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/backup/transfer"
)

// everyday are facts of a few topics.
var everyday = []string{
	"My cat is called Mila", "The dog sleeps in the hall", "Our hamster escaped", "The parrot bit the vet",
	"We deploy with Helm", "Staging runs on Kubernetes", "The rollout takes an hour", "Nginx is the proxy in production",
	"Tomatoes are planted in May", "The lawn is mowed on Saturdays", "The compost is behind the hedge", "Tulips bloom in April",
	"I am allergic to penicillin", "The dentist is on Elm Street", "My blood pressure is low", "The surgery went well",
}

// listed returns the categories of the global scope by name.
func listed(t *testing.T, e *engine.Engine) map[string]strata.Category {
	t.Helper()
	list, err := e.Categories(context.Background(), strata.Global().View())
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]strata.Category, len(list))
	for _, c := range list {
		out[c.Name] = c
	}
	return out
}

func TestCategoriesAreRenamedMergedAndPinned(t *testing.T) {
	ctx, view := context.Background(), strata.Global().View()
	e := open(t)
	saveAll(t, e, everyday...)
	drain(t, e)

	c, err := e.RenameCategory(ctx, view, "pets", "our animals")
	if err != nil || c.Name != "our animals" || c.Facts != 4 || !c.Pinned {
		t.Fatalf("renamed to %+v, %v", c, err)
	}
	if d := save(t, e, "The kitten has fleas"); d.After.Category != "our animals" {
		t.Errorf("a fact that follows is in %q", d.After.Category)
	}
	if d := write(t, e, strata.Candidate{Scope: strata.Global(), Content: "The goldfish is orange", Category: "pets"}); d.After.Category != "our animals" {
		t.Errorf("a fact that was saved under the old name is in %q", d.After.Category)
	}
	if c, err = e.MergeCategory(ctx, view, "garden", "our animals"); err != nil || c.Facts != 10 || !c.Pinned {
		t.Errorf("merged to %+v, %v", c, err)
	}
	if d := save(t, e, "The roses are pruned in March"); d.After.Category != "our animals" {
		t.Errorf("a fact of the merged one is in %q", d.After.Category)
	}
	if c, err = e.UnpinCategory(ctx, view, "our animals"); err != nil || c.Pinned {
		t.Errorf("unpinned %+v, %v", c, err)
	}
	for i := range 16 { // until the categories are looked through again
		save(t, e, fmt.Sprintf("The dog of neighbor %d barks", i))
	}
	drain(t, e)
	if got := listed(t, e); got["pets"].Facts < 16 || got["garden"].Facts == 0 {
		t.Errorf("after it was left to the program: %v", got)
	}
	healthy(t, e)
}

func TestWhatWasDecidedAboutCategoriesIsExported(t *testing.T) {
	ctx, view := context.Background(), strata.Global().View()
	from, to := open(t), open(t)
	saveAll(t, from, everyday...)
	drain(t, from)
	if _, err := from.RenameCategory(ctx, view, "pets", "our animals"); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := from.Export(ctx, nil, &file); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time changes nothing
		if _, err := to.Import(ctx, bytes.NewReader(file.Bytes()), transfer.Options{}); err != nil {
			t.Fatal(err)
		}
		drain(t, to)
		if got := listed(t, to)["our animals"]; got.Facts != 4 || !got.Pinned {
			t.Errorf("categories %v", listed(t, to))
		}
	}
	if d := save(t, to, "The kitten has fleas"); d.After.Category != "our animals" {
		t.Errorf("a fact that follows is in %q", d.After.Category)
	}
	healthy(t, to)
}

func TestABadChangeOfCategoriesChangesNothing(t *testing.T) {
	ctx, view := context.Background(), strata.Global().View()
	e := open(t)
	saveAll(t, e, everyday...)
	drain(t, e)
	before := listed(t, e)
	rename := func(name, to string) error { _, err := e.RenameCategory(ctx, view, name, to); return err }
	merge := func(name, into string) error { _, err := e.MergeCategory(ctx, view, name, into); return err }
	for name, tt := range map[string]struct {
		err  error
		code strata.Code
	}{
		"rename what is not there":  {rename("nobody", "somebody"), strata.CodeNotFound},
		"rename to one that is":     {rename("pets", "garden"), strata.CodeConflict},
		"rename to the same":        {rename("pets", "pets"), strata.CodeConflict},
		"rename to nothing":         {rename("pets", ""), strata.CodeInvalid},
		"control characters":        {rename("pets", "a\x1b[31mb"), strata.CodeInvalid},
		"two lines":                 {rename("pets", "a\nb"), strata.CodeInvalid},
		"a path":                    {rename("pets", "../pets"), strata.CodeInvalid},
		"too long":                  {rename("pets", strings.Repeat("x", 300)), strata.CodeInvalid},
		"a secret":                  {rename("pets", "AKIAZ3MSJV4WWNKWJ5QX"), strata.CodeRejectedSecret},
		"merge into itself":         {merge("pets", "pets"), strata.CodeInvalid},
		"merge what is not there":   {merge("nobody", "pets"), strata.CodeNotFound},
		"merge into what is not":    {merge("pets", "nobody"), strata.CodeNotFound},
		"pin what is not there":     {second(e.PinCategory(ctx, view, "nobody")), strata.CodeNotFound},
		"unpin what is not there":   {second(e.UnpinCategory(ctx, view, "nobody")), strata.CodeNotFound},
		"unpin what is not pinned":  {second(e.UnpinCategory(ctx, view, "pets")), strata.CodeConflict},
		"another scope":             {second(e.PinCategory(ctx, strata.ForAgent("other").View(), "pets")), strata.CodeNotFound},
		"no scope":                  {second(e.PinCategory(ctx, strata.View{}, "pets")), strata.CodeInvalid},
		"an empty name to be found": {rename("", "somebody"), strata.CodeNotFound},
	} {
		if got := strata.CodeOf(tt.err); got != tt.code {
			t.Errorf("%s: %v, want %s", name, tt.err, tt.code)
		}
	}
	if after := listed(t, e); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("categories were %v and are %v", before, after)
	}
	healthy(t, e)
}

func second[T any](_ T, err error) error { return err }

// Whatever is decided about categories in whatever order: no fact is lost, what is
// pinned keeps its facts and its name, and categories and facts agree.
func TestCategoryChangesKeepEveryFact(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 21))
		e := open(t)
		for range 12 {
			changeCategories(t, e, r)
		}
		healthy(t, e)
	}
}

// changeCategories does one thing to categories, and checks what must hold then.
func changeCategories(t *testing.T, e *engine.Engine, r *rand.Rand) {
	t.Helper()
	ctx, view := context.Background(), strata.Global().View()
	names := []string{"nobody", "new name"}
	held := make(map[string]int64) // facts of pinned categories
	for _, c := range listed(t, e) {
		names = append(names, c.Name)
		if c.Pinned {
			held[c.Name] = c.Facts
		}
	}
	slices.Sort(names)
	one, other := names[r.IntN(len(names))], names[r.IntN(len(names))]
	what := []string{"save", "save", "rename", "merge", "pin", "unpin", "group"}[r.IntN(7)]
	before := allFacts(t, e)
	switch what {
	case "save":
		for range 1 + r.IntN(12) {
			n := r.Uint32()
			save(t, e, fmt.Sprintf("%s, %s%d said", everyday[n%16], []string{"Ann", "Bob", "Cem"}[n%3], n))
		}
	case "rename":
		if _, err := e.RenameCategory(ctx, view, one, other); err == nil {
			held[other] += held[one]
			delete(held, one)
		}
	case "merge":
		if _, err := e.MergeCategory(ctx, view, one, other); err == nil {
			held[other] += held[one]
			delete(held, one)
		}
	case "pin":
		_, _ = e.PinCategory(ctx, view, one) // one that is not there cannot be
	case "unpin":
		if _, err := e.UnpinCategory(ctx, view, one); err == nil {
			delete(held, one)
		}
	case "group":
		drain(t, e)
	}
	after := allFacts(t, e)
	if what != "save" && after != before {
		t.Fatalf("%s of %q and %q: %d facts became %d", what, one, other, before, after)
	}
	var total int64
	now := listed(t, e)
	for _, c := range now {
		total += c.Facts
	}
	if total != after {
		t.Fatalf("%s of %q and %q: %d facts in categories, %d in all: %v", what, one, other, total, after, now)
	}
	for name, n := range held {
		if c := now[name]; what != "save" && c.Facts < n || !c.Pinned {
			t.Fatalf("%s of %q and %q: pinned category %q had %d facts and is %+v", what, one, other, name, n, c)
		}
	}
}

// allFacts counts the current facts of the global scope.
func allFacts(t *testing.T, e *engine.Engine) int64 {
	t.Helper()
	stats, err := e.Stats(context.Background(), strata.Global().View())
	if err != nil {
		t.Fatal(err)
	}
	var n int64
	for _, s := range stats {
		n += s.Facts
	}
	return n
}
