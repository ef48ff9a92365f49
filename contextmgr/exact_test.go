package contextmgr

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
)

// awkward is text of about n bytes that tokenizes unlike prose.
func awkward(rng *rand.Rand, n int) string {
	raw := make([]byte, n)
	for i := range raw {
		raw[i] = byte(rng.Uint32())
	}
	switch rng.IntN(8) {
	case 0:
		return base64.StdEncoding.EncodeToString(raw)[:n]
	case 1:
		return strings.Repeat("\n", n)
	case 2:
		return strings.Repeat("𓀀猫🙂", n/11+1)
	case 3:
		return strings.Repeat("a", n)
	case 4:
		return strings.ToValidUTF8(string(raw), "\uFFFD")
	case 5:
		return strings.Repeat("<recalled-memory>\n", n/18+1)
	case 6:
		return strings.Repeat("1,2;", n/4+1)
	}
	return prose(rng, n)
}

// However awkward the texts, a request counted anew with o200k stays in the
// window: with a counter that is exact, and with the estimate, which learns
// from what the model reports and may be low before it has.
func TestNoRequestExceedsTheWindowAsCountedByO200k(t *testing.T) {
	t.Parallel()
	exact := token.ForModel("gpt-4o")
	for name, counter := range map[string]Counter{"exact": exact, "estimate": token.ForModel("some-model")} {
		t.Run(name, func(t *testing.T) {
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			rng := rand.New(rand.NewPCG(seed, 0))
			const window = 4096
			truth := meter{counter: exact, countable: 1 << 30}
			over, sent := 0, 0
			model := &fakeModel{chat: func(_ context.Context, req llm.Request) (llm.Reply, error) {
				size := truth.request(req)
				if sent++; size > window {
					over++
					if name == "exact" || sent > 2 {
						t.Errorf("request %d has %d tokens", sent, size)
					}
					return llm.Reply{}, &strata.Error{Code: strata.CodeTooLarge, Message: "too large"}
				}
				r := reply("Let me look.")
				r.Usage.Prompt = size
				return r, nil
			}}
			m, err := New(ctx, Options{Model: model, Window: window, Counter: counter, Ledger: &fakeLedger{}, System: "Be brief."})
			if err != nil {
				t.Fatal(err)
			}
			for n := range 40 {
				size := []int{40, 400, 4000, 320_000}[rng.IntN(4)]
				id := fmt.Sprint("c", n)
				if err := m.Append(ctx,
					say(strata.RoleUser, fmt.Sprintf("Look again (%d). %s", n, awkward(rng, 20+rng.IntN(400)))),
					strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: id, Name: "read", Arguments: `{"file":"` + strings.Repeat("x", rng.IntN(9000)) + `"}`}}},
					strata.Turn{Role: strata.RoleTool, CallID: id, Tool: "read", Text: awkward(rng, size)},
				); err != nil {
					t.Fatal(err)
				}
				if _, err := m.Continue(ctx); err != nil {
					t.Fatal(err)
				}
			}
			if sent < 40 {
				t.Errorf("%d requests", sent)
			}
		})
	}
}
