package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/llm"
)

// seeker is a model without a server. Asked "Find: ...", it looks with the tools that it
// is offered, one after the other, until something that it is shown holds what it seeks.
type seeker struct {
	answer func() string
	seeks  string
	tried  map[string]bool
	found  bool
	tools  map[string]bool // that were offered
}

func (*seeker) Model() string { return "seeker" }

func (s *seeker) Chat(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Reply, error) {
	var calls []strata.ToolCall
	text := s.answer()
	if s.seeks != "" {
		text = "I looked."
		// The question names what it seeks by other words, so that only memory has it.
		s.found = slices.ContainsFunc(req.Messages, func(m llm.Message) bool { return strings.Contains(oneLine(m.Text), s.seeks) })
		if tool := s.next(req.Tools); !s.found && tool != "" {
			arguments, err := json.Marshal(map[string]string{"query": question(req.Messages)})
			if err != nil {
				return llm.Reply{}, err
			}
			text, calls = "", []strata.ToolCall{{ID: "call_" + tool, Name: tool, Arguments: string(arguments)}}
		}
	}
	return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: text, Calls: calls}, Stop: llm.StopEnd}, nil
}

// next is a tool that finds, was offered and not yet tried.
func (s *seeker) next(offered []llm.Tool) string {
	for _, t := range offered {
		s.tools[t.Name] = true
		if (t.Name == "memory_recall" || t.Name == "memory_search") && !s.tried[t.Name] {
			s.tried[t.Name] = true
			return t.Name
		}
	}
	return ""
}

// question is what the user asked last.
func question(messages []llm.Message) string {
	for _, m := range slices.Backward(messages) {
		if q, ok := strings.CutPrefix(m.Text, "Find: "); ok && m.Role == strata.RoleUser {
			q, _, _ = strings.Cut(q, "\n")
			return q
		}
	}
	return ""
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Of 200 statements in a conversation of 4,000 turns every one can be read back word
// for word by the tools that a model is offered, in windows of 2,048, 8,192 and 131,072
// tokens (make verify-long). Else it is 20 statements in 400 turns.
func TestEveryPlantedStatementCanBeReadBack(t *testing.T) {
	wings := []string{"north", "east", "south", "west"}
	names := []string{"Dagny Holm", "Ines Prado", "Tomás Vidal", "Aiko Mori", "Wanda Krol", "Jonas Beck", "Amara Obi"}
	planted, turns := 20, 400
	if os.Getenv("STRATA_LONG") != "" {
		planted, turns = 200, 4000
	}
	for _, window := range []int{2_048, 8_192, 131_072} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			w := &world{t: t}
			w.open(t.TempDir())
			c := chatter{rand.New(rand.NewPCG(uint64(window), 4000))}
			model := &seeker{answer: c.answer, tools: map[string]bool{}}
			a := w.agent(func(o *chat.Options) { o.Model, o.Window, o.Small = model, window, silent{} })
			say := func(text string) {
				if _, err := a.Send(t.Context(), text); err != nil {
					t.Fatal(err)
				}
			}
			statement := func(i int) string {
				return fmt.Sprintf("Locker %d of the %s wing belongs to %s.", 100+i, wings[i%4], names[i%7])
			}
			for i := range turns / 2 {
				if every := turns / 2 / planted; i%every == 0 {
					say(statement(i/every) + " " + c.question())
					continue
				}
				say(c.question())
			}
			lost := 0
			for _, i := range c.Perm(planted) {
				model.seeks, model.tried, model.found = statement(i), map[string]bool{}, false
				say(fmt.Sprintf("Find: Who has locker %d in the %s wing?", 100+i, wings[i%4]))
				if !model.found {
					lost++
					t.Logf("not found: %s", model.seeks)
				}
			}
			t.Logf("tools offered: %v", model.tools)
			if lost > 0 {
				t.Errorf("%d of %d statements cannot be read back", lost, planted)
			}
		})
	}
}

// silent is a model that always fails, so that rules do its work.
type silent struct{}

func (silent) Model() string { return "silent" }

func (silent) Chat(context.Context, llm.Request, func(llm.Delta) error) (llm.Reply, error) {
	return llm.Reply{}, &strata.Error{Code: strata.CodeUnavailable, Op: "chat", Message: "there is no model"}
}
