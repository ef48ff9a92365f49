package recall

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/store"
)

// counting counts the lookups of substrings.
type counting struct {
	*memory
	substrings int
}

func (c *counting) MatchSubstring(ctx context.Context, scope strata.Scope, s string, f store.Filter, limit int) ([]store.Meta, error) {
	c.substrings++
	return c.memory.MatchSubstring(ctx, scope, s, f, limit)
}

func TestUnknownWordsCostABoundedNumberOfLookups(t *testing.T) {
	m := &counting{memory: &memory{}}
	for i := range 40 {
		m.fact(strata.Fact{ID: fmt.Sprint(i), Scope: global, Text: fmt.Sprintf("the boat number %d", i), RecordedAt: noon}, nil)
	}
	asked := "xylograph quixotism zymurgical flummoxed jabberwocky boat"
	if _, err := Find(t.Context(), m, Request{Query: strata.Query{View: global.View(), Text: asked}, Analysis: analyze(asked), Now: noon}); err != nil {
		t.Fatal(err)
	}
	if most := maxUnknown * (question.MaxFragments + 2); m.substrings > most {
		t.Errorf("%d lookups of substrings, want %d at most", m.substrings, most)
	}
}

// phraseless is a memory in which no phrase can be looked up.
type phraseless struct{ *memory }

var errUnread = errors.New("the index cannot be read")

func (phraseless) MatchPhrase(context.Context, strata.Scope, []string, bool, store.Filter, int) ([]store.Meta, error) {
	return nil, errUnread
}

// fragmentless is a memory in which no fragment of a word can be looked up.
type fragmentless struct{ *memory }

func (fragmentless) MatchSubstring(context.Context, strata.Scope, string, store.Filter, int) ([]store.Meta, error) {
	return nil, errUnread
}

// A word that could not be looked up is not taken for one that is nowhere.
func TestAFailedLookupOfAnUnknownWordIsReported(t *testing.T) {
	m := facts(t, "the harbormaster is called Ines")
	for asked, r := range map[string]store.Reader{"harbormas": phraseless{m}, "arbormas": fragmentless{m}} {
		q := strata.Query{View: global.View(), Text: asked}
		if _, err := Find(t.Context(), r, Request{Query: q, Analysis: analyze(q.Text), Now: noon}); !errors.Is(err, errUnread) {
			t.Errorf("%q: the error is %v", asked, err)
		}
	}
}

// What is asked for may be a part of a word, or begin like one.
func TestPartsOfWordsFind(t *testing.T) {
	m := facts(t, "the harbormaster is called Ines", "the lighthouse was painted white")
	for _, asked := range []string{"harbormas", "orma", "ormast", "harbormasterful"} {
		if h := first(t, askWords(t, m, asked)); h.ID != "fact_0" {
			t.Errorf("%q found %q", asked, h.Text)
		}
	}
}

// Once a word is found as the beginning of others, no worse way is tried.
func TestAWordIsLookedForUntilItIsFound(t *testing.T) {
	m := &counting{memory: facts(t, "the harbormaster is called Ines")}
	if h := first(t, askWords(t, m.memory, "harbormas")); h.ID != "fact_0" {
		t.Fatalf("found %s", h.ID)
	}
	q := strata.Query{View: global.View(), Text: "harbormas"}
	if _, err := Find(t.Context(), m, Request{Query: q, Analysis: analyze(q.Text), Now: noon}); err != nil {
		t.Fatal(err)
	}
	if m.substrings > 0 {
		t.Errorf("%d lookups of substrings of a word that was found", m.substrings)
	}
}
