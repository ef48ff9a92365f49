package engine_test

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// meanings are words that mean the same. Only vectors know.
var meanings = [][]string{
	{"feline", "cat"}, {"automobile", "car"}, {"physician", "doctor"}, {"residence", "home"}, {"beverage", "drink"},
	{"infant", "baby"}, {"jog", "run"}, {"timber", "wood"}, {"vessel", "ship"}, {"dwelling", "cottage"},
}

// scripted is an embedder whose script a test writes. Two words of one meaning
// have one vector, in a space of the model's own: every model puts its mark,
// by which its vectors can be told, into the last dimension.
type scripted struct {
	name string
	dim  int
	mark float32

	calls, texts atomic.Int64
	// gate, where it is not nil, lets one batch of texts through for each value. A batch
	// that waits there can be seen on arrived.
	gate, arrived chan struct{}

	mu     sync.Mutex
	script func(texts []string) error // decides whether a call fails
	seen   map[string]int             // how often each text was embedded
}

func newScripted(name string, dim int, mark float32) *scripted {
	return &scripted{name: name, dim: dim, mark: mark, seen: make(map[string]int), arrived: make(chan struct{})}
}

func (s *scripted) Model() string   { return s.name }
func (s *scripted) Dimensions() int { return s.dim }

// fail sets what decides whether a call fails; nil: none does.
func (s *scripted) fail(script func(texts []string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
}

var errScripted = errors.New("connection refused")

// down fails every call.
func down([]string) error { return errScripted }

func (s *scripted) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if isProbe(texts) {
		return [][]float32{s.vector(texts[0])}, nil
	}
	s.calls.Add(1)
	if s.gate != nil && len(texts) > 1 {
		if err := s.wait(ctx); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.script != nil {
		if err := s.script(texts); err != nil {
			return nil, err
		}
	}
	s.texts.Add(int64(len(texts)))
	out := make([][]float32, len(texts))
	for i, t := range texts {
		s.seen[t]++
		out[i] = s.vector(t)
	}
	return out, nil
}

// wait waits until the gate lets a batch through.
func (s *scripted) wait(ctx context.Context) error {
	arrived := s.arrived
	for {
		select {
		case arrived <- struct{}{}:
			arrived = nil // it is seen once
		case <-s.gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// oneBatch lets one batch through and returns when its vectors are stored, as the next
// batch waits.
func (s *scripted) oneBatch() {
	s.gate <- struct{}{}
	<-s.arrived
}

// vector has a dimension for each meaning, which weighs most, and one for each
// other word that may be shared.
func (s *scripted) vector(t string) []float32 {
	v := make([]float32, s.dim)
	for _, w := range text.Words(strings.ToLower(t)) {
		if i := slices.IndexFunc(meanings, func(m []string) bool { return w == m[0] || w == m[1] }); i >= 0 {
			v[(i+len(s.name))%len(meanings)] = 4
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(s.name + w))
		v[len(meanings)+int(h.Sum64()%uint64(s.dim-len(meanings)-1))] = 1
	}
	v[s.dim-1] = s.mark
	return v
}

// among returns a function that finds embedders by name.
func among(list ...*scripted) func(string) llm.Embedder {
	return func(model string) llm.Embedder {
		for _, s := range list {
			if s.name == model {
				return s
			}
		}
		return nil
	}
}

// with opens an engine with an embedder and others that may answer for their
// vectors.
func with(wanted llm.Embedder, others ...*scripted) func(*engine.Options) {
	return func(o *engine.Options) { o.Embedder, o.Embedders = wanted, among(others...) }
}

// marked is a store that fails the test where a vector passes for one of
// another model. Marks are told by their sign.
type marked struct {
	store.Store
	t     *testing.T
	marks map[string]float32 // of each model
}

func (m *marked) check(model string, v []float32) {
	if model == builtin.Model && len(v) == builtin.Dimensions { // kept in addition, and not marked
		return
	}
	if len(v) > 0 && m.marks[model]*v[len(v)-1] <= 0 {
		m.t.Errorf("a vector marked %v passes for one of %s", v[len(v)-1], model)
	}
}

func (m *marked) View(ctx context.Context, fn func(store.Reader) error) error {
	return m.Store.View(ctx, func(r store.Reader) error { return fn(markedReader{r, m}) })
}

func (m *marked) Update(ctx context.Context, fn func(store.Writer) error) error {
	return m.Store.Update(ctx, func(w store.Writer) error { return fn(markedWriter{w, m}) })
}

type markedReader struct {
	store.Reader
	m *marked
}

func (r markedReader) Nearest(ctx context.Context, scope strata.Scope, model string, v []float32, parents []int64, f store.Filter, k int) ([]store.Near, error) {
	r.m.check(model, v)
	return r.Reader.Nearest(ctx, scope, model, v, parents, f, k)
}

func (r markedReader) NearestParents(ctx context.Context, scope strata.Scope, model string, v []float32, kind strata.Kind, f store.Filter, k int) ([]store.Near, error) {
	r.m.check(model, v)
	return r.Reader.NearestParents(ctx, scope, model, v, kind, f, k)
}

func (r markedReader) Similarities(ctx context.Context, scope strata.Scope, model string, v []float32, numbers []int64) ([]float32, error) {
	r.m.check(model, v)
	return r.Reader.Similarities(ctx, scope, model, v, numbers)
}

type markedWriter struct {
	store.Writer
	m *marked
}

func (w markedWriter) Nearest(ctx context.Context, scope strata.Scope, model string, v []float32, parents []int64, f store.Filter, k int) ([]store.Near, error) {
	return markedReader{w.Writer, w.m}.Nearest(ctx, scope, model, v, parents, f, k)
}

func (w markedWriter) PutPassage(ctx context.Context, p store.Passage) error {
	w.m.check(p.Model, p.Vector)
	return w.Writer.PutPassage(ctx, p)
}

func (w markedWriter) PutVector(ctx context.Context, number int64, model string, v []float32) error {
	w.m.check(model, v)
	return w.Writer.PutVector(ctx, number, model, v)
}

// isProbe reports whether memory only looks whether an embedder makes what it says, once
// for a model that it does not know yet.
func isProbe(texts []string) bool { return len(texts) == 1 && texts[0] == "How long is this vector?" }
