package chat_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/llm"
)

// nodding is a model that answers "Understood." and keeps the last request.
type nodding struct{ asked llm.Request }

func (*nodding) Model() string { return "nodding" }

func (n *nodding) Chat(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Reply, error) {
	n.asked = req
	return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: "Understood."}, Stop: llm.StopEnd}, nil
}

// Two rules, a path and an id, a correction and an open task, said at the beginning, are in
// every later request, with all the tools and the memory of a chat beside them.
func TestRulesAndCorrectionsStayInSmallWindows(t *testing.T) {
	lines := []string{
		"Always answer in French from now on.", "Never push to branch release/zeta-9 without asking.",
		"The log lies in /var/opt/quux/app-77.log, ticket is PROJ-4821.", "No, the port is 9317, not 8080.",
		"TODO: rotate the frobnitz certificate.", "No, not port 8090: the port is 9318.", "No! Use port 9319 instead.",
	}
	for _, window := range []int{4096, 8192} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			w := &world{t: t}
			w.open(t.TempDir())
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			c := chatter{rand.New(rand.NewPCG(seed, 0))}
			model := &nodding{}
			a := w.agent(func(o *chat.Options) { o.Model, o.Window, o.Small = model, window, silent{} })
			messages := slices.Clone(lines)
			for range 40 {
				var said []string
				for words := 20 + c.IntN(380); words > 0; words -= len(strings.Fields(said[len(said)-1])) {
					said = append(said, c.question())
				}
				messages = append(messages, strings.Join(said, " "))
			}
			for i, text := range messages {
				if _, err := a.Send(t.Context(), text); err != nil {
					t.Fatal(err)
				}
				shown := ""
				for _, m := range model.asked.Messages {
					if m.Role != strata.RoleSystem {
						shown += m.Text + "\n"
					}
				}
				for _, line := range lines[:min(i+1, len(lines))] {
					if !strings.Contains(shown, line) {
						t.Fatalf("message %d: %q is not in\n%s", i, line, shown)
					}
				}
			}
		})
	}
}
