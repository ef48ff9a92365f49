package lexical

import (
	"context"
	"slices"

	"github.com/strata-memory/strata/internal/index/passage"
)

// Pending are the terms of the passages of a scope whose entries are not in the
// index yet. Nothing in it changes. They are looked through for each question: to
// make an index of some hundred short texts takes as long as looking through them
// a hundred times.
type Pending struct {
	change int64
	rows   []pendingRow // by number
}

// pendingRow are the terms of one passage.
type pendingRow struct {
	number int64
	terms  string    // in order, folded
	held   [4]uint64 // bits of the fingerprints of terms: most rows need not be parted
}

// readPending reads the terms that are pending in a scope.
func readPending(ctx context.Context, src Source, scope int64) (*Pending, error) {
	p := new(Pending)
	err := src.Pending(ctx, scope, func(number int64, terms string) error {
		r := pendingRow{number: number, terms: Fold(terms)}
		for term := range passage.Terms(r.terms) {
			f := passage.Fingerprint(term)
			r.held[f/64] |= 1 << (f % 64)
		}
		p.rows = append(p.rows, r)
		return nil
	})
	return p, err
}

// mayHold reports whether a term may be one of those of the row.
func (r *pendingRow) mayHold(term string) bool {
	f := passage.Fingerprint(term)
	return r.held[f/64]>>(f%64)&1 != 0
}

// count is how often the row holds a term.
func (r *pendingRow) count(term string) (n int64) {
	if !r.mayHold(term) {
		return 0
	}
	for t := range passage.Terms(r.terms) {
		if t == term {
			n++
		}
	}
	return n
}

// entries are those of a folded term, by number.
func (p *Pending) entries(term string) (out []Entry) {
	for i := range p.rows {
		if n := p.rows[i].count(term); n > 0 {
			out = append(out, NewEntry(p.rows[i].number, n))
		}
	}
	return out
}

// Phrase calls fn with the passages that hold some terms one after another, and
// how often; of the last one the beginning is enough if prefix is set.
func (p *Pending) Phrase(terms []string, prefix bool, fn func(number, count int64) error) error {
	phrase := make([]string, len(terms))
	for i, term := range terms {
		phrase[i] = Fold(term)
	}
	whole := phrase
	if prefix {
		whole = phrase[:len(phrase)-1]
	}
	var in []string
	for i := range p.rows {
		r := &p.rows[i]
		if slices.ContainsFunc(whole, func(term string) bool { return !r.mayHold(term) }) {
			continue
		}
		in = slices.AppendSeq(in[:0], passage.Terms(r.terms))
		if n := passage.CountPhrase(in, phrase, prefix); n > 0 {
			if err := fn(r.number, int64(n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// bytes is about what they take of memory.
func (p *Pending) bytes() (n int64) {
	const each = 64
	for i := range p.rows {
		n += each + int64(len(p.rows[i].terms))
	}
	return n
}

// withPending adds entries to others. Both rise by number, and no passage is in
// both.
func withPending(list, pending []Entry) []Entry {
	from := len(list)
	list = append(list, pending...)
	for to := len(list) - 1; len(pending) > 0; to-- {
		if last := pending[len(pending)-1]; from == 0 || list[from-1] < last {
			list[to], pending = last, pending[:len(pending)-1]
		} else {
			from--
			list[to] = list[from]
		}
	}
	return list
}
