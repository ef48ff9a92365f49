package sqlite

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// factRow packs what is kept of a fact. Conditions on passage p follow.
const factRow = `SELECT pack_rows(p.number, p.parent, p.seq, p.words, p.type, p.retired_at IS NOT NULL, ` + termsOfPassage + `) FROM `

// The terms of passage p wait or are in table word; empty where they are in none.
const (
	termsOfPassage = `coalesce(w.terms, (SELECT c0 FROM word_content WHERE id = p.number), '')`
	joinTerms      = ` LEFT JOIN pending AS w ON w.number = p.number`
)

// The normalized text of passage p stands in one of two tables.
const (
	normalText = `coalesce(u.normal, x.c0)`
	joinNormal = ` LEFT JOIN pending AS u ON u.number = p.number LEFT JOIN piece_content AS x ON x.id = p.number`
)

// currentFacts are the passages p of facts f. Conditions on the scope of f and
// that it is current follow.
const currentFacts = `fact AS f INDEXED BY fact_category CROSS JOIN passage AS p ON p.number = f.number`

// readFacts reads all current facts of a scope.
func (t *tx) readFacts(ctx context.Context, scopeNo, change int64) (*factSet, error) {
	facts, err := readPacked(ctx, t, factRow+`
		`+currentFacts+joinTerms+`
		WHERE f.scope_no = ? AND f.retired_at IS NULL AND p.kind = 1 AND p.retired_at IS NULL`, []any{scopeNo}, scanKnownFact)
	if err != nil {
		return nil, err
	}
	return newFactSet(change, facts), nil
}

// catchUp adds what changed since old was read; lastChange and lastRemoval are
// the last change of a passage and of a removal. It returns nil if all must be
// read anew.
func (t *tx) catchUp(ctx context.Context, scopeNo int64, old *factSet, lastChange, lastRemoval int64) (*factSet, error) {
	change := max(lastChange, lastRemoval)
	var removed []int64
	if lastRemoval > old.change {
		var err error
		removed, err = t.numberList(ctx, `SELECT number FROM removal WHERE scope_no = ? AND change > ?`, scopeNo, old.change)
		if err != nil || slices.Contains(removed, 0) {
			return nil, err
		}
	}
	changed, err := readPacked(ctx, t, factRow+`
		passage AS p INDEXED BY passage_change`+joinTerms+`
		WHERE p.number >> 40 = ? AND p.change > ? AND p.kind = 1`, []any{scopeNo, old.change}, scanKnownFact)
	if err != nil {
		return nil, err
	}
	if len(removed)+len(changed) == 0 {
		return &factSet{change: change, facts: old.facts, odd: old.odd}, nil
	}
	gone := make(map[int64]bool, len(removed)+len(changed))
	for _, n := range removed {
		gone[n] = true
	}
	for _, f := range changed {
		gone[f.meta.Number] = true
	}
	facts := make([]*knownFact, 0, len(old.facts)+len(changed))
	for _, f := range old.facts {
		if !gone[f.meta.Number] {
			facts = append(facts, f)
		}
	}
	return newFactSet(change, append(facts, changed...)), nil
}

// retiredFact marks a fact that is no longer current.
const retiredFact = -1

func scanKnownFact(scan scanner) (*knownFact, error) {
	f := &knownFact{meta: store.Meta{Kind: strata.KindFact}}
	var retired bool
	err := scan(&f.meta.Number, &f.meta.Parent, &f.meta.Seq, &f.meta.Words, &f.code, &retired, &f.terms)
	if retired {
		return &knownFact{meta: f.meta, code: retiredFact}, err
	}
	for term := range termsIn(f.terms) {
		f.odd = f.odd || !isTerm(term)
	}
	return f, err
}

// readNormals sees to it that the facts have their normalized texts: few
// questions look for parts of words.
func (t *tx) readNormals(ctx context.Context, scopeNo int64, s *factSet) error {
	var missing []int64
	for _, f := range s.facts {
		if f.normal.Load() == nil {
			missing = append(missing, f.meta.Number)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	packed, err := t.queryBlob(ctx, `
		SELECT pack(p.number, CAST(coalesce(`+normalText+`, '') AS BLOB)) FROM unpack(?) AS j CROSS JOIN passage AS p ON p.number = j.c0`+joinNormal,
		packNumbers(missing))
	if err != nil {
		return err
	}
	err = s.forPacked(packed, func(f *knownFact, text []byte) error {
		normal := string(text)
		f.normal.Store(&normal)
		return nil
	})
	t.db.facts.keep(scopeNo, nil, s.bytes())
	return err
}

// readVectors sees to it that the facts have their vectors of a model.
func (t *tx) readVectors(ctx context.Context, scopeNo int64, s *factSet, m model) error {
	var missing []int64
	for _, f := range s.facts {
		if !f.hasVector(m) {
			missing = append(missing, f.meta.Number)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	packed, err := t.queryBlob(ctx, `
		SELECT pack(j.c0, v.embedding) FROM unpack(?1) AS j CROSS JOIN vector AS v ON v.place = j.c0 + ?2
		WHERE v.embedding IS NOT NULL`, packNumbers(missing), m.shift())
	if err != nil {
		return err
	}
	err = s.forPacked(packed, func(f *knownFact, embedding []byte) error {
		v, err := vector.DecodeScaled(embedding, m.dim)
		if err != nil {
			return corruptError("read vector", err.Error())
		}
		f.vector.Store(&knownVector{model: m, v: v})
		return nil
	})
	if err != nil {
		return err
	}
	for _, n := range missing {
		if f := s.find(n); !f.hasVector(m) {
			f.vector.Store(&knownVector{model: m})
		}
	}
	t.db.facts.keep(scopeNo, nil, s.bytes())
	return nil
}

// forPacked calls do with what pack(number, blob) made of some of the facts.
func (s *factSet) forPacked(packed []byte, do func(f *knownFact, blob []byte) error) error {
	const head = 8 + 4 // the number, and how long the blob is
	for len(packed) > 0 {
		if len(packed) < head {
			return errPacked
		}
		f, n := s.find(int64(binary.LittleEndian.Uint64(packed))), int(binary.LittleEndian.Uint32(packed[8:]))
		if packed = packed[head:]; n > len(packed) || f == nil {
			return errPacked
		}
		if err := do(f, packed[:n]); err != nil {
			return err
		}
		packed = packed[n:]
	}
	return nil
}

// hasVector reports whether the vector of a model is known, or that there is none.
func (f *knownFact) hasVector(m model) bool {
	v := f.vector.Load()
	return v != nil && v.model == m
}
