package timeexpr

import (
	"strings"
	"time"

	"github.com/strata-memory/strata/internal/text"
)

// Relative is a time relative to an event: "two weeks before the trip", "after the
// wedding". Its span is known once the time of the event is.
type Relative struct {
	Terms []string // index terms of the event, at most maxEventTerms
	Count int      // units between the event and the time; 0 if none is named
	Unit  string   // "day", "week", "month", "year" or a plural; empty if none is named
	After bool     // after the event rather than before it
}

// maxEventTerms is the most terms of an event. Later words of a question are more likely
// to be about something else.
const maxEventTerms = 6

// nearEvent is the length of the span before or after an event where no unit is
// named.
const nearEvent = 30 * 24 * time.Hour

// FindRelative returns the first time among the words of a text that is relative to an
// event, or nil if there is none. Times relative to a date are left to [Find].
func FindRelative(words []string) *Relative {
	p := parser{words: words, now: time.Unix(0, 0).UTC()}
	for i, w := range p.words {
		if w != "before" && w != "after" {
			continue
		}
		if _, _, dated := p.span(i+1, true); dated {
			continue
		}
		r := Relative{After: w == "after"}
		for tok := range text.Tokens(strings.Join(p.words[i+1:], " ")) {
			if !tok.Stop && len(r.Terms) < maxEventTerms {
				r.Terms = append(r.Terms, tok.Term)
			}
		}
		if len(r.Terms) == 0 {
			continue
		}
		r.Count, r.Unit = p.unitsBefore(i)
		return &r
	}
	return nil
}

// unitsBefore reads the count and unit directly before the i-th word: "two weeks", "the
// week", "a few days". It returns 0 and "" if there is no unit.
func (p *parser) unitsBefore(i int) (count int, unit string) {
	unit = p.word(i - 1)
	if _, known := units[unit]; !known {
		return 0, ""
	}
	for from := max(i-4, 0); from < i-1; from++ {
		if n, words, ok := p.count(from); ok && from+words == i-1 {
			return n, unit
		}
	}
	return 1, unit
}

// Span returns the span that r means if the event was on the given day.
func (r *Relative) Span(day time.Time) Range {
	switch {
	case r.Count > 0:
		return offset(day, r.Count, units[r.Unit], r.After)
	case r.After:
		return Range{day, day.Add(nearEvent)}
	}
	return Range{day.Add(-nearEvent), day}
}

// offset returns the span of one unit that lies count units before or after a day. If
// count is 1, the span is counted from the day itself ("the week before"); otherwise it
// is a whole unit of the calendar.
func offset(day time.Time, count int, u unit, after bool) Range {
	switch {
	case count == 1 && after:
		return Range{day, u.add(day, 2)}
	case count == 1:
		return Range{u.add(day, -1), day}
	case !after:
		count = -count
	}
	from := u.add(u.start(day), count)
	return Range{from, u.add(from, 1)}
}
