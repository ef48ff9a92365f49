package nearest

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/vector"
)

// Tables reads and writes the rows of one head, for one change of its codes, in one
// transaction.
type Tables interface {
	// Center returns the center that the codes of the head are relative to, or nil
	// before the first block.
	Center(ctx context.Context, head int64) ([]byte, error)
	SetCenter(ctx context.Context, center []byte) error
	// SetHead stores the counts and change numbers of the head.
	SetHead(ctx context.Context, h Head) error
	// NextChange returns a change number greater than any returned before.
	NextChange(ctx context.Context) (int64, error)

	// AddPending makes passages pending. Their vectors are already stored.
	AddPending(ctx context.Context, numbers []int64) error
	// OldestPending calls fn with up to limit pending passages, by number, and their
	// vectors, encoded by [vector.Encode].
	OldestPending(ctx context.Context, limit int, fn func(number int64, v []byte) error) error
	// RemovePending makes a passage no longer pending and reports whether it was.
	RemovePending(ctx context.Context, number int64) (bool, error)

	// AddBlock stores a block. Its passages are no longer pending.
	AddBlock(ctx context.Context, change int64, b Block) error
	// FindBlock returns the block that holds the code of a passage.
	FindBlock(ctx context.Context, number int64) (Block, error)
	// SetBlock stores a changed block.
	SetBlock(ctx context.Context, change int64, b Block) error
	// RemoveBlock removes a block.
	RemoveBlock(ctx context.Context, id int64) error
	// Reset removes all blocks and the center and makes every passage with a stored
	// vector pending. It returns how many are pending.
	Reset(ctx context.Context) (pending int64, err error)
}

// Writer changes the codes of one head.
type Writer struct {
	Head
	Dim   int           // of the vectors
	coder *vector.Coder // nil until it is needed
}

// rebuiltBlocks is how many blocks one change makes at most, besides those of its
// own vectors. It bounds how long a save takes that finds damaged codes; later saves
// continue the work.
const rebuiltBlocks = 64

// Add makes passages whose vectors are stored known to searches. It makes them
// pending, and packs the oldest pending ones into blocks when there are enough. If
// the codes are damaged, it rebuilds them first.
func (x *Index) Add(ctx context.Context, t Tables, w *Writer, numbers []int64) error {
	if len(numbers) == 0 {
		return nil
	}
	if w.Coded > 0 {
		if err := w.open(ctx, t); strata.CodeOf(err) == strata.CodeCorrupt {
			x.noteDamage(w.ID)
		} else if err != nil {
			return err
		}
	}
	if x.isDamaged(w.ID) {
		if err := x.rebuild(ctx, t, w); err != nil {
			return err
		}
	} else {
		if err := t.AddPending(ctx, numbers); err != nil {
			return err
		}
		w.Pending += int64(len(numbers))
	}
	for range rebuiltBlocks + len(numbers)/BlockCodes {
		if w.Coded+w.Pending < CodeFrom || w.Pending < BlockCodes {
			break
		}
		if err := w.pack(ctx, t); err != nil {
			return err
		}
	}
	return t.SetHead(ctx, w.Head)
}

// open sets the coder. The first time, it makes the mean of the existing vectors the
// center.
func (w *Writer) open(ctx context.Context, t Tables) error {
	if w.coder != nil {
		return nil
	}
	center, err := t.Center(ctx, w.ID)
	if err != nil {
		return err
	}
	if center == nil && w.Coded == 0 {
		_, vectors, err := w.oldest(ctx, t, CodeFrom)
		if err != nil {
			return err
		}
		center = NewCenter(w.Dim, vectors)
		if err := t.SetCenter(ctx, center); err != nil {
			return err
		}
	}
	w.coder, err = NewCoder(center, w.Dim)
	return err
}

// oldest returns up to limit of the oldest pending passages, and their vectors.
func (w *Writer) oldest(ctx context.Context, t Tables, limit int) (numbers []int64, vectors [][]float32, err error) {
	err = t.OldestPending(ctx, limit, func(number int64, stored []byte) error {
		v, err := vector.Decode(stored, w.Dim)
		if err != nil {
			return passage.Corrupt("read vector", err.Error())
		}
		numbers, vectors = append(numbers, number), append(vectors, v)
		return nil
	})
	return numbers, vectors, err
}

// pack makes a block of the oldest pending passages.
func (w *Writer) pack(ctx context.Context, t Tables) error {
	if err := w.open(ctx, t); err != nil {
		return err
	}
	numbers, vectors, err := w.oldest(ctx, t, BlockCodes)
	if err != nil {
		return err
	}
	n := int64(len(numbers))
	if n == 0 {
		return passage.Corrupt("code vectors", "a head counts vectors that are not there")
	}
	b, err := NewBlock(w.coder, numbers, vectors)
	if err != nil {
		return err
	}
	if w.Change, err = t.NextChange(ctx); err != nil {
		return err
	}
	w.Coded, w.Pending = w.Coded+n, w.Pending-n
	return t.AddBlock(ctx, w.Change, b)
}

// rebuild drops the codes of a head and makes all its vectors pending.
func (x *Index) rebuild(ctx context.Context, t Tables, w *Writer) error {
	change, err := t.NextChange(ctx)
	if err != nil {
		return err
	}
	pending, err := t.Reset(ctx)
	if err != nil {
		return err
	}
	*w = Writer{Head: Head{ID: w.ID, Kind: w.Kind, Pending: pending, Change: change, Removed: change}, Dim: w.Dim}
	x.rebuilt(w.ID)
	return nil
}

// Remove hides a passage from searches: it is no longer pending, or its slot in a
// block is overwritten. A block that holds no other passage is removed.
func (w *Writer) Remove(ctx context.Context, t Tables, number int64) error {
	pending, err := t.RemovePending(ctx, number)
	if err != nil {
		return err
	}
	if pending {
		w.Pending--
		return t.SetHead(ctx, w.Head)
	}
	b, err := t.FindBlock(ctx, number)
	if err != nil {
		return err
	}
	slot := b.Find(number)
	if slot < 0 {
		return passage.Corrupt("find code", "a vector is in no block and not pending")
	}
	last := len(b.Live()) <= 1
	if err := b.Blank(slot, w.Dim); err != nil {
		return err
	}
	if w.Change, err = t.NextChange(ctx); err != nil {
		return err
	}
	w.Coded--
	if last {
		w.Removed = w.Change
		err = t.RemoveBlock(ctx, b.ID)
	} else {
		err = t.SetBlock(ctx, w.Change, b)
	}
	if err != nil {
		return err
	}
	return t.SetHead(ctx, w.Head)
}
