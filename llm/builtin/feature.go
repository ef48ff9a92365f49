package builtin

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// The features of a word and their strengths. Sizes and strengths were chosen by recall
// of evidence turns in conversations; neighboring values are within half a point.
const (
	minGram = 2
	maxGram = 4

	wordStrength = 1.0
	// gramStrength is the length of all n-grams of a word together, so that long words do
	// not outweigh short ones.
	gramStrength    = 0.9
	conceptStrength = 0.7

	// slotsPerFeature spreads each feature over several dimensions, which softens
	// accidental collisions of two strong features.
	slotsPerFeature = 2

	// unit is the fixed-point 1. Sums of integers do not depend on their order,
	// so the same text has the same vector on every platform.
	unit = 1 << 12

	// maxGramRunes bounds the part of a word whose n-grams count. Anything longer is a
	// hash or encoded data.
	maxGramRunes = 40
)

// feature is one addition to a vector.
type feature struct {
	slot   uint16 // below the length of the hashed part
	amount int16  // in units, signed
}

// Domains keep features of different kinds apart in the hash.
const (
	wordDomain    = 1
	conceptDomain = 2
	gramDomain    = 16 // plus the size of the n-gram
)

// hasher makes features for a hashed part with the given number of dimensions.
type hasher uint64

// appendWord appends the features of a token's word and n-grams.
func (dims hasher) appendWord(out []feature, t text.Token, weight float64) []feature {
	out = dims.appendFeature(out, hashString(wordDomain, t.Term), amountOf(weight*wordStrength))
	if t.Stop || text.HasUnspaced(t.Word) {
		return out // a pair of unspaced characters is an n-gram already
	}
	// Byte offsets of the characters, with the bounds of the word as characters
	// of their own: in "^cat$" a beginning differs from a middle.
	var buf [2 + 4*maxGramRunes]byte
	word := append(buf[:0], '^')
	runes := 0
	for _, r := range t.Word {
		if runes++; runes > maxGramRunes {
			break
		}
		word = utf8.AppendRune(word, r)
	}
	word = append(word, '$')
	var offsets [maxGramRunes + 3]int
	n := 0
	for i := range word {
		if utf8.RuneStart(word[i]) {
			offsets[n] = i
			n++
		}
	}
	offsets[n] = len(word)

	grams := 0
	for size := minGram; size <= maxGram; size++ {
		grams += max(0, n-size+1)
	}
	if grams == 0 {
		return out
	}
	amount := amountOf(weight * gramStrength / math.Sqrt(float64(grams)))
	out = slices.Grow(out, slotsPerFeature*grams)
	for size := minGram; size <= maxGram; size++ {
		for i := 0; i+size <= n; i++ {
			h := hashBytes(gramDomain+uint64(size), word[offsets[i]:offsets[i+size]])
			out = dims.appendFeature(out, h, amount)
		}
	}
	return out
}

// concept returns the features of a concept group, in a fixed order.
func (dims hasher) concept(group int32) (out [slotsPerFeature]feature) {
	dims.appendFeature(out[:0], mix(conceptDomain<<32|uint64(group)), amountOf(conceptStrength))
	return out
}

// appendFeature appends the slots of a hashed feature, each a dimension and a sign.
// Because of the signs, collisions cancel out on average (Weinberger et al., "Feature
// hashing for large scale multitask learning", 2009).
func (dims hasher) appendFeature(out []feature, h uint64, amount int16) []feature {
	for range slotsPerFeature {
		a := amount
		if h&1 == 0 {
			a = -a
		}
		out = append(out, feature{slot: uint16((h >> 1) % uint64(dims)), amount: a})
		h = mix(h + 0x9e3779b97f4a7c15)
	}
	return out
}

// amountOf returns what a feature of a given strength adds in each of its slots.
func amountOf(strength float64) int16 {
	return int16(math.Round(strength * (unit / math.Sqrt2))) // Sqrt2: slotsPerFeature
}

// hashString is FNV-1a with a domain and a finalizer. It must never change, because that
// would change every vector.
func hashString(domain uint64, s string) uint64 {
	h := fnvOffset ^ domain
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return mix(h)
}

func hashBytes(domain uint64, s []byte) uint64 {
	h := fnvOffset ^ domain
	for _, c := range s {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return mix(h)
}

const (
	fnvOffset uint64 = 14695981039346656037
	fnvPrime  uint64 = 1099511628211
)

// mix spreads every bit of h over all bits (the 64-bit finalizer of MurmurHash3).
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
