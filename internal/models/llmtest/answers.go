package llmtest

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
)

// This file tests that whole answers are right, however they are split into parts.

const awkward = "Grüße, 世界 🎉 e\u0301 \"quoted\" back\\slash\nnew line\r\ndata: {\"x\": 1}\n\n[DONE]\t\u2028end"

func (s suite) partsAddUp(t *testing.T) {
	c := s.serve(t, scripted.Reply{
		Parts: []scripted.Part{{Text: "The cat "}, {Text: "is called "}, {Text: "Whiskerino."}},
		Usage: llm.Usage{Prompt: 42, Completion: 7},
	})
	if c.Model() != "scripted" {
		t.Errorf("the model is %q", c.Model())
	}
	var parts []string
	reply, err := c.Chat(t.Context(), hello(), func(d llm.Delta) error {
		parts = append(parts, d.Text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Reply{
		Message: llm.Message{Role: strata.RoleAssistant, Text: "The cat is called Whiskerino."},
		Usage:   llm.Usage{Prompt: 42, Completion: 7}, Stop: llm.StopEnd,
	}
	if reply.Message.Text != want.Message.Text || reply.Message.Role != want.Message.Role || reply.Usage != want.Usage || reply.Stop != want.Stop {
		t.Errorf("reply %+v, want %+v", reply, want)
	}
	if !slices.Equal(parts, []string{"The cat ", "is called ", "Whiskerino."}) {
		t.Errorf("parts %q", parts)
	}
	if again, err := c.Chat(t.Context(), hello(), nil); err != nil || again.Message.Text != want.Message.Text {
		t.Errorf("without a watcher: %+v, %v", again, err)
	}
}

func (s suite) splitAnywhere(t *testing.T) {
	for _, split := range []int{1, 2, 3, 5, 7, 64} {
		c := s.serve(t, scripted.Reply{Parts: []scripted.Part{{Text: awkward}, {Text: "🎉"}}, Split: split})
		reply, streamed, err := ask(t, c, hello())
		if err != nil {
			t.Fatalf("split %d: %v", split, err)
		}
		if want := awkward + "🎉"; reply.Message.Text != want || streamed != want {
			t.Errorf("split %d: text %q, streamed %q", split, reply.Message.Text, streamed)
		}
	}
}

func (s suite) anyParts(t *testing.T) {
	var mu sync.Mutex
	var reply scripted.Reply
	c, _ := s.start(t, quick(), func(scripted.Request) scripted.Reply {
		mu.Lock()
		defer mu.Unlock()
		return reply
	})
	rapid.Check(t, func(r *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringN(1, 20, -1), 1, 8).Draw(r, "texts")
		next := scripted.Reply{Split: rapid.IntRange(0, 40).Draw(r, "split")}
		for _, text := range texts {
			next.Parts = append(next.Parts, scripted.Part{Text: text})
		}
		mu.Lock()
		reply = next
		mu.Unlock()
		got, streamed, err := ask(t, c, hello())
		want := strings.Join(texts, "")
		if err != nil || got.Message.Text != want || streamed != want {
			r.Fatalf("text %q, streamed %q, error %v; want %q", got.Message.Text, streamed, err, want)
		}
	})
}

func (s suite) reasoning(t *testing.T) {
	c := s.serve(t, scripted.Reply{Parts: []scripted.Part{{Reasoning: "A cat, "}, {Reasoning: "then."}, {Text: "Whiskerino"}}, Split: 3})
	var thought, said string
	reply, err := c.Chat(t.Context(), hello(), func(d llm.Delta) error {
		thought += d.Reasoning
		said += d.Text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if thought != "A cat, then." || said != "Whiskerino" || reply.Message.Text != "Whiskerino" {
		t.Errorf("thought %q, said %q, text %q", thought, said, reply.Message.Text)
	}
}

func (s suite) stops(t *testing.T) {
	stops := []llm.Stop{llm.StopEnd, llm.StopLength}
	if s.p == scripted.OpenAI {
		stops = append(stops, llm.StopFilter)
	}
	for _, stop := range stops {
		reply, _, err := ask(t, s.serve(t, scripted.Reply{Parts: []scripted.Part{{Text: "a"}}, Stop: stop}), hello())
		if err != nil || reply.Stop != stop {
			t.Errorf("stop %q, error %v; want %q", reply.Stop, err, stop)
		}
	}
}

func (s suite) notStreamed(t *testing.T) {
	c := s.serve(t, scripted.Reply{
		Parts: []scripted.Part{{Text: "all "}, {Text: "at once"}}, Shape: scripted.NotStreamed,
		Usage: llm.Usage{Prompt: 3, Completion: 2}, Split: 11,
	})
	reply, streamed, err := ask(t, c, hello())
	if err != nil {
		t.Fatal(err)
	}
	if reply.Message.Text != "all at once" || streamed != "all at once" || reply.Usage != (llm.Usage{Prompt: 3, Completion: 2}) {
		t.Errorf("reply %+v, streamed %q", reply, streamed)
	}
}

func (s suite) emptyAnswer(t *testing.T) {
	reply, streamed, err := ask(t, s.serve(t, scripted.Reply{}), hello())
	if err != nil || reply.Message.Text != "" || streamed != "" || reply.Message.Calls != nil || reply.Stop != llm.StopEnd {
		t.Errorf("reply %+v, error %v", reply, err)
	}
}
