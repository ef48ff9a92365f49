package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/vector"
)

// modelShift is where a vector's place holds the number of its model: the
// place is the passage's number + model << modelShift, so that the vectors of
// one scope and model are one range of keys. 34 bits below it leave room for
// 17 billion passages of a scope, 6 bits up to [scopeBits] for 63 models.
const (
	modelShift = 34
	maxModels  = 1<<(scopeBits-modelShift) - 1
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

// unit is the function unit for a vector that is used until the next one comes.
func (t *tx) unit(v []float32) []float32 {
	if !slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
		return nil
	}
	t.direction = append(t.direction[:0], v...)
	return vector.Normalize(t.direction)
}

// encodeUnit returns unit(v) as sqlite-vec reads it.
func encodeUnit(v []float32) []byte {
	u := unit(v)
	if u == nil {
		return nil
	}
	return vector.Encode(u)
}

// encodeStored returns unit(v) as widen reads it back.
func encodeStored(v []float32) []byte {
	u := unit(v)
	if u == nil {
		return nil
	}
	return vector.Encode(vector.RoundScaled(u))
}

// cosine turns the distance of two unit vectors into their cosine.
func cosine(distance float64) float32 {
	return float32(min(1, max(-1, 1-distance*distance/2)))
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
	t.counting().embedding = nil
	if _, err := t.put(ctx, `DELETE FROM embedding_queue WHERE number = ? AND model = ?`, number, m.queue); err != nil {
		return err
	}
	old := vectorRow{model: m}
	err = t.queryRow(ctx, `SELECT widen(embedding) FROM vector WHERE place = ?`, m.place(number)).Scan(&old.embedding)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return err
	case bytes.Equal(old.embedding, encodeStored(v)):
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
	direction := t.unit(v)
	var embedding any // null without a direction
	if direction != nil {
		t.scaled = vector.AppendScaled(t.scaled[:0], direction) // sums and codes are of what is stored
		embedding = t.scaled
		t.counting().addMember(m.place(p.parent), p.number, direction)
	}
	if err := t.keep(ctx, keptVectors, m.place(p.number), embedding); err != nil {
		return err
	}
	return t.spread(ctx, p, m, direction)
}

const insertVectors = `INSERT INTO vector (place, embedding) SELECT c0, c1 FROM unpack(?)`

// spread makes a stored vector of a passage, of unit length, known to its
// parent and to the scan of codes.
func (t *tx) spread(ctx context.Context, p passageRow, m model, direction []float32) error {
	if direction == nil {
		return nil
	}
	if !p.retired.Valid {
		t.counting().addVector(m.place(p.parent), direction)
	}
	return t.code(ctx, m, p, direction)
}

// vectorRow is a stored vector of a passage; a nil embedding has no direction.
type vectorRow struct {
	model     model
	embedding []byte
}

// vectors returns a passage's vectors, one of each model that has any.
func (t *tx) vectors(ctx context.Context, number int64) ([]vectorRow, error) {
	rows, err := t.query(ctx, `
		SELECT m.number, m.dim, m.stale, widen(v.embedding)
		FROM model AS m CROSS JOIN vector AS v ON v.place = ?1 + (m.number << 34)`, number)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(scan scanner) (vectorRow, error) {
		var r vectorRow
		err := scan(&r.model.number, &r.model.dim, &r.model.stale, &r.embedding)
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
	if !p.retired.Valid && r.embedding != nil {
		if err := t.takeFromSum(ctx, r.model.place(p.parent), r.embedding); err != nil {
			return err
		}
	}
	return t.deleteVector(ctx, p, r)
}

func (t *tx) deleteVector(ctx context.Context, p passageRow, r vectorRow) error {
	if r.embedding != nil {
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

// Similarities returns the cosine of v with each numbered passage.
func (t *tx) Similarities(ctx context.Context, scope strata.Scope, name string, v []float32, numbers []int64) ([]float32, error) {
	out := make([]float32, len(numbers))
	no, m, unit, err := t.searchVector(ctx, scope, name, v)
	if err != nil || unit == nil || len(numbers) == 0 {
		return out, err
	}
	if set := t.known[no]; set != nil {
		if err := t.readVectors(ctx, no, set, m); err != nil {
			return nil, err
		}
		query, err := vector.Decode(unit, m.dim)
		if err != nil {
			return nil, err
		}
		if out, ok := set.similarities(query, numbers); ok {
			return out, nil
		}
	}
	var open []int64 // numbers that were not measured already
	var at []int     // their places among all
	measured := t.lately.of(m, unit)
	for i, n := range numbers {
		if similarity, ok := measured[n]; ok && scopeOf(n) == no {
			out[i] = float32(similarity)
		} else {
			open, at = append(open, n), append(at, i)
		}
	}
	low, high := placesOf(no, m)
	packed, err := t.queryBlob(ctx, `
		SELECT pack(j.rowid, vec_distance_L2(widen(v.embedding), ?4))
		FROM unpack(?1) AS j CROSS JOIN vector AS v ON v.place = j.c0 + ?5
		WHERE v.place BETWEEN ?2 AND ?3 AND v.embedding IS NOT NULL`, packNumbers(open), low, high, unit, m.shift())
	distances(packed).each(func(i int64, similarity float32) { out[at[i]] = similarity })
	return out, err
}

// searchVector prepares a search by v in a scope. unit is nil if nothing can
// be found: the scope owns nothing, the model is unknown or v has no direction.
func (t *tx) searchVector(ctx context.Context, scope strata.Scope, name string, v []float32) (scopeNo int64, m model, unit []byte, err error) {
	if err := checkVector(name, v); err != nil {
		return 0, m, nil, err
	}
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return 0, m, nil, err
	}
	m, ok, err = t.wantedModel(ctx, name, len(v))
	if err != nil || !ok {
		return 0, m, nil, err
	}
	return no, m, encodeUnit(v), nil
}

// placesOf returns the range of the places of a scope's vectors of a model.
func placesOf(scopeNo int64, m model) (low, high int64) {
	low = m.place(scopeNo << scopeBits)
	return low, low + 1<<modelShift - 1
}

// encodeNumbers makes a list that SQL reads with json_each.
func encodeNumbers(numbers []int64) (string, error) {
	b, err := json.Marshal(numbers)
	return string(b), err
}
