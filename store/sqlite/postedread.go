package sqlite

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
)

// packing is what a reader found out about the blocks of a scope: what its
// writer has to do.
type packing struct {
	wanted bool // there is anything to do
	// damaged are the lowest numbers of blocks that are not what was written.
	damaged []int64
	// before is the change before which blocks are made anew, 0 for none.
	before int64
}

// postedNews are the passages of blocks that changed since, by rising number.
// What is removed and came again is in both lists.
type postedNews struct {
	changed []postedPassage
	removed []uint32
}

// errAllRead means that reading all passages from their rows is better.
var errAllRead = errors.New("blocks are too old")

// readScope reads all passages of a scope: from blocks, and from rows what they
// do not cover and what changed since.
func (t *tx) readScope(ctx context.Context, r *postingReader) (packing, error) {
	blocks, err := t.postedBlocks(ctx, r.set.scopeNo)
	if err != nil {
		return packing{}, err
	}
	todo, blocks := sound(blocks, r)
	old, err := t.readBlocks(ctx, r, blocks, &todo)
	if errors.Is(err, errAllRead) {
		todo.before = r.set.change
	} else if err != nil {
		return todo, err
	}
	rows := len(r.set.passages)
	if err := t.readTo(ctx, r, r.last); err != nil {
		return todo, err
	}
	rows = len(r.set.passages) - rows
	if old+rows > max(t.db.packs.anew, len(r.set.passages)/t.db.packs.share) {
		todo.before = r.set.change
	}
	todo.wanted = todo.wanted || todo.before > 0 || len(todo.damaged) > 0
	return todo, nil
}

// inBlocks reports whether blocks hold nearly all passages of a large scope as
// they are now: as many as where they are not made anew.
func (t *tx) inBlocks(ctx context.Context, scopeNo int64) (bool, error) {
	totals, err := t.kindTotals(ctx, scopeNo)
	if err != nil || !t.loadsBeside(totals) {
		return false, err
	}
	blocks, err := t.postedBlocks(ctx, scopeNo)
	if err != nil || len(blocks) == 0 {
		return false, err
	}
	held, oldest := int64(0), blocks[0].change
	for _, b := range blocks {
		held, oldest = held+b.size/packedPassage, min(oldest, b.change)
	}
	all := totals.all().passages
	old := max(int64(t.db.packs.anew), all/int64(t.db.packs.share))
	since, err := t.queryIntegers(ctx, 1, `
		SELECT count(*) FROM (
			SELECT 1 FROM passage INDEXED BY passage_change WHERE number >> 40 = ? AND change > ? LIMIT ?)`, scopeNo, oldest, old+1)
	if err != nil {
		return false, err
	}
	return since[0] <= old && held+old >= all, nil
}

// sound parts the blocks that may be what was written from those that cannot.
func sound(blocks []postedBlock, r *postingReader) (packing, []postedBlock) {
	todo := packing{wanted: len(blocks) == 0}
	next, out := r.next, blocks[:0]
	for _, b := range blocks {
		if !b.fits(next, r.last, r.set.change) {
			todo.damaged = append(todo.damaged, b.low)
			continue
		}
		out, next = append(out, b), b.high+1
	}
	return todo, out
}

// readBlocks reads what blocks cover, and what lies between them. It returns how
// much of that was not in them. It fails with errAllRead, before anything is
// read, where that would be too much.
func (t *tx) readBlocks(ctx context.Context, r *postingReader, blocks []postedBlock, todo *packing) (old int, err error) {
	if len(blocks) == 0 {
		return 0, nil
	}
	passages := int64(0)
	for _, b := range blocks {
		passages += b.size / packedPassage
	}
	news, err := t.newsOf(ctx, r, blocks, passages)
	if err != nil {
		return 0, err
	}
	if n := int(passages + passages/16 + 64); n > cap(r.set.passages) { // of many that are not current
		r.set.reserve(n)
	}
	old = len(news.changed) + len(news.removed)
	var list []postedPassage
	for _, b := range blocks {
		var whole bool
		if list, whole, err = t.passagesIn(ctx, b, list); err != nil {
			return old, err
		}
		if !whole {
			todo.damaged = append(todo.damaged, b.low)
			continue // its passages are read with those before the next block
		}
		if b.low > r.next {
			todo.wanted = true
			before := len(r.set.passages)
			if err := t.readTo(ctx, r, b.low-1); err != nil || r.unfit {
				return old, err
			}
			old += len(r.set.passages) - before
		}
		if !news.merge(b, list, r.add) {
			r.unfit = true
			return old, nil
		}
		r.next = b.high + 1
	}
	return old, nil
}

// newsOf reads what changed since the oldest of blocks of so many passages, with
// numbers up to the end of the last. It fails with errAllRead where that is more
// than a set in memory would take in.
func (t *tx) newsOf(ctx context.Context, r *postingReader, blocks []postedBlock, passages int64) (news postedNews, err error) {
	oldest := slices.MinFunc(blocks, func(a, b postedBlock) int { return cmp.Compare(a.change, b.change) }).change
	most := min(max(int64(t.db.packs.all), passages/8), maxCatchUp)
	removed, err := t.numberList(ctx, `SELECT number FROM removal WHERE scope_no = ? AND change > ? LIMIT ?`, r.set.scopeNo, oldest, most+1)
	if err != nil {
		return news, err
	}
	if slices.Contains(removed, 0) || int64(len(removed)) > most {
		return news, errAllRead
	}
	for _, number := range removed {
		if low := number & lowBits; low <= math.MaxUint32 { // others were never in a block
			news.removed = append(news.removed, uint32(low))
		}
	}
	slices.Sort(news.removed)
	fit := true
	err = t.packed(ctx, func(packed []byte) error {
		for len(packed) >= postedSize {
			p, rest, ok := unpackPosted(r.set.scopeNo, packed)
			news.changed, fit, packed = append(news.changed, p), fit && ok, rest
		}
		return nil
	}, `SELECT pack(c0, c1, c2, c3, c4, c5, c6) FROM (
		SELECT p.number AS c0, p.parent AS c1, p.seq AS c2, p.words AS c3, p.kind AS c4, p.type AS c5, p.retired_at IS NOT NULL AS c6
		FROM passage AS p INDEXED BY passage_change
		WHERE p.number >> 40 = ?1 AND p.change > ?2 AND p.number <= ?3 ORDER BY p.change LIMIT ?4)`,
		r.set.scopeNo, oldest, blocks[len(blocks)-1].high, most+1)
	if err != nil {
		return news, err
	}
	if !fit || int64(len(news.changed)) > most {
		return news, errAllRead // what does not fit is met again among the rows
	}
	slices.SortFunc(news.changed, func(a, b postedPassage) int { return cmp.Compare(a.number, b.number) })
	return news, nil
}

// merge calls add with the passages that a block's numbers have now, by rising
// number, and ends where that reports false. Blocks must come in order.
func (n *postedNews) merge(b postedBlock, list []postedPassage, add func(postedPassage) bool) bool {
	for low := uint32(b.low & lowBits); len(n.changed) > 0 && n.changed[0].number < low; {
		n.changed = n.changed[1:] // read from rows
	}
	for _, p := range list {
		same := false
		for len(n.changed) > 0 && n.changed[0].number <= p.number {
			same = n.changed[0].number == p.number
			if !add(n.changed[0]) {
				return false
			}
			n.changed = n.changed[1:]
		}
		for len(n.removed) > 0 && n.removed[0] < p.number {
			n.removed = n.removed[1:]
		}
		gone := len(n.removed) > 0 && n.removed[0] == p.number
		if !same && !gone && !add(p) {
			return false
		}
	}
	for len(n.changed) > 0 && int64(n.changed[0].number) <= b.high&lowBits {
		if !add(n.changed[0]) {
			return false
		}
		n.changed = n.changed[1:]
	}
	return true
}

// readTo reads passages from their rows, up to a number.
func (t *tx) readTo(ctx context.Context, r *postingReader, last int64) error {
	all := r.last
	r.last = last
	defer func() { r.last = all }()
	for done := false; !done && !r.unfit; {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if done, err = t.readPosted(ctx, r); err != nil {
			return err
		}
	}
	r.next = last + 1
	return nil
}
