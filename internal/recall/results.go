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

// page is what of the ranked candidates is shown.
type page struct {
	hits    []strata.Hit
	tokens  int  // what their texts cost; 0 without a budget
	dropped int  // hits that the budget left out
	next    int  // of pages, the offset of the hits after these; 0 where there are none
	full    bool // more candidates would change nothing
}

// results turns the ranked candidates into hits, best first: without what has no
// evidence, what was shown before and what repeats another text, with the best sections
// of each document, and within the limit and the budget of tokens.
func (f *finder) results() page {
	q := f.req.Query
	f.weak = 0
	s := f.newSelection()
	beyond := 0 // of a recall, the candidates that were looked at behind a full page
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
		if len(s.hits) == f.limit { // there is another page
			s.next, s.full = s.found-1, true
			return s.page
		}
		if s.add(c, h); s.full {
			return s.page
		}
	}
	// What comes after so many is no better: it is not read to find some with evidence.
	s.full = !q.Search && len(s.hits)+f.weak >= f.limit
	if q.Pages && len(s.hits) == f.limit && f.weak == 0 {
		s.full = false // there may be another page: all that was read answers
	}
	return s.page
}

// selection chooses the hits of a page.
type selection struct {
	page
	f        *finder
	floor    float64         // of evidence
	seen     map[string]bool // ids of what was shown before
	texts    map[string]bool // keys of those of the hits
	sections map[string]int  // hits of each document
	sessions map[string]bool // of the hits, where sessions are ranked
	found    int             // the hits up to here, those of the pages before too
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

// admits reports whether a candidate, which as a hit is h, is a hit beside those before
// it, and counts it as one.
func (s *selection) admits(c *candidate, h strata.Hit) bool {
	q := s.f.req.Query
	key := dedupKey(h.Text)
	if s.seen[h.ID] || s.texts[key] && !q.Sessions { // sessions are others, whatever their best turns say
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

// add adds a hit to the page, as far as the budget of tokens allows. Where the budget is
// used up, the page is full.
func (s *selection) add(c *candidate, h strata.Hit) {
	q := s.f.req.Query
	passages, best := s.f.markPassage(&h, c.item.Span)
	if q.Tokens > 0 {
		n := s.f.fitText(&h, passages, best)
		if n > q.Tokens { // does not fit at all; what follows may
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

// fitText cuts the text of a long hit, where there is a budget of tokens, to about the
// same share of it for each hit, and returns what the text costs.
func (f *finder) fitText(h *strata.Hit, passages []text.Span, best int) int {
	if len(passages) == 0 {
		return token.Count(h.Text)
	}
	return shorten(h, passages, best, f.req.Query.Tokens/f.limit)
}

// maxPerDocument returns how many of so many hits may be sections of one
// document: a third, and at least two. Several files that answer are worth more
// than ten sections of one that repeats a word, but where only a long file
// answers, more than one place in it may be needed.
func maxPerDocument(limit int) int { return max(2, limit/3) }

// dedupKey returns a key that is equal for texts of the same words, whatever
// their case, spacing and punctuation.
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

// notWord reports whether a character is neither letter nor number.
func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// asciiKey is dedupKey for a text of ASCII that has words, in one pass. Without it
// a whole recall takes a tenth longer.
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

// spreadDocuments puts off sections of a document that holds a third of the hits
// before them already, so that a search shows other files as well. Nothing is
// lost: they follow.
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

// notes say what was left out of a page.
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
