package tinymodel

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// server is a real Ollama server that has both models, made by
// internal/tools/tinymodels. These tests know no client library: they show that
// the server accepts what this package makes and what it says on the wire.
type server struct {
	url, chat, embed string
	client           http.Client
}

func realServer(t *testing.T) *server {
	t.Helper()
	s := &server{
		url:   os.Getenv("STRATA_TEST_OLLAMA"),
		chat:  os.Getenv("STRATA_TEST_CHAT_MODEL"),
		embed: os.Getenv("STRATA_TEST_EMBED_MODEL"),
	}
	if s.url == "" {
		t.Skip("make test-ollama runs this")
	}
	s.client.Timeout = 2 * time.Minute
	return s
}

// post sends a request and returns the status and the whole answer.
func (s *server) post(t *testing.T, path string, body map[string]any) (int, []byte) {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.client.Post(s.url+path, "application/json", bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, answer
}

// ask sends a request that must be granted and decodes the answer.
func ask[T any](t *testing.T, s *server, path string, body map[string]any) T {
	t.Helper()
	status, answer := s.post(t, path, body)
	if status != http.StatusOK {
		t.Fatalf("%s: status %d, %s", path, status, answer)
	}
	var v T
	if err := json.Unmarshal(answer, &v); err != nil {
		t.Fatalf("%s: %v in %s", path, err, answer)
	}
	return v
}

func user(text string) []map[string]string {
	return []map[string]string{{"role": "user", "content": text}}
}

func TestOllamaServerStreamsChat(t *testing.T) {
	s := realServer(t)
	status, answer := s.post(t, "/api/chat", map[string]any{
		"model": s.chat, "messages": user("What is my cat called?"),
	})
	if status != http.StatusOK {
		t.Fatalf("status %d, %s", status, answer)
	}
	type part struct {
		Message    struct{ Role, Content string }
		Done       bool
		DoneReason string `json:"done_reason"`
		Prompt     int    `json:"prompt_eval_count"`
		Completion int    `json:"eval_count"`
	}
	var last part
	var text strings.Builder
	parts := 0
	for lines := bufio.NewScanner(bytes.NewReader(answer)); lines.Scan(); parts++ {
		if last.Done {
			t.Errorf("a part after the last: %s", lines.Bytes())
		}
		last = part{}
		if err := json.Unmarshal(lines.Bytes(), &last); err != nil {
			t.Fatalf("%v in %s", err, lines.Bytes())
		}
		text.WriteString(last.Message.Content)
	}
	t.Logf("%d parts, %q, %+v", parts, text.String(), last)
	if !last.Done || parts < 2 || text.Len() == 0 {
		t.Errorf("%d parts with %d bytes, the last: %+v", parts, text.Len(), last)
	}
	if last.Prompt == 0 || last.Completion == 0 || last.DoneReason == "" {
		t.Errorf("the last part does not say what the call cost: %+v", last)
	}
}

// TestOllamaServerAnswersDiffer shows that the model neither stops at once nor
// goes on forever, and that its answers come from what it is asked.
func TestOllamaServerAnswersDiffer(t *testing.T) {
	s := realServer(t)
	type reply struct {
		Message    struct{ Content string }
		DoneReason string `json:"done_reason"`
		EvalCount  int    `json:"eval_count"`
	}
	answers := make(map[string]bool)
	total, ended := 0, 0
	const calls = 20
	for seed := range calls {
		r := ask[reply](t, s, "/api/chat", map[string]any{
			"model": s.chat, "messages": user("Tell me about coffee."), "stream": false,
			"options": map[string]any{"seed": seed},
		})
		answers[r.Message.Content] = true
		total += r.EvalCount
		if r.DoneReason == "stop" {
			ended++
		}
		t.Logf("%3d %-6s %q", r.EvalCount, r.DoneReason, r.Message.Content)
	}
	t.Logf("%d different answers, %d of %d ended, %d tokens on average", len(answers), ended, calls, total/calls)
	if len(answers) < calls/2 || ended < calls/2 || total/calls < 5 {
		t.Errorf("%d different answers, %d of %d ended, %d tokens on average", len(answers), ended, calls, total/calls)
	}
}

func TestOllamaServerTakesTools(t *testing.T) {
	s := realServer(t)
	ask[map[string]any](t, s, "/api/chat", map[string]any{
		"model": s.chat, "messages": user("Save this."), "stream": false,
		"tools": []any{map[string]any{"type": "function", "function": map[string]any{
			"name": "memory_save", "description": "Saves a fact.",
			"parameters": map[string]any{"type": "object", "properties": map[string]any{"content": map[string]any{"type": "string"}}},
		}}},
	})
}

// TestOllamaServerPlacesLikeTextsTogether shows that the vectors are good for
// more than their form.
func TestOllamaServerPlacesLikeTextsTogether(t *testing.T) {
	s := realServer(t)
	type reply struct {
		Embeddings [][]float64
		Prompt     int `json:"prompt_eval_count"`
	}
	r := ask[reply](t, s, "/api/embed", map[string]any{"model": s.embed, "input": []string{
		"my cat has a name", "the name of my cat", "we moved to a new city last year",
	}})
	if len(r.Embeddings) != 3 || r.Prompt == 0 {
		t.Fatalf("%d vectors, %d tokens", len(r.Embeddings), r.Prompt)
	}
	for _, v := range r.Embeddings {
		if len(v) != EmbedDimensions || math.Abs(dot(v, v)-1) > 1e-3 {
			t.Errorf("a vector of %d numbers and length² %v", len(v), dot(v, v))
		}
	}
	near, far := dot(r.Embeddings[0], r.Embeddings[1]), dot(r.Embeddings[0], r.Embeddings[2])
	t.Logf("like texts %.3f, unlike texts %.3f", near, far)
	if near <= far {
		t.Errorf("like texts are at %v, unlike texts at %v", near, far)
	}
}

func TestOllamaServerSpeaksTheOtherProtocol(t *testing.T) {
	s := realServer(t)
	chat := ask[struct {
		Choices []struct {
			Message struct{ Content string }
		}
		Usage struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
		}
	}](t, s, "/v1/chat/completions", map[string]any{"model": s.chat, "messages": user("Hello")})
	if len(chat.Choices) != 1 || chat.Usage.Prompt == 0 || chat.Usage.Completion == 0 {
		t.Errorf("%+v", chat)
	}
	embed := ask[struct {
		Data []struct{ Embedding []float64 }
	}](t, s, "/v1/embeddings", map[string]any{"model": s.embed, "input": []string{"one", "two"}})
	if len(embed.Data) != 2 || len(embed.Data[0].Embedding) != EmbedDimensions {
		t.Errorf("%+v", embed)
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
