package recall

import (
	"context"
	"fmt"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/recall/question"
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
