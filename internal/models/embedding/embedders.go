package embedding

import (
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// embedders holds the available embedders: the wanted one, those that were wanted before,
// and those that Options.Find returned.
type embedders struct {
	find func(model string) llm.Embedder // may be nil

	mu       sync.Mutex // guards the fields below
	wanted   llm.Embedder
	counted  int              // number of embedders wanted so far
	recorded int              // the number of the last one recorded in the store
	closing  []llm.Embedder   // newest last
	failing  map[string]pause // embedders whose last call failed, by model
}

// pause counts consecutive failures.
type pause struct {
	failures int
	until    time.Time // no caller waits for the embedder before this time
}

const (
	// outageAfter is how many consecutive calls of writes and reads must fail before the
	// next ones skip the embedder, and outageFor how long they skip it.
	outageAfter = 3
	outageFor   = 5 * time.Second
)

// modelOf returns the model of an embedder. Its Dim is 0 until the embedder knows the
// length of its vectors.
func modelOf(emb llm.Embedder) store.Model {
	return store.Model{Name: emb.Model(), Dim: emb.Dimensions()}
}

// makes reports whether an embedder makes vectors of a model, as far as it says.
func makes(emb llm.Embedder, m store.Model) bool {
	own := modelOf(emb)
	return !m.IsZero() && own.Name == m.Name && (own.Dim == m.Dim || own.Dim == 0)
}

// of returns the embedder of a model, or nil if it is not available.
func (s *embedders) of(m store.Model) llm.Embedder {
	if m.IsZero() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted != nil && makes(s.wanted, m) {
		return s.wanted
	}
	for _, emb := range slices.Backward(s.closing) { // the newest first
		if makes(emb, m) {
			return emb
		}
	}
	if s.find == nil {
		return nil
	}
	emb := s.find(m.Name)
	if emb == nil || !makes(emb, m) {
		return nil
	}
	s.closing = append(s.closing, emb)
	return emb
}

// current returns the wanted embedder, which may be nil.
func (s *embedders) current() llm.Embedder {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wanted
}

// use makes emb the wanted embedder; the store must already know of it. The previous one
// continues to answer for its own vectors.
func (s *embedders) use(emb llm.Embedder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted != nil {
		own := modelOf(emb)
		s.closing = slices.DeleteFunc(append(s.closing, s.wanted), func(old llm.Embedder) bool { return makes(old, own) })
	}
	s.wanted = emb
	s.counted++
	s.recorded = s.counted
}

// unrecorded returns the wanted embedder and its number if the store does not know of it
// yet, and nil and 0 otherwise.
func (s *embedders) unrecorded() (emb llm.Embedder, number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted == nil || s.recorded >= s.counted {
		return nil, 0
	}
	return s.wanted, s.counted
}

// nowRecorded notes that the store knows of the wanted embedder with this number.
func (s *embedders) nowRecorded(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recorded = max(s.recorded, number)
}

// paused reports whether an embedder failed so many times that no caller should wait for
// it.
func (s *embedders) paused(emb llm.Embedder, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return now.Before(s.failing[emb.Model()].until)
}

// note counts a failed call, or clears the count after a successful one.
func (s *embedders) note(emb llm.Embedder, failed bool, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !failed {
		delete(s.failing, emb.Model())
		return
	}
	o := s.failing[emb.Model()]
	if o.failures++; o.failures >= outageAfter {
		o.until = now.Add(outageFor)
	}
	s.failing[emb.Model()] = o
}
