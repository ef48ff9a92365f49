package openai_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/strata-memory/strata/internal/models/llmtest"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/openai"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// connect returns a client that is closed after the test.
func connect(t *testing.T, o openai.Options) *openai.Client {
	t.Helper()
	c, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestScripted(t *testing.T) {
	llmtest.RunScripted(t, scripted.OpenAI, func(url string, guard llm.GuardOptions) llm.Chat {
		return connect(t, openai.Options{BaseURL: url, Guard: guard}).Chat("scripted")
	})
}

func TestScriptedEmbedder(t *testing.T) {
	llmtest.RunScriptedEmbedder(t, scripted.OpenAI, func(url string, dimensions int, guard llm.GuardOptions) llm.Embedder {
		return connect(t, openai.Options{BaseURL: url, Guard: guard, Batch: 4}).Embedder("scripted", dimensions)
	})
}

func TestScriptedServerPassesTheSuiteForRealOnes(t *testing.T) {
	server, err := scripted.Start("", func(r scripted.Request) scripted.Reply {
		if r.Model != "scripted" {
			return scripted.Fail(404, "model '"+r.Model+"' not found")
		}
		words := min(len(r.Last().Text), 100_000)
		if words > 50_000 {
			return scripted.Fail(400, "the input length exceeds the context length")
		}
		reply := scripted.Say("Hello.")
		if len(r.Chat.Schema) > 0 {
			reply = scripted.Say(`{"name":"Whiskerino"}`)
		}
		reply.Usage = llm.Usage{Prompt: 10 + words, Completion: 1}
		return reply
	})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	c := connect(t, openai.Options{BaseURL: server.URL(scripted.OpenAI)})
	llmtest.RunChat(t, c.Chat("scripted"), llmtest.Caps{Unknown: c.Chat("nobody")})
}
