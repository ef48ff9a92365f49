package lexical

import (
	"strings"

	"github.com/strata-memory/strata/internal/index/passage"
)

// Fold is a term as the index has it: the two forms of the Greek small sigma are
// one. No other letters that package internal/text leaves in terms are folded by
// an index of words.
func Fold(term string) string { return strings.ReplaceAll(term, "ς", "σ") }

// countTerms counts the terms of a passage, folded. It reports false where one is
// none that [passage.IsTerm] accepts: an index takes it for several, or for none.
func countTerms(terms string, counts map[string]int64) (ok bool) {
	for term := range passage.Terms(terms) {
		if !passage.IsTerm(term) {
			return false
		}
		counts[Fold(term)]++
	}
	return true
}

// Entry says that a passage holds a term: the lower part of its number, and how
// often it does in the lowest bits.
type Entry uint64

// entryBits is how many bits of an entry count. The rest has room for every
// number of a scope.
const entryBits = 64 - passage.ScopeBits

// NewEntry is the entry of a passage that holds a term so often.
func NewEntry(number, count int64) Entry {
	return Entry(number&lowMask)<<entryBits | Entry(min(count, 1<<entryBits-1))
}

// lowMask has the bits of a number that tell passages of a scope apart.
const lowMask = 1<<passage.ScopeBits - 1

func (e Entry) low() int64   { return int64(e >> entryBits) }
func (e Entry) count() int64 { return int64(e & (1<<entryBits - 1)) }
