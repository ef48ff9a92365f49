package main

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/concept"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/recall"
)

// beside is how much of the turns next to a turn goes into its vector, and
// likeness how much of the words that mean the same as one of its own.
const (
	beside   = 0.5
	likeness = 0.5
)

// contextual stands in for a good model: its vectors are made of the stems of
// a text, each as rare as it is in the collection, of words that mean the same,
// and of the turns before and after, which no text tells by itself.
type contextual struct {
	dims      int
	frequency map[string]float64
	documents float64
	neighbors map[string][]string // by what is indexed of a turn
}

func newContextual(dims int, c bench.Collection) *contextual {
	e := &contextual{dims: dims, frequency: make(map[string]float64), neighbors: make(map[string][]string)}
	var before bench.Document
	var last string
	for _, d := range c.Documents {
		said := recall.TurnText(strata.Turn{Speaker: d.Speaker, Text: d.Text, At: d.At})
		if d.Session != "" && d.Session == before.Session && d.Scope == before.Scope {
			e.neighbors[said] = append(e.neighbors[said], last)
			e.neighbors[last] = append(e.neighbors[last], said)
		}
		before, last = d, said
		seen := make(map[string]bool)
		for _, t := range text.Analyze(said) {
			if !seen[t.Term] {
				seen[t.Term] = true
				e.frequency[t.Term]++
			}
		}
		e.documents++
	}
	return e
}

func (e *contextual) Model() string   { return "scripted/context" }
func (e *contextual) Dimensions() int { return e.dims }
func (e *contextual) InProcess()      {}

func (e *contextual) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, s := range texts {
		out[i] = make([]float32, e.dims)
		e.add(out[i], s, 1)
		for _, n := range e.neighbors[s] {
			e.add(out[i], n, beside)
		}
		unit(out[i])
	}
	return out, nil
}

// add adds the stems of a text and what means the same to a vector.
func (e *contextual) add(v []float32, s string, weight float64) {
	stem := func(term string, weight float64) {
		h := fnv.New64a()
		h.Write([]byte(term))
		r := rand.New(rand.NewPCG(h.Sum64(), 2))
		rare := weight * math.Log1p(e.documents/(1+e.frequency[term]))
		for i := range v {
			v[i] += float32(rare * r.NormFloat64())
		}
	}
	seen := make(map[string]bool)
	for _, t := range text.Analyze(s) {
		if t.Stop || seen[t.Term] {
			continue
		}
		seen[t.Term] = true
		stem(t.Term, weight)
		for _, same := range concept.KinOf(t.Term).Same {
			stem(same, weight*likeness)
		}
	}
}
