package recall

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/token"
)

// cut turns the ranked candidates into hits: without what was shown before,
// without what says the same again, with the best sections of each document,
// within the limit and the budget. full tells
// that more candidates would change nothing.
func (f *finder) cut() (hits []strata.Hit, tokens, dropped int, full bool) {
	q := f.req.Query
	shown := make(map[string]bool, len(q.Seen))
	for _, id := range q.Seen {
		shown[id] = true
	}
	said := make(map[string]bool)
	sections := make(map[string]int) // hits of each document
	for _, c := range f.ranked {
		if len(hits) == f.limit {
			return hits, tokens, dropped, true
		}
		h := f.hit(c)
		same := sameText(h.Text)
		if shown[h.ID] || said[same] {
			continue
		}
		if d := c.item.Document; d != nil {
			if shown[d.ID] || sections[d.ID] == perDocument(f.limit) {
				continue
			}
			sections[d.ID]++
		}
		said[same] = true
		if q.Tokens > 0 {
			n := token.Count(h.Text)
			if n > q.Tokens { // fits in no case; what follows may
				dropped++
				continue
			}
			if tokens+n > q.Tokens {
				return hits, tokens, dropped + 1, true
			}
			tokens += n
		}
		hits = append(hits, h)
	}
	return hits, tokens, dropped, len(hits) == f.limit
}

// notes tell what was left out of the answer.
func (f *finder) notes(dropped int) []string {
	var out []string
	if dropped > 0 {
		out = append(out, fmt.Sprintf("hits were left out to stay within %d tokens", f.req.Query.Tokens))
	}
	if f.outside > 0 {
		out = append(out, "what was said outside the time that the question names was left out")
	}
	if f.req.Analysis.Cut {
		out = append(out, fmt.Sprintf("only the first %d telling words of the question were looked up", maxTerms))
	}
	return out
}

// sameText is equal for texts that say the same in the same words, whatever
// their case, spacing and punctuation.
func sameText(s string) string {
	if words, ok := plainWords(s); ok {
		return words
	}
	s = text.Normalize(s)
	words := strings.Join(strings.FieldsFunc(s, notWord), " ")
	if words == "" {
		return s
	}
	return words
}

// plainWords is sameText for a text of ASCII that has words, without the steps
// that are for others.
func plainWords(s string) (words string, ok bool) {
	out := make([]byte, 0, len(s))
	apart := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			return "", false
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case !('a' <= c && c <= 'z' || '0' <= c && c <= '9'):
			apart = true
			continue
		}
		if apart && len(out) > 0 {
			out = append(out, ' ')
		}
		out, apart = append(out, c), false
	}
	return string(out), len(out) > 0
}
