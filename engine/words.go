package engine

import (
	"context"
	"io"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// WordVectors are the word vectors of a home and the built-in embedder that uses them.
// Package internal/models/wordfile keeps them in files.
type WordVectors interface {
	BuiltinEmbedder
	// Words describes the word vectors in use.
	Words() builtin.Words
	// Check is Words after reading the whole file.
	Check(ctx context.Context) (builtin.Words, error)
	// Import replaces the word vectors with those read from in.
	Import(ctx context.Context, in io.Reader, progress func(seen int64)) error
	// Remove returns to the word vectors of the program, and reports whether others were
	// in use.
	Remove() (bool, error)
}

// Words describes the word vectors of the built-in embedder.
func (e *Engine) Words() builtin.Words {
	if e.opts.Words == nil {
		return builtin.Words{}
	}
	return e.opts.Words.Words()
}

// ImportWords reads a file of word vectors, which replace those of the built-in embedder.
// Its embeddings are made again in the background while the old ones serve. progress is
// called with the number of words read.
func (e *Engine) ImportWords(ctx context.Context, in io.Reader, progress func(seen int64)) error {
	if e.opts.Words == nil {
		return noWords("import word vectors")
	}
	if err := e.opts.Words.Import(ctx, in, progress); err != nil {
		return err
	}
	return e.models.FollowBuiltin(ctx)
}

// RemoveWords returns the built-in embedder to the word vectors of the program, and
// reports whether it had others. Its embeddings are made again as after
// [Engine.ImportWords].
func (e *Engine) RemoveWords(ctx context.Context) (bool, error) {
	if e.opts.Words == nil {
		return false, noWords("remove word vectors")
	}
	removed, err := e.opts.Words.Remove()
	if err != nil {
		return false, err
	}
	return removed, e.models.FollowBuiltin(ctx)
}

func noWords(op string) error {
	return &strata.Error{Code: strata.CodeUnsupported, Op: op, Message: "this memory keeps no word vectors of its own",
		Hint: "open it with package local"}
}

// wordProblems returns what is wrong with the file of word vectors.
func (e *Engine) wordProblems(ctx context.Context) ([]store.Problem, error) {
	if e.opts.Words == nil {
		return nil, nil
	}
	w, err := e.opts.Words.Check(ctx)
	if err != nil || w.Problem == "" {
		return nil, err
	}
	return []store.Problem{{Kind: "word_vectors", Ref: w.Path, Repair: "strata embedder import FILE, or strata embedder remove",
		Detail: w.Problem + "; the program's own words are used instead"}}, nil
}
