package embedding

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/vector"
)

// errOut is returned for an embedder that failed too often just now.
var errOut = errors.New("the embedder failed several times in a row and is left alone for a moment")

// errOtherLength is returned for an embedder whose vectors changed their length.
var errOtherLength = errors.New("the embedder makes vectors of another length than before")

// embed calls an embedder for somebody who waits: within the time limit of
// writes and reads, and not at all just after several failures.
func (ms *Models) embed(ctx context.Context, emb llm.Embedder, texts []string) ([][]float32, error) {
	if ms.atHand.out(emb, ms.opts.Now()) {
		return nil, &Error{emb.Model(), errOut}
	}
	return ms.embedWithin(ctx, ms.opts.CallTimeout, emb, texts)
}

// embedWithin calls an embedder, one outside of this process within a time limit,
// and checks what it returns.
func (ms *Models) embedWithin(ctx context.Context, limit time.Duration, emb llm.Embedder, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	var vectors [][]float32
	var err error
	if _, ok := emb.(llm.InProcess); ok { // waits for nobody, and reads all
		vectors, err = call(ctx, emb, texts)
	} else {
		bounded, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		passages, owner := passagesOf(texts)
		if vectors, err = call(bounded, emb, passages); err == nil {
			vectors = meanOf(vectors, owner, len(texts))
		}
	}
	if ctx.Err() == nil { // a caller who gave up says nothing of the embedder
		ms.atHand.note(emb, err != nil, ms.opts.Now())
		ms.tell(ctx, emb, limit, err)
	}
	if err != nil {
		return nil, &Error{emb.Model(), fmt.Errorf("%d texts: %w", len(texts), err)}
	}
	return vectors, nil
}

// tell tells how a call went. One that waited for less than the background does tells
// nothing by its time running out: the model may have to be loaded first.
func (ms *Models) tell(ctx context.Context, emb llm.Embedder, limit time.Duration, err error) {
	_, here := emb.(llm.InProcess)
	if here || ms.opts.Outages == nil || limit < ms.opts.BatchTimeout && strata.CodeOf(err) == strata.CodeCanceled {
		return
	}
	ms.opts.Outages.Tell(ctx, emb.Model(), err)
}

// call calls an embedder and checks what it returns.
func call(ctx context.Context, emb llm.Embedder, texts []string) ([][]float32, error) {
	vectors, err := emb.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	return vectors, checkVectors(vectors, len(texts), emb.Dimensions())
}

// Error is the failure of an embedder that was called.
type Error struct {
	model string
	err   error
}

func (e *Error) Error() string { return "embed with " + e.model + ": " + e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

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
