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

// errPaused is the error of an embedder that has just failed too many times in a row.
var errPaused = errors.New("the embedder failed several times in a row and is left alone for a moment")

// errOtherLength is the error of an embedder whose vectors changed their length.
var errOtherLength = errors.New("the embedder makes vectors of another length than before")

// embed calls an embedder for a caller that waits: within CallTimeout, and not at all
// just after several failures.
func (ms *Models) embed(ctx context.Context, emb llm.Embedder, texts []string) ([][]float32, error) {
	if ms.atHand.paused(emb, ms.opts.Now()) {
		return nil, &Error{emb.Model(), errPaused}
	}
	return ms.embedWithin(ctx, ms.opts.CallTimeout, emb, texts)
}

// embedWithin calls an embedder and checks its result. The time limit applies to
// embedders outside of this process.
func (ms *Models) embedWithin(ctx context.Context, limit time.Duration, emb llm.Embedder, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	var vectors [][]float32
	var err error
	if _, ok := emb.(llm.InProcess); ok { // needs no server and reads texts of any length
		vectors, err = call(ctx, emb, texts)
	} else {
		bounded, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		passages, owner := passagesOf(texts)
		if vectors, err = call(bounded, emb, passages); err == nil {
			vectors = meanOf(vectors, owner, len(texts))
		}
	}
	if ctx.Err() == nil { // a call that the caller gave up says nothing about the embedder
		ms.atHand.note(emb, err != nil, ms.opts.Now())
		ms.tell(ctx, emb, limit, err)
	}
	if err != nil {
		return nil, &Error{emb.Model(), fmt.Errorf("%d texts: %w", len(texts), err)}
	}
	return vectors, nil
}

// tell reports the outcome of a call to Outages. It ignores a timeout of a call with less
// time than background calls have, since the model may have had to be loaded first.
func (ms *Models) tell(ctx context.Context, emb llm.Embedder, limit time.Duration, err error) {
	_, here := emb.(llm.InProcess)
	if here || ms.opts.Outages == nil || limit < ms.opts.BatchTimeout && strata.CodeOf(err) == strata.CodeCanceled {
		return
	}
	ms.opts.Outages.Tell(ctx, emb.Model(), err)
}

// call calls an embedder and checks its result.
func call(ctx context.Context, emb llm.Embedder, texts []string) ([][]float32, error) {
	vectors, err := emb.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	return vectors, checkVectors(vectors, len(texts), emb.Dimensions())
}

// Error is the error of a failed call to an embedder.
type Error struct {
	model string
	err   error
}

func (e *Error) Error() string { return "embed with " + e.model + ": " + e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

// checkVectors returns an error if the vectors are not a valid result for so many texts.
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
