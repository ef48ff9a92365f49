package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/strata-memory/strata/llm/builtin"
)

// embedServer serves OpenAI's embeddings call on loopback with vectors of Strata's
// built-in embedder, so that a peer that needs a server gets the same vectors.
type embedServer struct {
	server *http.Server
	url    string
	done   chan error
}

func startEmbedServer() (*embedServer, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("POST /v1/embeddings", embeddings(builtin.New()))
	s := &embedServer{
		server: &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second},
		url:    "http://" + l.Addr().String() + "/v1",
		done:   make(chan error, 1),
	}
	go func() { s.done <- s.server.Serve(l) }()
	return s, nil
}

// Close stops the server and waits for it.
func (s *embedServer) Close() error {
	err := s.server.Close()
	if served := <-s.done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// embedding is one vector of an answer.
type embedding struct {
	Object    string    `json:"object"`
	Index     int       `json:"index"`
	Embedding []float32 `json:"embedding"`
}

func embeddings(e *builtin.Embedder) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Input json.RawMessage `json:"input"` // a text or a list of texts
		}
		texts := []string{""}
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<20)).Decode(&in)
		if err == nil && json.Unmarshal(in.Input, &texts[0]) != nil {
			err = json.Unmarshal(in.Input, &texts)
		}
		if err != nil {
			http.Error(w, `{"error":{"message":"input is no text and no list of texts"}}`, http.StatusBadRequest)
			return
		}
		out, err := answerEmbeddings(r.Context(), e, texts)
		if err != nil {
			http.Error(w, `{"error":{"message":"not embedded"}}`, http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(out) // an error means that the client is gone
	}
}

func answerEmbeddings(ctx context.Context, e *builtin.Embedder, texts []string) ([]byte, error) {
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	data := make([]embedding, len(vectors))
	for i, v := range vectors {
		data[i] = embedding{"embedding", i, v}
	}
	return json.Marshal(map[string]any{
		"object": "list", "model": e.Model(), "data": data, "usage": map[string]int{"prompt_tokens": 0, "total_tokens": 0},
	})
}
