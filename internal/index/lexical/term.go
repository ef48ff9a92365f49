package lexical

import (
	"strings"

	"github.com/strata-memory/strata/internal/index/passage"
)

// Fold returns a term as the index holds it: both forms of the Greek small sigma
// become one. The word index folds no other letters that package internal/text
// leaves in terms.
func Fold(term string) string { return strings.ReplaceAll(term, "ς", "σ") }

// countTerms adds the folded terms of a passage to counts. It reports false if
// [passage.IsTerm] rejects one: the index may split such a term or drop it.
func countTerms(terms string, counts map[string]int64) (ok bool) {
	for term := range passage.Terms(terms) {
		if !passage.IsTerm(term) {
			return false
		}
		counts[Fold(term)]++
	}
	return true
}

// Entry says that a passage holds a term: the upper bits are the low part of its
// number, the lower entryBits how often it holds the term.
type Entry uint64

// entryBits is how many bits of an entry hold the count. The rest have room for
// every number of a scope.
const entryBits = 64 - passage.ScopeBits

// NewEntry returns the entry of a passage that holds a term count times.
func NewEntry(number, count int64) Entry {
	return Entry(number&lowMask)<<entryBits | Entry(min(count, 1<<entryBits-1))
}

// lowMask masks the bits of a number that distinguish the passages of a scope.
const lowMask = 1<<passage.ScopeBits - 1

func (e Entry) low() int64   { return int64(e >> entryBits) }
func (e Entry) count() int64 { return int64(e & (1<<entryBits - 1)) }
