package chat_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
)

// Each request begins with the whole of the one before, byte for byte, unless something
// had to leave the window in between: the model's cache serves a window of 2k as it does
// one of 8k. In the small one every third message or so has something leave. The helper
// answers at once: one that a busy machine keeps from its answer until the next message
// would have the window show extracts, which are longer, and the count would measure that.
func TestThePrefixStaysInWindowsOfAllSizes(t *testing.T) {
	for _, c := range []struct{ window, changes int }{{2048, 20}, {8192, 4}} {
		t.Run(fmt.Sprint(c.window), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, scripted.Ollama, inTurn(scripted.Say("All right, I have noted that, and there is little to add to it for now.")))
			a := w.agent(func(o *chat.Options) { o.Window, o.Small = c.window, promptHelper{} })
			var before llm.Request
			changes := 0
			for i := range 60 {
				w.events = nil
				send(t, a, fmt.Sprintf("Tell me something about the number %d, and why it matters to anybody who counts things.", i+100))
				req := lastAnswered(w)
				kept := begins(req, before)
				left := hasEvent[contextmgr.Compacted](w) || hasEvent[contextmgr.Summarized](w) || hasEvent[contextmgr.Pruned](w)
				if !kept && !left {
					t.Errorf("message %d changed the prefix, and nothing had to leave: %v", i, w.events)
				}
				if !kept {
					changes++
				}
				before = req
			}
			if changes == 0 || changes > c.changes {
				t.Errorf("the prefix changed %d times; at least once and at most %d times is right", changes, c.changes)
			}
		})
	}
}

// lastAnswered is the last request of the conversation itself.
func lastAnswered(w *world) (last llm.Request) {
	for _, r := range w.server.Requests() {
		if m := r.Chat.Messages; r.Kind == scripted.KindChat && len(r.Chat.Schema) == 0 && !strings.HasPrefix(m[len(m)-1].Text, "Summary so far") {
			last = r.Chat
		}
	}
	return last
}

// begins reports whether a request begins with another.
func begins(req, with llm.Request) bool {
	n := len(with.Messages)
	return n == 0 || len(req.Messages) >= n && reflect.DeepEqual(req.Messages[:n], with.Messages) && reflect.DeepEqual(req.Tools, with.Tools)
}

// promptHelper is a small model that answers at once: there are no facts, and little was
// said.
type promptHelper struct{}

func (promptHelper) Model() string { return "prompt" }

func (promptHelper) Chat(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Reply, error) {
	text := `{"operations": []}`
	if len(req.Schema) == 0 {
		text = "They spoke of numbers and of what each is good for."
	}
	return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: text}, Stop: llm.StopEnd}, nil
}
