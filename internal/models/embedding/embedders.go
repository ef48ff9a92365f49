package embedding

import (
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// embedders are the available embedders: the one that is wanted, those that were
// wanted before, and those that the options find for a model.
type embedders struct {
	find func(model string) llm.Embedder // may be nil

	mu       sync.Mutex // guards what follows
	wanted   llm.Embedder
	counted  int              // counts the embedders that were wanted
	recorded int              // the last of them that the store knows of
	closing  []llm.Embedder   // newest last
	failing  map[string]pause // by model: those whose last call failed
}

// pause counts failures in a row.
type pause struct {
	failures int
	until    time.Time // until then nobody waits for the embedder
}

const (
	// outageAfter is how many calls of writes and reads fail in a row before
	// the next ones do without, and outageFor for how long.
	outageAfter = 3
	outageFor   = 5 * time.Second
)

// modelOf is the model an embedder makes vectors of. Its Dim is 0 as long as
// the embedder has not said how long they are.
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

// use makes emb the wanted embedder, which the store knows of already. The
// one before continues answering for its vectors.
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

// unrecorded returns the wanted embedder, and its number, if the store does not
// know of it yet.
func (s *embedders) unrecorded() (emb llm.Embedder, number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted == nil || s.recorded >= s.counted {
		return nil, 0
	}
	return s.wanted, s.counted
}

// nowRecorded notes that the store knows of a wanted embedder.
func (s *embedders) nowRecorded(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recorded = max(s.recorded, number)
}

// out reports whether an embedder failed so often that nobody should wait.
func (s *embedders) out(emb llm.Embedder, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return now.Before(s.failing[emb.Model()].until)
}

// note counts a call that failed, or forgets the failures after one that did not.
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
