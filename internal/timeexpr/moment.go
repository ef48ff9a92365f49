package timeexpr

import (
	"strings"
	"time"

	"github.com/strata-memory/strata/internal/text"
)

// instants are the units that are counted to the minute and not in whole days.
var instants = map[string]time.Duration{
	"hour": time.Hour, "hours": time.Hour, "minute": time.Minute, "minutes": time.Minute,
}

// Parse reads a text that is a time and nothing else, as a person writes it for a
// setting or a flag: an RFC 3339 time, a date such as 2026-05-01, which is a day in UTC,
// or what [Find] reads as a span, in the time zone of now: "yesterday", "last week",
// "3 days ago", "May 2026". Beside those it reads "now" and "2 hours ago". It returns the
// span that is meant, which is empty for a single moment, and whether the text is a time.
func Parse(s string, now time.Time) (Range, bool) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return Range{t.UTC(), t.UTC()}, true
	}
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return Range{t, t.AddDate(0, 0, 1)}, true
	}
	if strings.HasPrefix(strings.TrimSpace(s), "-") {
		return Range{}, false // words have no sign: "-3 days ago" would be in the past
	}
	p := parser{words: inEnglish(text.Words(s)), now: now}
	if t, ok := p.instant(); ok {
		return Range{t, t}, true
	}
	r, n, ok := p.span(0, true)
	return r, ok && n == len(p.words) && !r.From.IsZero()
}

// instant reads "now" and times that are counted in hours and minutes.
func (p *parser) instant() (time.Time, bool) {
	if len(p.words) == 1 && p.word(0) == "now" {
		return p.now, true
	}
	count, n, ok := p.count(0)
	unit, isUnit := instants[p.word(n)]
	if !ok || !isUnit || p.word(n+1) != "ago" || len(p.words) != n+2 {
		return time.Time{}, false
	}
	return p.now.Add(-time.Duration(count) * unit), true
}
