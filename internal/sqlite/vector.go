package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/vector"
)

// modelShift is the position of the model's number in the place of a vector, which
// is its key: the passage's number + model << modelShift. So the vectors of one
// scope and model are one range of keys. The 34 bits below leave room for 17 billion
// passages in a scope, and the 6 bits up to [passage.ScopeBits] for 63 models.
const (
	modelShift = 34
	maxModels  = 1<<(passage.ScopeBits-modelShift) - 1
)

// maxDim bounds the length of a vector, which must fit on a few pages.
const maxDim = 8192

// checkVector returns an error if v cannot be stored as a vector of the model.
func checkVector(model string, v []float32) error {
	const op = "check vector"
	switch {
	case model == "":
		return strata.Invalid(op, "the vector names no model", "name the model that made it")
	case len(v) == 0 || len(v) > maxDim:
		return strata.Invalid(op, fmt.Sprintf("a vector of length %d", len(v)), fmt.Sprintf("use 1 to %d dimensions", maxDim))
	}
	if vector.Check(v, len(v)) != nil {
		return strata.Invalid(op, "the vector holds a value that is not a finite number", "check the embedding model")
	}
	return nil
}

// unit returns v scaled to length 1, or nil if v is all zeros and so has no
// direction.
func unit(v []float32) []float32 {
	if !slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
		return nil
	}
	return vector.Normalize(slices.Clone(v))
}

// encodeStored returns v as it is stored, or nil if it has no direction.
func encodeStored(v []float32) []byte {
	u := unit(v)
	if u == nil {
		return nil
	}
	return vector.EncodeInt8(u)
}

// model is an embedding model that the store holds vectors of.
type model struct {
	number int64
	name   string
	dim    int
	queue  int64 // its number in the embedding queue
	stale  bool  // no longer wanted
}

// place returns the key of the vector of a passage or parent.
func (m model) place(number int64) int64 { return number + m.number<<modelShift }

// shift returns the difference between a place and a number.
func (m model) shift() int64 { return m.number << modelShift }

// PutVector stores the vector of a passage and takes the passage off the embedding
// queue. It does nothing if the passage was removed, or the model went out of use,
// while the vector was made.
func (t *tx) PutVector(ctx context.Context, number int64, name string, v []float32) error {
	m, ok, err := t.modelFor(ctx, name, v)
	if err != nil || !ok {
		return err
	}
	row, err := t.passage(ctx, number)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := t.exec(ctx, `DELETE FROM embedding_queue WHERE number = ? AND model = ?`, number, m.queue); err != nil {
		return err
	}
	old := vectorRow{model: m}
	err = t.queryRow(ctx, `SELECT embedding FROM vector WHERE place = ?`, m.place(number)).Scan(&old.stored)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return err
	case bytes.Equal(old.stored, encodeStored(v)):
		return nil // the same vector was made again, as after a reindex
	default:
		if err := t.dropVector(ctx, row, old); err != nil {
			return err
		}
	}
	if err := t.putVector(ctx, row, m, v); err != nil {
		return err
	}
	return t.touch(ctx, number)
}

// putVector stores a passage's first vector of a model.
func (t *tx) putVector(ctx context.Context, p passageRow, m model, v []float32) error {
	r := vectorRow{m, encodeStored(v)}
	var embedding any // null if it has no direction
	if r.stored != nil {
		embedding = r.stored
	}
	if _, err := t.exec(ctx, `INSERT INTO vector (place, embedding, sum) VALUES (?1, ?2, checksum(?2))`, m.place(p.number), embedding); err != nil {
		return err
	}
	return t.spread(ctx, p, r)
}

// spread adds a stored vector of a passage to the sum of its parent and to the scan
// of codes.
func (t *tx) spread(ctx context.Context, p passageRow, r vectorRow) error {
	if r.stored == nil {
		return nil
	}
	if !p.retired.Valid {
		if err := t.addToSum(ctx, p, r); err != nil {
			return err
		}
	}
	return t.code(ctx, r.model, p)
}

// vectorRow is a vector of a passage as it is stored; stored is nil if it has no
// direction.
type vectorRow struct {
	model  model
	stored []byte
}

// vectors returns a passage's vectors, at most one for each model.
func (t *tx) vectors(ctx context.Context, number int64) ([]vectorRow, error) {
	return collect(ctx, t, `
		SELECT m.number, m.dim, m.stale, v.embedding
		FROM model AS m CROSS JOIN vector AS v ON v.place = ?1 + (m.number << 34)`, []any{number}, func(scan scanner) (vectorRow, error) {
		var r vectorRow
		err := scan(&r.model.number, &r.model.dim, &r.model.stale, &r.stored)
		return r, err
	})
}

// dropVectors removes all vectors of a passage. The caller has already subtracted
// those of a current passage from the sums of its parent.
func (t *tx) dropVectors(ctx context.Context, p passageRow) error {
	list, err := t.vectors(ctx, p.number)
	if err != nil {
		return err
	}
	for _, r := range list {
		if err := t.deleteVector(ctx, p, r); err != nil {
			return err
		}
	}
	return nil
}

// dropVector removes a passage's vector of one model, and subtracts it from the sum
// of its parent.
func (t *tx) dropVector(ctx context.Context, p passageRow, r vectorRow) error {
	if !p.retired.Valid && r.stored != nil {
		if err := t.takeFromSum(ctx, p, r); err != nil {
			return err
		}
	}
	return t.deleteVector(ctx, p, r)
}

func (t *tx) deleteVector(ctx context.Context, p passageRow, r vectorRow) error {
	if r.stored != nil {
		uncode := t.uncode
		if r.model.stale {
			uncode = t.uncodeStale
		}
		if err := uncode(ctx, r.model, p); err != nil {
			return err
		}
	}
	_, err := t.exec(ctx, `DELETE FROM vector WHERE place = ?`, r.model.place(p.number))
	return err
}
