package topics

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// glossaryName is one name of a glossary term: either words, found at word
// boundaries, or characters of a script without spaces, found anywhere.
type glossaryName struct {
	rank     int // in the list
	words    []string
	unspaced string
	tag      string
}

// glossaryIndex holds the names by what they begin with.
type glossaryIndex struct {
	byWord map[string][]glossaryName
	byRune map[rune][]glossaryName
}

var glossaryNames = sync.OnceValue(func() *glossaryIndex {
	ix := &glossaryIndex{byWord: map[string][]glossaryName{}, byRune: map[rune][]glossaryName{}}
	rank := 0
	for line := range lines(glossaryList) {
		tag, names, _ := strings.Cut(line, ": ")
		for name := range strings.SplitSeq(names, ", ") {
			n := glossaryName{rank: rank, tag: tag}
			rank++
			if text.HasUnspaced(name) || isEastern(name) {
				n.unspaced = name
				r, _ := utf8.DecodeRuneInString(name)
				ix.byRune[r] = append(ix.byRune[r], n)
			} else {
				n.words = text.Words(name)
				ix.byWord[n.words[0]] = append(ix.byWord[n.words[0]], n)
			}
		}
	}
	return ix
})

// glossaryHit is the first occurrence of a name.
type glossaryHit struct {
	at   int // in bytes, of the words joined by spaces or of the text
	name glossaryName
}

// glossaryHits returns the tags of the glossary terms in s, which r is, in
// order of first occurrence; at one place in order of the list.
func glossaryHits(s string, r reading) []string {
	var hits []glossaryHit
	add := func(at int, n glossaryName) {
		if !slices.ContainsFunc(hits, func(h glossaryHit) bool { return h.name.rank == n.rank }) {
			hits = append(hits, glossaryHit{at, n})
		}
	}
	at := 0
	for i, w := range r.known {
		for _, n := range w.names {
			if end := i + len(n.words); end <= len(r.words) && slices.Equal(r.words[i:end], n.words) {
				add(at, n)
			}
		}
		at += len(r.words[i]) + 1
	}
	if !text.IsASCII(s) && (text.HasUnspaced(s) || isEastern(s)) {
		ix, lower := glossaryNames(), strings.ToLower(s)
		for i, r := range lower {
			for _, n := range ix.byRune[r] {
				if strings.HasPrefix(lower[i:], n.unspaced) {
					add(i, n)
				}
			}
		}
	}
	if len(hits) == 0 {
		return nil
	}
	slices.SortFunc(hits, func(a, b glossaryHit) int { return cmp.Or(a.at-b.at, a.name.rank-b.name.rank) })
	tags := make([]string, len(hits))
	for i, h := range hits {
		tags[i] = h.name.tag
	}
	return tags
}
