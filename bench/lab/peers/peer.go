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
	// Add keeps texts.
	Add(ctx context.Context, texts []string) error
	// Recall answers a question with up to limit texts, best first, the whole
	// way from its text.
	Recall(ctx context.Context, question string) ([]string, error)
	Close() error
}

// nearester finds the nearest vectors alone.
type nearester interface {
	Nearest(ctx context.Context, v []float32) ([]string, error)
}

// worder searches by words alone.
type worder interface {
	Words(ctx context.Context, question string) ([]string, error)
}

// keeper is a peer on disk, which may have been filled by an earlier run.
type keeper interface {
	// Kept is how many texts it holds.
	Kept(ctx context.Context) (int, error)
}

// missing is the number of the first statement that a peer lacks of so many.
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

// place is a directory that a peer's files are in.
type place struct {
	dir  string
	gone bool // when the peer is closed
}

// newPlace returns the place of a peer in a directory where it is kept, or in one that
// is removed after the run if there is none.
func newPlace(keep, name string) (place, error) {
	if keep == "" {
		dir, err := os.MkdirTemp("", "peers-"+name+"-")
		return place{dir, true}, err
	}
	dir := filepath.Join(keep, name)
	return place{dir, false}, os.MkdirAll(dir, 0o700)
}

// close removes what is not kept.
func (p place) close() error {
	if !p.gone {
		return nil
	}
	return os.RemoveAll(p.dir)
}

// fill gives the statements from one number to another to a peer, in batches,
// and says how it goes.
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

// nearest is a lookup by vectors alone for the questions of statements, which
// are embedded before.
func nearest(ctx context.Context, p nearester, statements []bench.Asked) (lookup, error) {
	embedded, err := embedAll(ctx, statements)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, question string) ([]string, error) {
		return p.Nearest(ctx, embedded[question])
	}, nil
}
