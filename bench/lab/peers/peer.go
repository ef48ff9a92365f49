package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/strata-memory/strata/bench"
)

// addBatch is how many texts are given to a peer at once.
const addBatch = 1000

// peer is a memory or an index that takes texts and finds them again. Methods
// are called by one goroutine.
type peer interface {
	Name() string
	// Add stores texts.
	Add(ctx context.Context, texts []string) error
	// Recall answers a question with up to limit texts, best first. It includes
	// everything, from the question's text on.
	Recall(ctx context.Context, question string) ([]string, error)
	Close() error
}

// nearester is a peer that can find the nearest vectors alone.
type nearester interface {
	Nearest(ctx context.Context, v []float32) ([]string, error)
}

// worder is a peer that can search by words alone.
type worder interface {
	Words(ctx context.Context, question string) ([]string, error)
}

// keeper is a peer on disk, which may have been filled by an earlier run.
type keeper interface {
	// Kept returns how many texts it holds.
	Kept(ctx context.Context) (int, error)
}

// missing returns the number of the first of the facts that a peer lacks.
func missing(ctx context.Context, p peer, facts int) (int, error) {
	k, ok := p.(keeper)
	if !ok {
		return 0, nil
	}
	n, err := k.Kept(ctx)
	if err == nil && n > facts {
		return 0, fmt.Errorf("%d facts are kept, and %d are to be measured: choose another directory", n, facts)
	}
	return n, err
}

// place is the directory of a peer's files.
type place struct {
	dir  string
	gone bool // removed when the peer is closed
}

// newPlace returns the place of a peer below keep, or a temporary one if keep is empty.
func newPlace(keep, name string) (place, error) {
	if keep == "" {
		dir, err := os.MkdirTemp("", "peers-"+name+"-")
		return place{dir, true}, err
	}
	dir := filepath.Join(keep, name)
	return place{dir, false}, os.MkdirAll(dir, 0o700)
}

// close removes the directory if it is temporary.
func (p place) close() error {
	if !p.gone {
		return nil
	}
	return os.RemoveAll(p.dir)
}

// fill gives a peer the statements in [from, to), by number from 0, in
// batches, and reports progress.
func fill(ctx context.Context, p peer, from, to int, stderr io.Writer) error {
	if from == to {
		return nil
	}
	begin, told, n := time.Now(), from, 0
	var texts []string
	for s := range bench.Statements(seed) {
		if n++; n <= from {
			continue
		}
		texts = append(texts, s.Text)
		if len(texts) < addBatch && n < to {
			continue
		}
		if err := p.Add(ctx, texts); err != nil {
			return fmt.Errorf("add texts %d to %d: %w", n-len(texts)+1, n, err)
		}
		texts = texts[:0]
		if n-told >= max((to-from)/5, addBatch) && n < to {
			fmt.Fprintf(stderr, "%s: %d of %d facts\n", p.Name(), n, to)
			told = n
		}
		if n == to {
			break
		}
	}
	fmt.Fprintf(stderr, "%s: %d facts, %.0f a second\n", p.Name(), to, float64(to-from)/time.Since(begin).Seconds())
	return nil
}

// nearest returns a lookup by vectors alone. It embeds the questions for the statements
// beforehand.
func nearest(ctx context.Context, p nearester, statements []bench.Asked) (lookup, error) {
	embedded, err := embedAll(ctx, statements)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, question string) ([]string, error) {
		return p.Nearest(ctx, embedded[question])
	}, nil
}
