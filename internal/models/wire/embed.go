package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// EmbedderConfig describes an embedding model of a server.
type EmbedderConfig struct {
	// Name is what Model returns. It tells the vectors of different models apart.
	Name string
	// Dimensions is the expected length of the vectors; 0 means that of the first answer.
	Dimensions int
	// Post sends one request and returns a vector for each text, in order, as
	// the server wrote them: JSON arrays of numbers.
	Post func(ctx context.Context, texts []string) ([]json.RawMessage, error)
}

// Embedder returns an embedder that sends batches under the server's guard, checks the
// answers, and normalizes the vectors to unit length.
func (s *Server) Embedder(c EmbedderConfig) llm.Embedder {
	inner := &batchEmbedder{server: s, c: c}
	inner.dims.Store(int64(c.Dimensions))
	return &embedder{inner: inner, guarded: llm.GuardEmbedder(inner, s.guard), batch: s.batch}
}

// embedder is the outer layer. It splits texts into batches.
type embedder struct {
	inner   *batchEmbedder
	guarded llm.Embedder
	batch   int
}

func (e *embedder) Model() string { return e.inner.c.Name }

// Dimensions returns 0 until the first answer, unless the configuration gives the length.
func (e *embedder) Dimensions() int { return e.inner.Dimensions() }

// Embed sends the texts that are not blank. A blank text gets the zero vector, because
// servers refuse it. A text longer than the model's context is represented by its
// beginning.
func (e *embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var full []int // positions of the texts that are not blank
	for i, text := range texts {
		if strings.TrimSpace(text) != "" {
			full = append(full, i)
		}
	}
	for len(full) > 0 {
		n := min(e.batch, len(full))
		batch := make([]string, n)
		for i, at := range full[:n] {
			batch[i] = texts[at]
		}
		vectors, err := e.batchOf(ctx, batch)
		if err != nil {
			return nil, err
		}
		for i, at := range full[:n] {
			out[at] = vectors[i]
		}
		full = full[n:]
	}
	return out, e.fillBlanks(ctx, out)
}

// batchOf embeds texts in one request. If that is too large for the server, batchOf sends
// the texts one by one, and halves a text that is too long alone until the server accepts
// it.
func (e *embedder) batchOf(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := e.guarded.Embed(ctx, texts)
	if strata.CodeOf(err) != strata.CodeTooLarge {
		return vectors, err
	}
	if len(texts) == 1 {
		half := beginning(texts[0])
		if half == "" {
			return nil, err
		}
		return e.batchOf(ctx, []string{half})
	}
	vectors = make([][]float32, len(texts))
	for i, text := range texts {
		one, err := e.batchOf(ctx, []string{text})
		if err != nil {
			return nil, err
		}
		vectors[i] = one[0]
	}
	return vectors, nil
}

// beginning returns the first half of text, in whole runes. It returns "" if that is so
// short that length cannot be the problem.
func beginning(text string) string {
	const least = 64 // bytes
	cut := len(text) / 2
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	if cut < least || strings.TrimSpace(text[:cut]) == "" {
		return ""
	}
	return text[:cut]
}

// fillBlanks sets the missing vectors of out to zero vectors. If the length of the
// vectors is not known yet, it has the model make one.
func (e *embedder) fillBlanks(ctx context.Context, out [][]float32) error {
	for i := range out {
		if out[i] != nil {
			continue
		}
		if e.Dimensions() == 0 {
			if _, err := e.batchOf(ctx, []string{"blank"}); err != nil {
				return err
			}
		}
		out[i] = make([]float32, e.Dimensions())
	}
	return nil
}

// batchEmbedder makes one request and checks the answer, so that the guard counts a
// nonsensical answer as a failure.
type batchEmbedder struct {
	server *Server
	c      EmbedderConfig
	dims   atomic.Int64
}

func (b *batchEmbedder) Model() string   { return b.c.Name }
func (b *batchEmbedder) Dimensions() int { return int(b.dims.Load()) }

func (b *batchEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	const op = "embed"
	raw, err := b.c.Post(ctx, texts)
	if err != nil {
		return nil, b.server.Explain(op, b.c.Name, err)
	}
	if len(raw) != len(texts) {
		return nil, b.server.Corrupt(op, fmt.Sprintf("%d vectors for %d texts", len(raw), len(texts)), nil)
	}
	vectors := make([][]float32, len(raw))
	for i := range raw {
		if vectors[i], err = ParseVector(raw[i]); err != nil {
			return nil, b.server.Corrupt(op, "vector "+fmt.Sprint(i), err)
		}
		b.dims.CompareAndSwap(0, int64(len(vectors[i])))
		if len(vectors[i]) != b.Dimensions() {
			return nil, b.server.Corrupt(op, fmt.Sprintf("a vector of %d dimensions from a model of %d", len(vectors[i]), b.Dimensions()), nil)
		}
	}
	return vectors, nil
}

// ParseVector parses a JSON array of numbers and normalizes it to unit length. It leaves
// a vector of zeros as it is. null, which servers write for NaN, is an error.
func ParseVector(raw json.RawMessage) ([]float32, error) {
	if bytes.Contains(raw, []byte("null")) {
		return nil, errors.New("it holds null")
	}
	var v []float32
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	if len(v) == 0 {
		return nil, errors.New("it is empty")
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return v, nil
	}
	norm := math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) / norm)
	}
	return v, nil
}
