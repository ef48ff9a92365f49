package lexical

import (
	"context"
	"slices"

	"github.com/strata-memory/strata/internal/index/passage"
)

// Pending holds the terms of the passages of a scope whose entries are not in the
// index yet. It is immutable. Every query scans it: indexing a few hundred short
// texts takes as long as scanning them a hundred times.
type Pending struct {
	change int64
	rows   []pendingRow // by number
}

// pendingRow holds the terms of one passage.
type pendingRow struct {
	number int64
	terms  string    // in the order of the text, folded
	held   [4]uint64 // fingerprints of the terms, as a bitmap, so that most rows need not be split
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

// mayHold reports whether the row may hold a term.
func (r *pendingRow) mayHold(term string) bool {
	f := passage.Fingerprint(term)
	return r.held[f/64]>>(f%64)&1 != 0
}

// count returns how often the row holds a term.
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

// entries returns the entries of a folded term, by number.
func (p *Pending) entries(term string) (out []Entry) {
	for i := range p.rows {
		if n := p.rows[i].count(term); n > 0 {
			out = append(out, NewEntry(p.rows[i].number, n))
		}
	}
	return out
}

// Phrase calls fn with each passage that holds the terms one after another, and how
// often it does. If prefix is set, the last term need only be the beginning of a
// word.
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

// bytes returns about how much memory the pending terms use.
func (p *Pending) bytes() (n int64) {
	const each = 64
	for i := range p.rows {
		n += each + int64(len(p.rows[i].terms))
	}
	return n
}

// mergePending merges pending entries into list. Both are sorted by number, and no
// passage is in both.
func mergePending(list, pending []Entry) []Entry {
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
