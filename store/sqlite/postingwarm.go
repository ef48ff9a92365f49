package sqlite

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// A large scope is read in one go beside the questions, which FTS5 answers
// meanwhile, and with it the lists of its commonest words: the first look at a word
// that a tenth of a million passages hold takes longer than all the rest of a
// recall, and to read the words of all passages once takes as long as FTS5 does
// for a few such words. Lists of rarer words are read when they are asked for.

const (
	// besideFrom is the number of passages of a scope from which it is read
	// beside the questions. A smaller one is read by a few of them.
	besideFrom = 50_000
	// besideAfter is how many searches come before: as many as one question takes.
	besideAfter = 2
	// sampled is how many passages tell which words are common, and commonFrom
	// how many of these hold a word that is: one in 250.
	sampled    = 2048
	commonFrom = 8
	// maxWarmed bounds the lists read so, in bytes.
	maxWarmed = 40 << 20
	// loadedAtOnce is how many passages are read with one statement, to where
	// the processor's caches hold their words.
	loadedAtOnce = 8192
)

// loadsBeside reports whether a scope with such totals is read beside the
// questions.
func (t *tx) loadsBeside(totals kindTotals) bool {
	from := t.db.postings.limits.beside
	return from > 0 && totals.all().passages >= from
}

// beginLoading has a large scope read beside the questions before FTS5 has
// answered as many as in a small one.
func (t *tx) beginLoading(ctx context.Context, scopeNo int64, kept *cachedPostings) error {
	if kept.set.Load() != nil || kept.loading.Load() {
		return nil
	}
	totals, err := t.kindTotals(ctx, scopeNo)
	if err == nil && t.loadsBeside(totals) {
		t.db.loadBeside(scopeNo, kept)
	}
	return err
}

// loadBeside reads a scope that is not kept yet beside the questions. It reports
// whether it does.
func (db *DB) loadBeside(scopeNo int64, kept *cachedPostings) bool {
	if !kept.loading.CompareAndSwap(false, true) {
		return true
	}
	begun := db.beside(func(ctx context.Context) {
		// After an error the next question tries again.
		_ = db.view(ctx, func(t *tx) error { return t.loadPostings(ctx, scopeNo, kept) })
		kept.loading.Store(false)
	})
	if !begun {
		kept.loading.Store(false)
	}
	return begun
}

// loadPostings reads all passages of a scope, and the lists of its commonest
// terms.
func (t *tx) loadPostings(ctx context.Context, scopeNo int64, kept *cachedPostings) error {
	change, err := t.postingChange(ctx, scopeNo)
	if err != nil {
		return err
	}
	totals, err := t.kindTotals(ctx, scopeNo)
	if err != nil {
		return err
	}
	passages := totals.all().passages
	common, err := t.commonTerms(ctx, scopeNo, passages)
	if err != nil {
		return err
	}
	r := newPostingReader(scopeNo, change, passages, 0)
	r.step = loadedAtOnce
	for done := false; !done; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if done, err = t.readPostedTerms(ctx, r, common); err != nil {
			return err
		}
		if r.unfit {
			kept.unfit.Store(true)
			return nil
		}
	}
	set, err := t.catchUpPostings(ctx, scopeNo, r.set, change)
	if err != nil || set == nil {
		return err
	}
	if !common.odd {
		for term, l := range common.lists {
			set.lists.put(term, l)
		}
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if old := kept.set.Load(); old == nil || old.change < set.change {
		kept.set.Store(set)
		t.db.postings.keep(scopeNo, kept)
	}
	return nil
}

// commonLists are the lists of the commonest terms of a scope that is read. Where
// a passage holds what may be several terms to the index they are of no use.
type commonLists struct {
	lists map[string]*postingList
	odd   bool
	// slots find the lists by the hashes of their terms, a power of two of them:
	// each of many million words is looked for.
	slots []commonSlot
}

type commonSlot struct {
	hash uint32
	term string // empty for none
	list *postingList
}

// The hash of Fowler, Noll and Vo, of 32 bits.
const (
	hashBegin = 2166136261
	hashPrime = 16777619
)

func hashOf(term string) uint32 {
	h := uint32(hashBegin)
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * hashPrime
	}
	return h
}

// index makes the slots.
func (c *commonLists) index() {
	n := 64
	for n < 4*len(c.lists) {
		n *= 2
	}
	c.slots = make([]commonSlot, n)
	for term, l := range c.lists {
		at := hashOf(term)
		for c.slots[at%uint32(n)].list != nil {
			at++
		}
		c.slots[at%uint32(n)] = commonSlot{hashOf(term), term, l}
	}
}

// find returns the list of a term, or nil.
func (c *commonLists) find(term []byte, hash uint32) *postingList {
	mask := uint32(len(c.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		s := &c.slots[at]
		if s.list == nil || s.hash == hash && s.term == string(term) {
			return s.list
		}
	}
}

// add adds a passage, which comes after all before, to the lists of its terms.
func (c *commonLists) add(place uint32, terms []byte) {
	for len(terms) > 0 && !c.odd {
		n, hash := 0, uint32(hashBegin)
		other := byte(0) // letters and digits of ASCII are one term to the index, too
		for n < len(terms) && terms[n] != ' ' {
			hash = (hash ^ uint32(terms[n])) * hashPrime
			other |= partsTerms[terms[n]]
			n++
		}
		term := terms[:n]
		terms = terms[min(n+1, len(terms)):]
		if n == 0 {
			continue
		}
		if other != 0 {
			if !isTerm(string(term)) {
				c.odd = true
				return
			}
			form := indexForm(string(term))
			term, hash = []byte(form), hashOf(form)
		}
		if l := c.find(term, hash); l != nil {
			l.addOne(place)
		}
	}
}

// partsTerms is 1 for each byte that is no letter or digit of ASCII.
var partsTerms = func() (out [256]byte) {
	for b := range out {
		if b >= utf8.RuneSelf || !inTerm[b] {
			out[b] = 1
		}
	}
	return out
}()

// addOne counts a term of a passage, whose place is not below that of any before.
func (l *postingList) addOne(place uint32) {
	last := len(l.postings) - 1
	if last < 0 || l.postings[last].place() != place {
		l.add(place, 1)
		return
	}
	count := int64(l.count(l.postings[last])) + 1
	l.postings = l.postings[:last]
	l.add(place, count)
}

// readPostedTerms reads the next part of a scope, and the lists of terms.
func (t *tx) readPostedTerms(ctx context.Context, r *postingReader, common *commonLists) (done bool, err error) {
	n := int64(0)
	err = t.packed(ctx, func(packed []byte) error {
		for len(packed) > 0 {
			if len(packed) < postedSize+4 {
				return errPacked
			}
			p, rest, ok := unpackPosted(r.set.scopeNo, packed)
			if !ok || len(r.set.passages) == maxPosted {
				r.unfit = true
				return nil
			}
			size := int(binary.LittleEndian.Uint32(rest))
			if rest = rest[4:]; size > len(rest) {
				return errPacked
			}
			r.next = r.set.scopeNo<<scopeBits | int64(p.number) + 1
			common.add(r.set.add(p), rest[:size])
			packed = rest[size:]
			n++
		}
		return nil
	}, `SELECT pack(c0, c1, c2, c3, c4, c5, c6, c7) FROM (
		SELECT p.number AS c0, p.parent AS c1, p.seq AS c2, p.words AS c3, p.kind AS c4, p.type AS c5, p.retired_at IS NOT NULL AS c6,
			CAST(coalesce(w.c0, '') AS BLOB) AS c7
		FROM passage AS p LEFT JOIN word_content AS w ON w.id = p.number
		WHERE p.number BETWEEN ?1 AND ?2 ORDER BY p.number LIMIT ?3)`, r.next, r.last, r.step)
	return n < r.step && !r.unfit, err
}

// commonTerms returns empty lists, with room, for the terms that many of so many
// passages hold, by a sample: the commonest, as far as they are to be kept. What
// says nothing about the subject of a text is never asked for.
func (t *tx) commonTerms(ctx context.Context, scopeNo, passages int64) (*commonLists, error) {
	low, high := numbers(scopeNo)
	ends, err := t.queryIntegers(ctx, 2, `SELECT min(number), max(number) FROM passage WHERE number BETWEEN ? AND ?`, low, high)
	if err != nil || len(ends) < 2 {
		return &commonLists{odd: true}, err
	}
	places := make([]int64, sampled)
	for i := range places {
		places[i] = ends[0] + (ends[1]-ends[0])*int64(i)/sampled
	}
	packed, err := t.queryBlob(ctx, `SELECT pack(terms) FROM (
		SELECT CAST(w.c0 AS BLOB) AS terms FROM unpack(?) AS j CROSS JOIN word_content AS w
		ON w.id = (SELECT number FROM passage WHERE number >= j.c0 ORDER BY number LIMIT 1) LIMIT -1)`, packNumbers(places))
	if err != nil {
		return nil, err
	}
	held := make(map[string]int)
	for len(packed) >= 4 {
		size := int(binary.LittleEndian.Uint32(packed))
		if packed = packed[4:]; size > len(packed) {
			return nil, errPacked
		}
		terms := strings.Fields(string(packed[:size]))
		slices.Sort(terms)
		for _, term := range slices.Compact(terms) {
			held[term]++
		}
		packed = packed[size:]
	}
	maps.DeleteFunc(held, func(term string, n int) bool {
		return n < commonFrom || indexForm(term) != term || saysNothing(term)
	})
	out := &commonLists{lists: make(map[string]*postingList)}
	bytes := int64(0)
	for _, term := range slices.SortedFunc(maps.Keys(held), func(a, b string) int {
		return cmp.Or(cmp.Compare(held[b], held[a]), cmp.Compare(a, b))
	}) {
		room := int64(held[term]) * passages / sampled
		if bytes += 4 * room; bytes > maxWarmed {
			break
		}
		l := new(postingList)
		l.grow(int(room + room/32))
		out.lists[term] = l
	}
	out.index()
	return out, nil
}

// saysNothing reports whether a term is one of those that analysis leaves out of
// questions.
func saysNothing(term string) bool {
	tokens := text.Analyze(term)
	return len(tokens) == 1 && tokens[0].Stop
}
