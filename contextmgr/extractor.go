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

// ModelExtractor makes a model read the turns of a transcript for facts, outside a live
// conversation. The facts that rules find in them are already in memory.
type ModelExtractor struct {
	Model   llm.Chat
	Window  int           // context size of Model in tokens; 0: 8,192
	Timeout time.Duration // of one call; 0: 60 s
}

// helper returns a helper without a limit on calls.
func (x ModelExtractor) helper() *helper {
	window := cmp.Or(x.Window, defaultWindow)
	return &helper{
		model: x.Model, opt: Options{SmallWindow: window, ModelTimeout: cmp.Or(x.Timeout, defaultModelTimeout)},
		count: token.Count, calls: math.MaxInt,
	}
}

// Parts divides turns into consecutive parts. The model reads each part in one request,
// unless a single turn is too long for that.
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

// Read returns the changes to memory that turns call for. before are the turns that
// precede them, for context; known are facts they may refer to. dropped says why
// operations were not accepted, one entry each. The error is that of the model's server
// or of ctx, or says that the model's answer is unusable.
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
