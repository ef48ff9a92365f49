package contextmgr

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// holdLiveChat talks through a real model until it was flushed and compacted,
// whatever the model answers, and checks that every request fitted, that the
// turns can be reopened and that what the user said is saved. The window must
// be one that the model's server really has.
func holdLiveChat(t *testing.T, model llm.Chat, window int) {
	t.Helper()
	h := open(t, func(o *Options) {
		o.Model, o.Window, o.Counter = model, window, nil
		o.System = "You are brief."
	})
	h.send("My cat's name is Whiskerino.")
	for i := 0; len(all[Compacted](h)) == 0; i++ {
		if i == 400 {
			t.Fatal("400 exchanges led to no compaction")
		}
		if _, err := h.Send(ctx, fmt.Sprintf("Message %d is about the harbor. %s", i, strings.Repeat("It has boats. ", 20))); err != nil &&
			strata.CodeOf(err) != strata.CodeCorrupt { // a model may answer nothing
			t.Fatal(err)
		}
		h.prompt()
	}
	if len(all[FlushFinished](h)) == 0 || len(h.memory.saved) == 0 {
		t.Errorf("no fact was saved: %+v", all[FlushFinished](h))
	}
	turns, err := h.Expand(ctx, 1, h.Usage().Last)
	if err != nil || len(turns) != len(h.ledger.turns) {
		t.Errorf("%d turns of %d can be reopened: %v", len(turns), len(h.ledger.turns), err)
	}
	t.Logf("%d turns, %d events, saved %q, fallbacks %q %q", len(turns), len(h.events), h.memory.texts(),
		h.fallbacks("extraction"), h.fallbacks("summary"))
}

// noise is a model with random weights, so to speak.
type noise struct{ rng *rand.Rand }

func (noise) Model() string { return "noise" }

func (n noise) Chat(context.Context, llm.Request, func(llm.Delta) error) (llm.Reply, error) {
	var b strings.Builder
	for range n.rng.IntN(200) {
		b.WriteRune(rune(32 + n.rng.IntN(600)))
	}
	return reply(b.String()), nil
}

func TestChatWithAModelOfNoise(t *testing.T) {
	holdLiveChat(t, noise{rand.New(rand.NewPCG(7, 8))}, 2048)
}
