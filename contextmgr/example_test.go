package contextmgr_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/llm"
)

// A conversation of any length in a window of 8,192 tokens. Where a model is
// configured, Send replaces the loop's body.
func Example() {
	ctx := context.Background()
	m, err := contextmgr.New(ctx, contextmgr.Options{System: "You help with the harbor's books."})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 500 {
		err := m.Append(ctx,
			strata.Turn{Role: strata.RoleUser, Text: fmt.Sprintf("Ship %d came in. %s", i, strings.Repeat("It carries fish. ", 20))},
		)
		if err != nil {
			log.Fatal(err)
		}
		req, err := m.Prompt(ctx) // give this to any model
		if err != nil {
			log.Fatal(err)
		}
		answer := fmt.Sprintf("Noted, in a request of %d messages.", len(req.Messages))
		if err := m.Append(ctx, strata.Turn{Role: strata.RoleAssistant, Text: answer}); err != nil {
			log.Fatal(err)
		}
	}
	first, err := m.Expand(ctx, 1, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("fits:", m.Usage().Level < 1, "- and still there:", first[0].Text[:15])
	// Output: fits: true - and still there: Ship 0 came in.
}

// echo stands for a model server; see llm/ollama and llm/openai for real ones.
type echo struct{}

func (echo) Model() string { return "echo" }

func (echo) Chat(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Reply, error) {
	said := req.Messages[len(req.Messages)-1].Text
	return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: "You said: " + said}}, nil
}

func ExampleManager_Send() {
	ctx := context.Background()
	m, err := contextmgr.New(ctx, contextmgr.Options{Model: echo{}})
	if err != nil {
		log.Fatal(err)
	}
	reply, err := m.Send(ctx, "My cat's name is Whiskerino")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Message.Text)
	// Output: You said: My cat's name is Whiskerino
}
