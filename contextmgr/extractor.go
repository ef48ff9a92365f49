package contextmgr

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/prompt"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
)

// ModelExtractor has a model read turns outside of a conversation under way: those of a
// transcript. What rules find in them is in memory already.
type ModelExtractor struct {
	Model   llm.Chat
	Window  int           // context of Model in tokens; 0: 8,192
	Timeout time.Duration // of one call; 0: 60 s
}

// helper is one that may ask as often as it needs.
func (x ModelExtractor) helper() *helper {
	window := cmp.Or(x.Window, defaultWindow)
	return &helper{
		model: x.Model, opt: Options{SmallWindow: window, ModelTimeout: cmp.Or(x.Timeout, defaultModelTimeout)},
		count: token.Count, calls: math.MaxInt,
	}
}

// Parts divides turns into parts, in order, each of which the model reads in one go if
// no single turn is longer than that.
func (x ModelExtractor) Parts(turns []strata.Turn) [][]strata.Turn {
	var out [][]strata.Turn
	for _, b := range x.batches(turns) {
		out = append(out, b.turns)
	}
	return out
}

func (x ModelExtractor) batches(turns []strata.Turn) []batch {
	window := cmp.Or(x.Window, defaultWindow)
	return batches(turns, max(window/2-token.Count(prompt.Instructions()), 64), token.Count)
}

// Read returns what turns change in memory, of which known may be meant. Before is what
// was said last before them, to understand them by. Dropped says
// of each operation that was not taken why. The error is that of the model's server or
// of ctx, or says that the model's answer cannot be used.
func (x ModelExtractor) Read(ctx context.Context, before, turns []strata.Turn, known []strata.Fact) (found []strata.Candidate, dropped []string, err error) {
	h := x.helper()
	for _, b := range x.batches(turns) {
		some, why, err := h.facts(ctx, b, before, known, nil)
		found, dropped = append(found, some...), append(dropped, why...)
		if err != nil {
			return found, dropped, err
		}
		before = b.turns
	}
	return found, dropped, nil
}
