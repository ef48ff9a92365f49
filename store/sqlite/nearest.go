package sqlite

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// Nearest returns the k passages closest to v, closest first.
//
// Few passages are measured all. Of many, codes are scanned, and those with the
// best scores that pass the filter are measured. Where the filter leaves few of
// them, who passes is found out first and the scan looks at nobody else, so
// that no filter can starve a result.
func (t *tx) Nearest(ctx context.Context, scope strata.Scope, name string, v []float32, parents []int64, f store.Filter, k int) ([]store.Near, error) {
	no, m, unit, err := t.searchVector(ctx, scope, name, v)
	if err != nil || unit == nil || k <= 0 {
		return nil, err
	}
	s := search{t: t, scopeNo: no, model: m, unit: unit, filter: f, k: k}
	if s.query, err = vector.Decode(unit, m.dim); err != nil {
		return nil, err
	}
	if len(parents) == 0 && f.Parent != 0 {
		parents = []int64{f.Parent}
	}
	if err := t.settleFor(ctx, parents); err != nil {
		return nil, err
	}
	if set, err := t.keptFacts(ctx, no, f); err != nil {
		return nil, err
	} else if set != nil {
		if err := t.readVectors(ctx, no, set, m); err != nil {
			return nil, err
		}
		return set.nearest(s.query, parents, f, k), nil
	}
	if s.heads, err = t.codeHeads(ctx, no, m, kindMask(f.Kinds)); err != nil {
		return nil, err
	}
	switch {
	case len(parents) > 0:
		return s.inside(ctx, parents)
	case s.coded() == 0:
		return s.everything(ctx)
	}
	return s.byCodes(ctx, `SELECT pack(p.number) FROM passage AS p WHERE `+passes)
}

// search is one call of Nearest.
type search struct {
	t         *tx
	scopeNo   int64
	model     model
	unit      []byte    // the vector searched for, as stored
	query     []float32 // the same
	filter    store.Filter
	k         int
	heads     []codeHead
	parents   any     // those that the search is confined to, packed; nil for none
	inParents []int64 // the same, as numbers
}

// coded is how many vectors have codes.
func (s *search) coded() (n int64) {
	for _, h := range s.heads {
		n += h.coded
	}
	return n
}

// measured is what the statements below select.
const measured = `SELECT pack(p.number, vec_distance_L2(widen(v.embedding), ?8)) FROM `

// What the statements below select inside of parents.
var (
	selectInside   = fmt.Sprintf(`SELECT pack(p.number) FROM `+inParents+` WHERE `+passes, `?8`)
	measuredInside = fmt.Sprintf(measured+inParents+`
		CROSS JOIN vector AS v ON v.place = p.number + ?9
		WHERE `+passes+` AND v.embedding IS NOT NULL`, `?10`)
	measuredFirst = fmt.Sprintf(`
		SELECT pack(m.number, vec_distance_L2(widen(v.embedding), ?3))
		FROM `+membersOf+`
		CROSS JOIN vector AS v ON v.place = m.number + ?4
		WHERE m.number BETWEEN ?1 AND ?2 AND v.embedding IS NOT NULL`, `?5`)
)

// everything measures every passage of the scope that passes the filter.
func (s *search) everything(ctx context.Context) ([]store.Near, error) {
	found, err := s.measure(ctx, measured+`
		passage AS p CROSS JOIN vector AS v ON v.place = p.number + ?9
		WHERE `+passes+` AND v.embedding IS NOT NULL AND (?10 IS NULL OR p.parent IN (SELECT c0 FROM unpack(?10)))`, s.parents)
	return found.best(s.k), err
}

// inside searches the passages of some parents. Where they hold many, the best of
// the whole scope come first: the parents asked for are near, and so are most of
// those inside. To list all they hold takes longer than to scan a million codes.
func (s *search) inside(ctx context.Context, parents []int64) ([]store.Near, error) {
	parents = distinct(parents)
	list := packNumbers(parents)
	if s.coded() > 0 {
		n, err := s.t.lookIntegers(ctx, 1, `
			SELECT coalesce(sum(p.passages), 0)
			FROM unpack(?) AS j CROSS JOIN parent AS p ON p.number = j.c0`, list)
		if err != nil {
			return nil, err
		}
		if n[0] > codeFrom {
			if err := s.settleCodes(ctx); err != nil {
				return nil, err
			}
			s.parents, s.inParents = list, parents
			return s.byCodes(ctx, selectInside, list)
		}
	}
	if f := s.filter; len(f.Types)+len(f.NotTypes) == 0 && f.AsOf == nil && f.SessionKind == "" {
		return s.measureFirst(ctx, parents)
	}
	found, err := s.measure(ctx, measuredInside, list)
	return found.best(s.k), err
}

// measureFirst searches the passages of some parents of which nearly all pass the
// filter: it measures all, by the index of parents alone, and reads the rows of the
// closest. To read each row takes a third of the time.
func (s *search) measureFirst(ctx context.Context, parents []int64) (out []store.Near, err error) {
	found, ok, err := s.measureMembers(ctx, parents)
	if err == nil && !ok {
		low, high := numbers(s.scopeNo)
		found, err = s.t.lookBlob(ctx, measuredFirst, low, high, s.unit, s.model.shift(), packNumbers(parents))
	}
	if err != nil {
		return nil, err
	}
	tried := 0
	for n := s.k; len(out) < s.k && tried < found.count(); n *= 4 {
		part := found.best(n)[tried:]
		if len(part) == 0 {
			break // the rest has no distance
		}
		tried += len(part)
		list := make([]int64, len(part))
		for i, near := range part {
			list[i] = near.Number
		}
		passing, err := s.t.lookIntegers(ctx, 1, `
			SELECT p.number FROM unpack(?8) AS j CROSS JOIN passage AS p ON p.number = j.c0
			WHERE `+passes, filterArgs(s.scopeNo, s.filter, packNumbers(list))...)
		if err != nil {
			return nil, err
		}
		for _, near := range part {
			if len(out) < s.k && slices.Contains(passing, near.Number) {
				out = append(out, near)
			}
		}
	}
	return out, nil
}

// settleCodes has a writer search codes that are those of the whole scope.
func (s *search) settleCodes(ctx context.Context) error {
	if s.t.group == nil {
		return nil
	}
	err := s.t.settle(ctx)
	if err == nil {
		s.heads, err = s.t.codeHeads(ctx, s.scopeNo, s.model, kindMask(s.filter.Kinds))
	}
	return err
}

// byCodes searches the scope by codes. The query yields all that pass, for where
// too few of the best do.
func (s *search) byCodes(ctx context.Context, query string, more ...any) ([]store.Near, error) {
	found, tried, err := s.likely(ctx, nil)
	if errors.Is(err, errDamaged) {
		return s.everything(ctx)
	}
	if err != nil {
		return nil, err
	}
	// With a quarter of those tried left there are still enough for the best
	// k to be among them.
	if n := found.count(); n >= s.k && 4*n >= tried {
		return found.best(s.k), nil
	}
	return s.among(ctx, query, more...)
}

// likely measures the passages that may be among the nearest by their codes,
// and all without a code. It says how many it tried; those that do not pass the
// filter are not among those found.
func (s *search) likely(ctx context.Context, within *numberSet) (found distances, tried int, err error) {
	e, err := s.newEstimate(ctx, within)
	if err != nil {
		return nil, 0, err
	}
	defer e.close()
	err = e.run(ctx, within == nil)
	if s.t.group == nil {
		s.t.lately = lateSearch{model: s.model, unit: s.unit, measured: e.measured}
	}
	return e.found, len(e.tried), err
}

// lateSearch is what a search measured: the passages that words find are
// compared with the same vector next, and many of them are among the nearest.
type lateSearch struct {
	model    model
	unit     []byte
	measured map[int64]float64 // similarities, as float32
}

// of returns what was measured of a vector by a model; nil for another one.
func (l *lateSearch) of(m model, unit []byte) map[int64]float64 {
	if l.model != m || !bytes.Equal(l.unit, unit) {
		return nil
	}
	return l.measured
}

// among searches the passages that pass, which a query yields.
func (s *search) among(ctx context.Context, query string, more ...any) ([]store.Near, error) {
	list, ok := s.t.postedPassing(s.scopeNo, s.filter, s.inParents)
	if !ok {
		packed, err := s.t.queryBlob(ctx, query, filterArgs(s.scopeNo, s.filter, more...)...)
		if err != nil {
			return nil, err
		}
		list = unpackNumbers(packed)
	}
	within := newNumberSet(list)
	var found distances
	var err error
	if len(within.list) > codeFrom {
		found, _, err = s.likely(ctx, within)
	}
	if len(within.list) <= codeFrom || errors.Is(err, errDamaged) {
		found, err = s.measureList(ctx, within.list)
	}
	return found.best(s.k), err
}

// measureList measures those of the passages that pass the filter.
func (s *search) measureList(ctx context.Context, list []int64) (distances, error) {
	slices.Sort(list) // neighbors in the table are read together
	return s.measure(ctx, measured+`
		unpack(?10) AS j
		CROSS JOIN passage AS p ON p.number = j.c0
		CROSS JOIN vector AS v ON v.place = p.number + ?9
		WHERE `+passes+` AND v.embedding IS NOT NULL AND (?11 IS NULL OR p.parent IN (SELECT c0 FROM unpack(?11)))`, packNumbers(list), s.parents)
}

// measure runs a query that packs numbers and distances. What it may find is
// written: see settleFor.
func (s *search) measure(ctx context.Context, query string, more ...any) (distances, error) {
	args := filterArgs(s.scopeNo, s.filter, append([]any{s.unit, s.model.shift()}, more...)...)
	packed, err := s.t.lookBlob(ctx, query, args...)
	return distances(packed), err
}

// distances are packed pairs of a passage's number and its distance.
type distances []byte

func (d distances) count() int { return len(d) / 16 }

// each calls fn with every passage and its cosine.
func (d distances) each(fn func(number int64, similarity float32)) {
	for ; len(d) >= 16; d = d[16:] {
		number := int64(binary.LittleEndian.Uint64(d))
		distance := math.Float64frombits(binary.LittleEndian.Uint64(d[8:]))
		fn(number, cosine(distance))
	}
}

// best returns the k closest, closest first.
func (d distances) best(k int) []store.Near {
	top := vector.NewTopK(min(k, d.count()))
	d.each(top.Offer)
	var out []store.Near
	for _, s := range top.Sorted() {
		out = append(out, store.Near{Number: s.ID, Similarity: s.Similarity})
	}
	return out
}

// kth is the cosine of the k-th closest; below all cosines if there are fewer.
func (d distances) kth(k int) float64 {
	best := d.best(k)
	if len(best) < k {
		return -2
	}
	return float64(best[k-1].Similarity)
}

// numberSet is a set of passages of one scope. The nil set holds all.
type numberSet struct {
	list []int64
	low  int64
	bits []uint64 // bit i stands for low + i
}

// unpackNumbers reads packed numbers.
func unpackNumbers(packed []byte) []int64 {
	list := make([]int64, 0, len(packed)/8)
	for ; len(packed) >= 8; packed = packed[8:] {
		list = append(list, int64(binary.LittleEndian.Uint64(packed)))
	}
	return list
}

func newNumberSet(list []int64) *numberSet {
	s := &numberSet{list: list}
	if len(s.list) == 0 {
		return s
	}
	s.low = slices.Min(s.list)
	s.bits = make([]uint64, (slices.Max(s.list)-s.low)/64+1)
	for _, n := range s.list {
		s.bits[(n-s.low)/64] |= 1 << ((n - s.low) % 64)
	}
	return s
}

func (s *numberSet) has(n int64) bool {
	if s == nil {
		return true
	}
	i := n - s.low
	return i >= 0 && i/64 < int64(len(s.bits)) && s.bits[i/64]>>(i%64)&1 != 0
}
