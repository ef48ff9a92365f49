package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// embedders are the embedders at hand: the one that is wanted, those that were
// wanted before, and those that the options find for a model.
type embedders struct {
	find func(model string) llm.Embedder // may be nil

	mu      sync.Mutex // guards what follows
	wanted  llm.Embedder
	wish    int               // counts the embedders that were wanted
	said    int               // the last wish that is in the store
	spare   []llm.Embedder    // newest last
	failing map[string]outage // by model: those whose last call failed
}

// outage counts failures in a row.
type outage struct {
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

// of returns the embedder of a model, or nil if it is not at hand.
func (s *embedders) of(m store.Model) llm.Embedder {
	if m.IsZero() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted != nil && makes(s.wanted, m) {
		return s.wanted
	}
	for _, emb := range slices.Backward(s.spare) { // the newest first
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
	s.spare = append(s.spare, emb)
	return emb
}

// current returns the wanted embedder, which may be nil.
func (s *embedders) current() llm.Embedder {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wanted
}

// use makes emb the wanted embedder, whose wish is in the store already. The
// one before goes on answering for its vectors.
func (s *embedders) use(emb llm.Embedder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted != nil {
		own := modelOf(emb)
		s.spare = slices.DeleteFunc(append(s.spare, s.wanted), func(old llm.Embedder) bool { return makes(old, own) })
	}
	s.wanted = emb
	s.wish++
	s.said = s.wish
}

// unsaid returns the wanted embedder if the store does not know of it yet.
func (s *embedders) unsaid() (emb llm.Embedder, wish int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted == nil || s.said >= s.wish {
		return nil, 0
	}
	return s.wanted, s.wish
}

// nowSaid notes that a wish is in the store.
func (s *embedders) nowSaid(wish int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = max(s.said, wish)
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

// errOut is returned for an embedder that failed too often just now.
var errOut = errors.New("the embedder failed several times in a row and is left alone for a moment")

// errOtherLength is returned for an embedder whose vectors changed their length.
var errOtherLength = errors.New("the embedder makes vectors of another length than before")

// embed calls an embedder for somebody who waits: within the time limit of
// writes and reads, and not at all just after several failures.
func (e *Engine) embed(ctx context.Context, emb llm.Embedder, texts []string) ([][]float32, error) {
	if e.embedders.out(emb, e.opts.Now()) {
		return nil, &embedError{emb.Model(), errOut}
	}
	return e.embedWithin(ctx, e.opts.EmbedTimeout, emb, texts)
}

// embedWithin calls an embedder, one outside of this process within a time limit,
// and checks what it returns.
func (e *Engine) embedWithin(ctx context.Context, limit time.Duration, emb llm.Embedder, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	callCtx := ctx
	if _, ok := emb.(llm.InProcess); !ok { // which waits for nobody
		var cancel context.CancelFunc
		callCtx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	vectors, err := emb.Embed(callCtx, texts)
	if err == nil {
		err = checkVectors(vectors, len(texts), emb.Dimensions())
	}
	if ctx.Err() == nil { // a caller who gave up says nothing of the embedder
		e.embedders.note(emb, err != nil, e.opts.Now())
	}
	if err != nil {
		return nil, &embedError{emb.Model(), fmt.Errorf("%d texts: %w", len(texts), err)}
	}
	return vectors, nil
}

// embedError is the failure of an embedder.
type embedError struct {
	model string
	err   error
}

func (e *embedError) Error() string { return "embed with " + e.model + ": " + e.err.Error() }
func (e *embedError) Unwrap() error { return e.err }

// checkVectors reports what is wrong with the answer of an embedder.
func checkVectors(vectors [][]float32, texts, dim int) error {
	if len(vectors) != texts {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), texts)
	}
	for i, v := range vectors {
		if err := vector.Check(v, dim); err != nil {
			return fmt.Errorf("vector %d: %w", i, err)
		}
	}
	return nil
}
