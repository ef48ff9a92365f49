package engine

import (
	"context"
	"io"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// WordVectors are the vectors of words that a home has, and the built-in embedder
// that is made with them. Package internal/models/wordfile keeps them in files.
type WordVectors interface {
	BuiltinEmbedder
	// Words says which words are in use.
	Words() builtin.Words
	// Check is Words after a look at all of the file.
	Check(ctx context.Context) (builtin.Words, error)
	// Import takes in a file and has it used.
	Import(ctx context.Context, in io.Reader, progress func(seen int64)) error
	// Remove has the words of the program used, and reports whether others were.
	Remove() (bool, error)
}

// Words says which words the built-in embedder has.
func (e *Engine) Words() builtin.Words {
	if e.opts.Words == nil {
		return builtin.Words{}
	}
	return e.opts.Words.Words()
}

// ImportWords takes in a file of word vectors, which the built-in embedder has
// from then on in place of those it had. Vectors that it made are made anew in the
// background while the old ones serve. progress is called with the words seen.
//
// Errors: invalid for a bad file, which changes nothing, unsupported, read_only,
// full, canceled.
func (e *Engine) ImportWords(ctx context.Context, in io.Reader, progress func(seen int64)) error {
	if e.opts.Words == nil {
		return noWords("import word vectors")
	}
	if err := e.opts.Words.Import(ctx, in, progress); err != nil {
		return err
	}
	return e.models.FollowBuiltin(ctx)
}

// RemoveWords has the built-in embedder have the words of the program again. It
// reports whether it had others. What serves is changed as by ImportWords.
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
		Hint: "open it by package local"}
}

// wordProblems says what is wrong with the file of word vectors.
func (e *Engine) wordProblems(ctx context.Context) ([]store.Problem, error) {
	if e.opts.Words == nil {
		return nil, nil
	}
	w, err := e.opts.Words.Check(ctx)
	if err != nil || w.Problem == "" {
		return nil, err
	}
	return []store.Problem{{Kind: "word_vectors", Ref: w.Path, Repair: "strata embedder import FILE, or strata embedder remove",
		Detail: w.Problem + "; the words of the program are used in place of it"}}, nil
}
