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

// modelShift is where a vector's place holds the number of its model: the
// place is the passage's number + model << modelShift, so that the vectors of
// one scope and model are one range of keys. 34 bits below it leave room for
// 17 billion passages of a scope, 6 bits up to [passage.ScopeBits] for 63 models.
const (
	modelShift = 34
	maxModels  = 1<<(passage.ScopeBits-modelShift) - 1
)

// maxDim bounds the length of a vector, which has to fit on a few pages.
const maxDim = 8192

// checkVector reports whether v can be stored as a vector of the model.
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

// unit returns v scaled to length 1; nil if v is all zeros and so has no
// direction.
func unit(v []float32) []float32 {
	if !slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
		return nil
	}
	return vector.Normalize(slices.Clone(v))
}

// encodeStored returns v as it is stored; nil without a direction.
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
	stale  bool  // wanted no more
}

// place returns the key of a passage's or parent's vector.
func (m model) place(number int64) int64 { return number + m.number<<modelShift }

// shift is what lies between a number and its place.
func (m model) shift() int64 { return m.number << modelShift }

// PutVector gives a passage its vector and takes it off the embedding queue.
// A passage that went while its vector was made is left alone, and so is a
// vector of a model that came out of use meanwhile.
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
		return nil // made again, as after a reindex
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
	var embedding any // null without a direction
	if r.stored != nil {
		embedding = r.stored
	}
	if _, err := t.exec(ctx, `INSERT INTO vector (place, embedding, sum) VALUES (?1, ?2, checksum(?2))`, m.place(p.number), embedding); err != nil {
		return err
	}
	return t.spread(ctx, p, r)
}

// spread makes a stored vector of a passage known to its parent and to the scan of
// codes.
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

// vectorRow is a vector of a passage as it is stored; nil without a direction.
type vectorRow struct {
	model  model
	stored []byte
}

// vectors returns a passage's vectors, one of each model that has any.
func (t *tx) vectors(ctx context.Context, number int64) ([]vectorRow, error) {
	return collect(ctx, t, `
		SELECT m.number, m.dim, m.stale, v.embedding
		FROM model AS m CROSS JOIN vector AS v ON v.place = ?1 + (m.number << 34)`, []any{number}, func(scan scanner) (vectorRow, error) {
		var r vectorRow
		err := scan(&r.model.number, &r.model.dim, &r.model.stale, &r.stored)
		return r, err
	})
}

// dropVectors removes all vectors of a passage. Those of a current passage
// have left the sums of its parent before.
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

// dropVector removes a passage's vector of one model, also from the sum of its
// parent.
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
