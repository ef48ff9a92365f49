package recall

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/evidence"
	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/token"
)

// page is the part of the ranked candidates that is shown.
type page struct {
	hits    []strata.Hit
	tokens  int  // cost of the texts; 0 without a budget
	dropped int  // number of hits that the budget left out
	next    int  // offset of the next page; 0 if there is none
	full    bool // more candidates would change nothing
}

// results turns the ranked candidates into hits, best first. It leaves out candidates
// that lack evidence, were shown before or repeat another text, limits the sections of
// each document, and stays within the limit and the token budget.
func (f *finder) results() page {
	q := f.req.Query
	f.weak = 0
	s := f.newSelection()
	beyond := 0 // in a recall, the candidates examined after the page was full
	for _, c := range f.ranked {
		if len(s.hits) == f.limit && !q.Search {
			// What comes after so many is no better.
			if beyond++; !q.Pages || beyond > f.limit {
				s.full = true
				return s.page
			}
		}
		h := f.hit(c)
		if !s.admits(c, h) {
			continue
		}
		if s.found++; s.found <= q.Offset {
			continue
		}
		if len(s.hits) == f.limit { // so there is another page
			s.next, s.full = s.found-1, true
			return s.page
		}
		if s.add(c, h); s.full {
			return s.page
		}
	}
	// Later candidates are no better, so none is read just to find some with evidence.
	s.full = !q.Search && len(s.hits)+f.weak >= f.limit
	if q.Pages && len(s.hits) == f.limit && f.weak == 0 {
		s.full = false // all that was read is shown: there may be another page
	}
	return s.page
}

// selection chooses the hits of a page.
type selection struct {
	page
	f        *finder
	floor    float64         // least evidence of a hit
	seen     map[string]bool // ids of hits and documents shown before
	texts    map[string]bool // dedupKeys of the texts of the hits
	sections map[string]int  // number of hits from each document
	sessions map[string]bool // sessions of the hits, if sessions are ranked
	found    int             // number of hits so far, including those of earlier pages
}

func (f *finder) newSelection() *selection {
	s := &selection{
		f: f, floor: evidence.Floor(f.req.Query), seen: make(map[string]bool, len(f.req.Query.Seen)),
		texts: make(map[string]bool), sections: make(map[string]int), sessions: make(map[string]bool),
	}
	for _, id := range f.req.Query.Seen {
		s.seen[id] = true
	}
	return s
}

// admits reports whether a candidate, given as the hit h, may join the hits before it,
// and records it if so.
func (s *selection) admits(c *candidate, h strata.Hit) bool {
	q := s.f.req.Query
	key := dedupKey(h.Text)
	if s.seen[h.ID] || s.texts[key] && !q.Sessions { // two sessions stay distinct even if their best turns are equal
		return false
	}
	if h.Evidence < s.floor && !q.All {
		s.f.weak++
		return false
	}
	if q.Sessions {
		session := h.Scope.Key() + "/" + h.Session
		if s.sessions[session] {
			return false
		}
		s.sessions[session] = true
	}
	if d := c.item.Document; d != nil {
		if d.Foreign && q.Automatic || s.seen[d.ID] || !q.Search && s.sections[d.ID] == maxPerDocument(s.f.limit) {
			return false
		}
		s.sections[d.ID]++
	}
	s.texts[key] = true
	return true
}

// add adds a hit to the page if the token budget allows. It sets full once the budget is
// used up.
func (s *selection) add(c *candidate, h strata.Hit) {
	q := s.f.req.Query
	passages, best := s.f.markPassage(&h, c.item.Span)
	if q.Tokens > 0 {
		n := s.f.fitText(&h, passages, best)
		if n > q.Tokens { // too long for any page; later hits may still fit
			s.dropped++
			return
		}
		if s.tokens+n > q.Tokens {
			s.dropped++
			s.full = true
			if q.Search || q.Pages {
				s.next = s.found - 1
			}
			return
		}
		s.tokens += n
	}
	s.hits = append(s.hits, h)
}

// fitText cuts the text of a long hit to about an equal share of the token budget and
// returns the tokens of the text.
func (f *finder) fitText(h *strata.Hit, passages []text.Span, best int) int {
	if len(passages) == 0 {
		return token.Count(h.Text)
	}
	return shorten(h, passages, best, f.req.Query.Tokens/f.limit)
}

// maxPerDocument returns how many of limit hits may be sections of one document: a third,
// and at least two. Several files that answer are worth more than ten sections of one
// that repeats a word. But if only a long file answers, more than one place in it may be
// needed.
func maxPerDocument(limit int) int { return max(2, limit/3) }

// dedupKey returns a key that is equal for texts with the same words, ignoring case,
// spacing and punctuation.
func dedupKey(s string) string {
	if key, ok := asciiKey(s); ok {
		return key
	}
	s = text.Normalize(s)
	if words := strings.Join(strings.FieldsFunc(s, notWord), " "); words != "" {
		return words
	}
	return s
}

// notWord reports whether r is neither a letter nor a number.
func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// asciiKey is a fast path of dedupKey for ASCII texts that have words; for others it
// returns false. Without it, a whole recall takes a tenth longer.
func asciiKey(s string) (key string, ok bool) {
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

// spreadDocuments moves sections back if their document already has a third of the hits
// before them, so that a search shows other files as well. It drops nothing.
func (f *finder) spreadDocuments(ranked []*candidate) []*candidate {
	if q := f.req.Query; !q.Search || q.Path != "" {
		return ranked
	}
	out := make([]*candidate, 0, len(ranked))
	sections := make(map[string]int)
	rest := slices.Clone(ranked)
	for len(rest) > 0 {
		i := slices.IndexFunc(rest, func(c *candidate) bool {
			return c.item.Document == nil || sections[c.item.Document.ID] < maxPerDocument(len(out)+1)
		})
		if i < 0 {
			return append(out, rest...)
		}
		if d := rest[i].item.Document; d != nil {
			sections[d.ID]++
		}
		out, rest = append(out, rest[i]), slices.Delete(rest, i, i+1)
	}
	return out
}

// notes returns messages about what was left out of a page.
func (f *finder) notes(found page) []string {
	hits, dropped := len(found.hits), found.dropped
	var out []string
	if hits == 0 && f.weak > 0 && f.req.Query.Offset == 0 && !f.req.Query.Automatic {
		out = append(out, "nothing in memory has evidence enough to answer; ask with all to see what comes nearest")
	}
	if dropped > 0 {
		out = append(out, fmt.Sprintf("hits were left out to stay within %d tokens", f.req.Query.Tokens))
	}
	if f.outside > 0 {
		out = append(out, "what was said outside the time that the question names was left out")
	}
	if f.req.Analysis.Truncated {
		out = append(out, fmt.Sprintf("only the first %d words of the question were looked up", question.MaxTerms))
	}
	return out
}
