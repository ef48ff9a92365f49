package sqlite

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store/sqlite/packed"
)

// waitingTerms are the terms of the passages of a scope that wait to go into the
// index of words, as of a change number. It is never changed once others can see
// it. They are looked through for each question: to make an index of some hundred
// short texts takes as long as looking through them a hundred times.
type waitingTerms struct {
	change int64
	rows   []waitingRow // by number
}

// waitingRow are the terms of one passage.
type waitingRow struct {
	number int64
	terms  string    // in order, in the form of the index
	looks  [4]uint64 // bits of what the terms look like: most rows need not be parted
}

// nothingWaits are the terms of a scope of which nothing waits.
var nothingWaits = new(waitingTerms)

func newWaitingRow(number int64, terms string) waitingRow {
	r := waitingRow{number: number, terms: indexForm(terms)}
	for term := range passage.Terms(r.terms) {
		look := passage.Fingerprint(term)
		r.looks[look/64] |= 1 << (look % 64)
	}
	return r
}

// mayHold reports whether a term may be one of those of the row.
func (r *waitingRow) mayHold(term string) bool {
	look := passage.Fingerprint(term)
	return r.looks[look/64]>>(look%64)&1 != 0
}

// count is how often the row holds a term.
func (r *waitingRow) count(term string) (n int64) {
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

// entries are those of a term, by number.
func (s *waitingTerms) entries(term string) (out []termEntry) {
	term = indexForm(term)
	for i := range s.rows {
		if n := s.rows[i].count(term); n > 0 {
			out = append(out, newTermEntry(s.rows[i].number, n))
		}
	}
	return out
}

// phrase returns rows of number and count for the passages that hold a phrase; of
// its last term the beginning is enough if prefix is set.
func (s *waitingTerms) phrase(terms []string, prefix bool) (found packed.Rows, err error) {
	phrase := make([]string, len(terms))
	for i, term := range terms {
		phrase[i] = indexForm(term)
	}
	whole := phrase
	if prefix {
		whole = phrase[:len(phrase)-1]
	}
	var in []string
	for i := range s.rows {
		row := &s.rows[i]
		if !all(whole, row.mayHold) || !strings.Contains(row.terms, phrase[len(phrase)-1]) {
			continue
		}
		in = slices.AppendSeq(in[:0], passage.Terms(row.terms))
		if n := passage.CountPhrase(in, phrase, prefix); n > 0 {
			if err := found.Add(row.number, int64(n)); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// withWaiting adds entries to those of table word. Both rise by number, and no
// passage is in both.
func withWaiting(list, waiting []termEntry) []termEntry {
	from := len(list)
	list = append(list, waiting...)
	for to := len(list) - 1; len(waiting) > 0; to-- {
		if last := waiting[len(waiting)-1]; from == 0 || list[from-1] < last {
			list[to], waiting = last, waiting[:len(waiting)-1]
		} else {
			from--
			list[to] = list[from]
		}
	}
	return list
}
