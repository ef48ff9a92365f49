// Package neardup makes the keys by which a text is found that says nearly the
// same as another, without looking at all the others.
//
// A [Sketch] holds hashes of parts of a text's content terms, chosen so that two
// texts share one if their terms are equal, if one has a term more, or if one
// term differs. Many terms are divided into three groups by their hashes. A
// change of one term touches two groups at the most, so the third is the same in
// both. Few terms would leave groups empty; of them the whole is taken, and the
// whole without each term in turn. With the keys comes a set of bits, one for
// each term: two texts that share a part of their terms by chance differ in too
// many bits and need not be read. Why: docs/decisions/0003-near-duplicates.md.
package neardup

import (
	"math/bits"
	"slices"

	"github.com/strata-memory/strata/internal/text"
)

const (
	// fewTerms is up to how many content terms are taken whole; one more is
	// taken both ways, so that a text finds one with a term more or less.
	fewTerms = 5
	// groups is into how many groups more terms are divided.
	groups = 3
	// MaxApart is in how many bits two texts that say nearly the same may
	// differ: one term gone and one come.
	MaxApart = 2
)

// A Sketch is what is kept of a text to find others like it.
type Sketch struct {
	Keys []int64 // rising; those like it share one
	Bits uint64  // one for each term
}

// Of returns the sketch of a text. A text without content terms has no keys.
func Of(a *text.Analysis) Sketch {
	hashes := a.Hashes()
	var out Sketch
	for _, h := range hashes {
		out.Bits |= 1 << (h % 64)
	}
	if n := len(hashes); 0 < n && n <= fewTerms+1 {
		out.Keys = append(out.Keys, groupKey(hashes, func(int, uint64) bool { return true }))
		for skip := 0; skip < n && n > 1; skip++ {
			out.Keys = append(out.Keys, groupKey(hashes, func(i int, _ uint64) bool { return i != skip }))
		}
	}
	if len(hashes) >= fewTerms {
		for g := range uint64(groups) {
			in := func(_ int, h uint64) bool { return h>>32%groups == g }
			if slices.ContainsFunc(hashes, func(h uint64) bool { return in(0, h) }) {
				out.Keys = append(out.Keys, groupKey(hashes, in))
			}
		}
	}
	slices.Sort(out.Keys)
	out.Keys = slices.Compact(out.Keys)
	return out
}

// groupKey hashes those of the sorted hashes that are in a group.
func groupKey(hashes []uint64, in func(i int, h uint64) bool) int64 {
	var key uint64
	for i, h := range hashes {
		if in(i, h) {
			key = text.Mix(key ^ h)
		}
	}
	return int64(key)
}

// Apart returns in how many bits the sets of two sketches differ.
func Apart(a, b uint64) int { return bits.OnesCount64(a ^ b) }

// Like reports whether two sketches find each other: they share a key and hardly
// differ in their bits.
func (s Sketch) Like(o Sketch) bool {
	shared := slices.ContainsFunc(s.Keys, func(k int64) bool { return slices.Contains(o.Keys, k) })
	return shared && Apart(s.Bits, o.Bits) <= MaxApart
}
