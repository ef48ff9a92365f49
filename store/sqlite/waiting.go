package sqlite

import (
	"encoding/binary"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
)

// waitingTerms are the terms of the passages of a scope that wait to go into the
// index of words, as of a change number. Once others can see it nothing in it
// changes. Those that follow each other share their memory: what is new is
// written behind what the older ones see.
type waitingTerms struct {
	change int64
	rows   []waitingRow // in the order in which they came; some are gone
	gone   bitset       // of the places of rows
	index  *waitingIndex
}

// waitingRow are the terms of one passage.
type waitingRow struct {
	number int64
	terms  string // in order, in the form of the index
}

// waitingIndex has the rows that hold each term, those of newer sets included.
type waitingIndex struct {
	mu    sync.RWMutex // guards terms; held for a moment only
	terms map[string][]waitingEntry
}

// waitingEntry is the place of a row, and how often it holds a term.
type waitingEntry struct{ row, count uint32 }

// nothingWaits are the terms of a scope of which nothing waits.
var nothingWaits = newWaitingTerms(0)

func newWaitingTerms(change int64) *waitingTerms {
	return &waitingTerms{change: change, index: &waitingIndex{terms: make(map[string][]waitingEntry)}}
}

// add puts a passage behind the others. What older sets see stays as it is.
func (s *waitingTerms) add(number int64, terms string) {
	terms = indexForm(terms)
	place := uint32(len(s.rows))
	s.rows = append(s.rows, waitingRow{number, terms})
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	for term := range termsIn(terms) {
		list := s.index.terms[term]
		if n := len(list); n > 0 && list[n-1].row == place {
			list[n-1].count++
			continue
		}
		s.index.terms[term] = append(list, waitingEntry{place, 1})
	}
}

// lose takes out some passages, if they are there. Older sets keep them.
func (s *waitingTerms) lose(numbers map[int64]bool) {
	s.gone = append(slices.Clone(s.gone), make(bitset, len(s.rows)/64+1-len(s.gone))...)
	for place, row := range s.rows {
		if numbers[row.number] {
			s.gone.set(uint32(place))
		}
	}
}

// each goes through the rows that are there.
func (s *waitingTerms) each() iter.Seq[waitingRow] {
	return func(yield func(waitingRow) bool) {
		for place, row := range s.rows {
			if !s.gone.has(uint32(place)) && !yield(row) {
				return
			}
		}
	}
}

// entries are those of a term, by number.
func (s *waitingTerms) entries(term string) []termEntry {
	s.index.mu.RLock()
	list := s.index.terms[indexForm(term)]
	s.index.mu.RUnlock()
	if len(list) == 0 {
		return nil
	}
	out := make([]termEntry, 0, len(list))
	for _, e := range list {
		if int(e.row) < len(s.rows) && !s.gone.has(e.row) {
			out = append(out, newTermEntry(s.rows[e.row].number, int64(e.count)))
		}
	}
	slices.Sort(out)
	return out
}

// match returns the lower parts of the numbers of the passages that hold any of
// some terms, rising, and the hits of each as term_hits tells them.
func (s *waitingTerms) match(terms []string) (numbers []int64, hits map[int64][]byte) {
	hits = make(map[int64][]byte)
	for i, term := range terms {
		for _, e := range s.entries(term) {
			n := e.number()
			hits[n] = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(hits[n], uint32(i)), uint32(e.count()))
		}
	}
	return slices.Sorted(maps.Keys(hits)), hits
}

// phrase returns rows of number and count for the passages that hold a phrase.
func (s *waitingTerms) phrase(terms []string, prefix bool) (rows packedRows, err error) {
	phrase := make([]string, len(terms))
	for i, term := range terms {
		phrase[i] = indexForm(term)
	}
	var in []string
	for row := range s.each() {
		if !strings.Contains(row.terms, phrase[0]) {
			continue // most do not hold it, and to part a text takes longer
		}
		in = slices.AppendSeq(in[:0], termsIn(row.terms))
		if n := countPhrase(in, phrase, prefix); n > 0 {
			if err := rows.add(row.number, int64(n)); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
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
