package sqlite

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store/sqlite/packed"
)

// The first look at a word that a tenth of a million passages hold takes as long
// as all the rest of a recall. So the lists of the commonest words of a large
// scope are read beside the questions. Those of rarer words are read when they
// are asked for, as are these while they are not there yet.

const (
	// sampled is how many passages tell which words are common, and commonFrom
	// how many of these hold a word that is: one in 250.
	sampled    = 2048
	commonFrom = 8
	// maxWarmed bounds the lists read so, in bytes.
	maxWarmed = 40 << 20
)

// warm has the list of a term in memory, if the scope is still kept.
func (t *tx) warm(ctx context.Context, scopeNo int64, kept *cachedPostings, term string) error {
	if kept.set.Load() == nil {
		return nil
	}
	set, err := t.newestPostings(ctx, scopeNo, kept)
	if err != nil || set == nil {
		return err
	}
	_, err = t.listsOf(ctx, set, []string{term})
	return err
}

// commonTerms returns the terms that many of so many passages hold, by a sample,
// the commonest first, as far as their lists are to be kept. What says nothing
// about the subject of a text is never asked for.
func (t *tx) commonTerms(ctx context.Context, scopeNo, passages int64) ([]string, error) {
	low, high := passage.Numbers(scopeNo)
	ends, err := t.queryIntegers(ctx, 2, `SELECT min(number), max(number) FROM passage WHERE number BETWEEN ? AND ?`, low, high)
	if err != nil || len(ends) < 2 {
		return nil, err
	}
	places := make([]int64, sampled)
	for i := range places {
		places[i] = ends[0] + (ends[1]-ends[0])*int64(i)/sampled
	}
	packed, err := t.queryBlob(ctx, `SELECT pack(terms) FROM (
		SELECT CAST(`+termsOfPassage+` AS BLOB) AS terms FROM unpack(?) AS j CROSS JOIN passage AS p
		ON p.number = (SELECT number FROM passage WHERE number >= j.c0 ORDER BY number LIMIT 1)`+joinTerms+` LIMIT -1)`, packed.Numbers(places))
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
	var out []string
	bytes := int64(0)
	for _, term := range slices.SortedFunc(maps.Keys(held), func(a, b string) int {
		return cmp.Or(cmp.Compare(held[b], held[a]), cmp.Compare(a, b))
	}) {
		if bytes += int64(unsafe.Sizeof(posting(0))) * int64(held[term]) * passages / sampled; bytes > maxWarmed {
			break
		}
		out = append(out, term)
	}
	return out, nil
}

// saysNothing reports whether a term is one of those that analysis leaves out of
// questions.
func saysNothing(term string) bool {
	tokens := text.Analyze(term)
	return len(tokens) == 1 && tokens[0].Stop
}
