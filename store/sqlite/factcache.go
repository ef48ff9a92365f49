package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

const (
	// maxFactCache bounds the facts kept in memory, in bytes: some 10,000 with
	// vectors of 384 dimensions. What was not used for longest goes first.
	maxFactCache = 24 << 20
	// readAnew is the number of changes from which all facts of a scope are read
	// anew: so many turns may have been added that to look for the changed facts
	// among them takes longer.
	readAnew = 4096
)

// factCache keeps the facts of scopes that hold few of them beside other
// passages, so that a search reads of the database only what changed since the
// last one. Every change of a passage has a number, and a removal leaves a
// record: a reader sees at once whether what is kept is what its transaction
// sees.
type factCache struct {
	mu     sync.Mutex
	scopes map[int64]*cachedFacts
	bytes  int64 // of all scopes
	turn   int64 // counts the uses
}

// cachedFacts is what is kept of one scope.
type cachedFacts struct {
	set atomic.Pointer[factSet]

	mu sync.Mutex // held while it catches up

	bytes int64 // as counted by the cache
	used  int64 // the turn of the last use
}

// keptFacts returns the facts of a scope for a search of facts alone, as the
// transaction sees them. It returns nil where they are to be looked for in the
// database: there are many, or another time is meant, or the transaction
// writes, or is older than what is kept.
func (t *tx) keptFacts(ctx context.Context, scopeNo int64, f store.Filter) (*factSet, error) {
	if t.group != nil || len(f.Kinds) != 1 || f.Kinds[0] != strata.KindFact || f.AsOf != nil {
		return nil, nil
	}
	if set, ok := t.known[scopeNo]; ok {
		return set, nil
	}
	set, err := t.openFacts(ctx, scopeNo)
	if err != nil {
		return nil, wrap("read facts of a scope", err)
	}
	if t.known == nil {
		t.known = make(map[int64]*factSet)
	}
	t.known[scopeNo] = set
	return set, nil
}

func (t *tx) openFacts(ctx context.Context, scopeNo int64) (*factSet, error) {
	var facts, all, changed, removed int64
	err := t.queryRow(ctx, `SELECT
		coalesce((SELECT passages FROM scope_stat WHERE scope_no = ?1 AND kind = 1), 0),
		coalesce((SELECT sum(passages) FROM scope_stat WHERE scope_no = ?1), 0),
		coalesce((SELECT change FROM passage WHERE number >> 40 = ?1 ORDER BY change DESC LIMIT 1), 0),
		coalesce((SELECT change FROM removal WHERE scope_no = ?1 ORDER BY change DESC LIMIT 1), 0)`,
		scopeNo).Scan(&facts, &all, &changed, &removed)
	if err != nil || !areFew(facts, all) {
		return nil, err
	}
	change := max(changed, removed)
	kept := t.db.facts.scope(scopeNo)
	if set := kept.set.Load(); set != nil && set.change == change {
		return set, nil
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	old := kept.set.Load()
	switch {
	case old != nil && old.change == change:
		return old, nil
	case old != nil && old.change > change:
		return nil, nil
	}
	var set *factSet
	if old != nil && change-old.change < readAnew {
		if set, err = t.catchUp(ctx, scopeNo, old, changed, removed); err != nil {
			return nil, err
		}
	}
	if set == nil {
		if set, err = t.readFacts(ctx, scopeNo, change); err != nil {
			return nil, err
		}
	}
	kept.set.Store(set)
	t.db.facts.keep(scopeNo, kept, set.bytes())
	return set, nil
}

// factRow reads a fact for the cache. Conditions on passage p follow.
const factRow = `p.number, p.parent, p.seq, p.words, p.type, p.retired_at IS NOT NULL, coalesce(w.c0, ''), coalesce(x.c0, '')`

const factTexts = ` LEFT JOIN word_content AS w ON w.id = p.number LEFT JOIN piece_content AS x ON x.id = p.number`

// readFacts reads all current facts of a scope.
func (t *tx) readFacts(ctx context.Context, scopeNo, change int64) (*factSet, error) {
	rows, err := t.query(ctx, `SELECT `+factRow+`
		FROM parent AS c CROSS JOIN passage AS p ON p.parent = c.number`+factTexts+`
		WHERE c.scope_no = ? AND c.kind = 1 AND p.retired_at IS NULL`, scopeNo)
	if err != nil {
		return nil, err
	}
	facts, err := collect(rows, scanKnownFact)
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
	rows, err := t.query(ctx, `SELECT `+factRow+`
		FROM passage AS p INDEXED BY passage_change`+factTexts+`
		WHERE p.number >> 40 = ? AND p.change > ? AND p.kind = 1`, scopeNo, old.change)
	if err != nil {
		return nil, err
	}
	changed, err := collect(rows, scanKnownFact)
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
	var terms string
	var retired bool
	err := scan(&f.meta.Number, &f.meta.Parent, &f.meta.Seq, &f.meta.Words, &f.code, &retired, &terms, &f.normal)
	if retired {
		return &knownFact{meta: f.meta, code: retiredFact}, err
	}
	f.terms = strings.FieldsFunc(terms, isASCIIPunctuation)
	return f, err
}

// readVectors sees to it that the facts have their vectors of a model.
func (t *tx) readVectors(ctx context.Context, scopeNo int64, s *factSet, m model) error {
	missing := make(map[int64]*knownFact)
	for _, f := range s.facts {
		if v := f.vector.Load(); v == nil || v.model != m {
			missing[f.meta.Number] = f
		}
	}
	if len(missing) == 0 {
		return nil
	}
	list := make([]int64, 0, len(missing))
	for n := range missing {
		list = append(list, n)
	}
	wanted, err := encodeNumbers(distinct(list))
	if err != nil {
		return err
	}
	rows, err := t.query(ctx, `
		SELECT j.value, widen(v.embedding) FROM json_each(?1) AS j CROSS JOIN vector AS v ON v.place = j.value + ?2
		WHERE v.embedding IS NOT NULL`, wanted, m.shift())
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var number int64
		var raw sql.RawBytes // valid until the next row
		if err := rows.Scan(&number, &raw); err != nil {
			return wrap("read vector", err)
		}
		v, err := vector.Decode(raw, m.dim)
		if err != nil {
			return corruptError("read vector", err.Error())
		}
		missing[number].vector.Store(&knownVector{model: m, v: v})
		delete(missing, number)
	}
	if err := rows.Err(); err != nil {
		return wrap("read vectors", err)
	}
	for _, f := range missing {
		f.vector.Store(&knownVector{model: m})
	}
	t.db.facts.keep(scopeNo, nil, s.bytes())
	return nil
}

// scope returns the place where the facts of a scope are kept.
func (fc *factCache) scope(no int64) *cachedFacts {
	fc.mu.Lock()
	defer fc.mu.Unlock()
	c := fc.scopes[no]
	if c == nil {
		if fc.scopes == nil {
			fc.scopes = make(map[int64]*cachedFacts)
		}
		c = new(cachedFacts)
		fc.scopes[no] = c
	}
	fc.turn++
	c.used = fc.turn
	return c
}

// keep counts the facts of a scope, of c if that is not nil, and drops those
// that were not used for longest, until all that is kept fits.
func (fc *factCache) keep(no int64, c *cachedFacts, bytes int64) {
	fc.mu.Lock()
	defer fc.mu.Unlock()
	if kept := fc.scopes[no]; kept != nil && (c == nil || c == kept) {
		fc.bytes += bytes - kept.bytes
		kept.bytes = bytes
	}
	for fc.bytes > maxFactCache {
		var oldest int64
		var first *cachedFacts
		for no, c := range fc.scopes {
			if c.bytes > 0 && (first == nil || c.used < first.used) {
				oldest, first = no, c
			}
		}
		fc.bytes -= first.bytes
		delete(fc.scopes, oldest)
	}
}

// drop gives up all that is kept.
func (fc *factCache) drop() {
	fc.mu.Lock()
	defer fc.mu.Unlock()
	fc.scopes, fc.bytes = nil, 0
}
