package server

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// told is an embedder that tells what it was given.
type told struct {
	llm.Embedder
	texts chan string
}

func (t told) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	for _, text := range texts {
		select {
		case t.texts <- text:
		default: // nobody listens any more
		}
	}
	return t.Embedder.Embed(ctx, texts)
}

// A server that begins asks what was asked last again, and records nothing of it.
func TestTheLastQuestionsAreAskedAhead(t *testing.T) {
	embedder := told{embedder(), make(chan string, 100)}
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := engine.Open(t.Context(), st, &engine.Options{Embedder: embedder})
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	view := strata.View{Scopes: []strata.Scope{strata.Global()}}
	questions := []string{"Where does the ferry leave?", "Who feeds the cat?"}
	for _, q := range questions {
		if _, err := memory.Recall(t.Context(), view, q); err != nil {
			t.Fatal(err)
		}
	}
	before, err := memory.Traces(t.Context(), view, store.TraceFilter{})
	if err != nil || len(before) != len(questions) {
		t.Fatalf("%d questions are recorded, %v", len(before), err)
	}
	for len(embedder.texts) > 0 {
		<-embedder.texts
	}

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- New(Options{Env: operation.Env{Engine: memory}}).Serve(ctx) }()
	again := []string{<-embedder.texts, <-embedder.texts}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	slices.Reverse(again) // the last one comes first
	if !slices.Equal(again, questions) {
		t.Errorf("asked again: %q", again)
	}
	after, err := memory.Traces(t.Context(), view, store.TraceFilter{})
	if err != nil || len(after) != len(before) {
		t.Errorf("%d questions are recorded afterwards, %v", len(after), err)
	}
}
