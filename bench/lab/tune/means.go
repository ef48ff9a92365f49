package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/llm"
)

// means stands in for a weak but real model: its vector of a text is the plain mean of
// trained word vectors, including those of stop words.
type means struct {
	dim   int
	words map[string][]float32
}

// readMeans reads word vectors in GloVe's text format.
func readMeans(path string) (*means, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := &means{words: make(map[string][]float32)}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := bytes.Fields(lines.Bytes())
		if len(fields) < 2 {
			continue
		}
		v := make([]float32, len(fields)-1)
		for i, field := range fields[1:] {
			x, err := strconv.ParseFloat(string(field), 32)
			if err != nil {
				return nil, fmt.Errorf("read the vector of %q: %w", fields[0], err)
			}
			v[i] = float32(x)
		}
		m.dim = len(v)
		m.words[string(fields[0])] = v
	}
	return m, nil
}

func (m *means) Model() string   { return "scripted/means" }
func (m *means) Dimensions() int { return m.dim }
func (m *means) InProcess()      {}

// Embed returns the mean of the word vectors of each text.
func (m *means) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = make([]float32, m.dim)
		for _, w := range text.Words(t) {
			for j, x := range m.words[w] {
				out[i][j] += x
			}
		}
		unit(out[i])
	}
	return out, nil
}

// opposed stands in for a deliberately wrong model: whatever another model places near a
// question, it places far from it.
type opposed struct {
	llm.Embedder
	asked map[string]bool
}

func newOpposed(by llm.Embedder, c bench.Collection) *opposed {
	o := &opposed{by, make(map[string]bool)}
	for _, q := range c.Queries {
		o.asked[q.Text] = true
	}
	return o
}

func (o *opposed) Model() string { return "scripted/opposed" }
func (o *opposed) InProcess()    {}

// Embed returns the vectors of the other model, with those of questions negated.
func (o *opposed) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := o.Embedder.Embed(ctx, texts)
	for i := range out {
		if o.asked[texts[i]] {
			for j := range out[i] {
				out[i][j] = -out[i][j]
			}
		}
	}
	return out, err
}
