package recall

import (
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata/internal/text"
)

// RelativeTime is a time that a question tells by an event: "two weeks before the
// trip", "after the wedding". When the event was is known once its passage is
// found.
type RelativeTime struct {
	Terms []string // index terms of the event
	Count int      // units between; 0: none named
	Unit  string   // "day", "week", "month" or "year", or its plural
	After bool     // after the event instead of before
}

// sureEvent is the part of the event's words that a passage must match for its
// time to be taken.
const sureEvent = 0.5

// nearEvent is the span before or after an event where no unit is named.
const nearEvent = 30 * 24 * time.Hour

// maxEventTerms bounds the words of an event.
const maxEventTerms = 6

// parseRelativeTime finds a time that is told by an event; nil if there is none. What
// is a date to [ParseTime] is no event.
func parseRelativeTime(question string) *RelativeTime {
	p := timeParser{words: text.Words(question), now: time.Unix(0, 0).UTC()}
	for i, w := range p.words {
		if w != "before" && w != "after" {
			continue
		}
		if _, _, dated := p.span(i+1, true); dated {
			continue
		}
		a := RelativeTime{After: w == "after"}
		for _, tok := range text.Analyze(strings.Join(p.words[i+1:], " ")) {
			if !tok.Stop && len(a.Terms) < maxEventTerms {
				a.Terms = append(a.Terms, tok.Term)
			}
		}
		if len(a.Terms) == 0 {
			continue
		}
		if count, unit, ok := p.unitsBefore(i); ok {
			a.Count, a.Unit = count, unit
		}
		return &a
	}
	return nil
}

// unitsBefore reads the number of units that stands directly before the i-th
// word: "two weeks", "the week", "a few days".
func (p *timeParser) unitsBefore(i int) (count int, unit string, ok bool) {
	unit = p.word(i - 1)
	if _, known := units[unit]; !known {
		return 0, "", false
	}
	for from := max(i-4, 0); from < i-1; from++ {
		if n, words, ok := p.count(from); ok && from+words == i-1 {
			return n, unit, true
		}
	}
	return 1, unit, true
}

// around returns the span that lies so far from a day.
func (a *RelativeTime) around(day time.Time) TimeRange {
	if a.Count == 0 {
		if a.After {
			return TimeRange{day, day.Add(nearEvent)}
		}
		return TimeRange{day.Add(-nearEvent), day}
	}
	return offset(day, a.Count, units[a.Unit], a.After)
}

// offset is the span of one unit that lies count units before or after a day.
// One unit is meant to the day ("the week before"), several are not.
func offset(day time.Time, count int, u unit, after bool) TimeRange {
	if after {
		if count == 1 {
			return TimeRange{day, u.add(day, 2)}
		}
		from := u.add(u.start(day), count)
		return TimeRange{from, u.add(from, 1)}
	}
	if count == 1 {
		return TimeRange{u.add(day, -1), day}
	}
	from := u.add(u.start(day), -count)
	return TimeRange{from, u.add(from, 1)}
}

// settle finds when the event was that the question tells a time by, among the
// candidates that were read, and notes the span that is meant.
func (f *finder) settle(among []*candidate) {
	a := f.req.Analysis.Relative
	if a == nil || f.span != nil {
		return
	}
	var best *candidate
	for _, c := range among {
		if c.event >= sureEvent && !c.at().IsZero() && (best == nil || c.event > best.event) {
			best = c
		}
	}
	if best == nil {
		return
	}
	y, m, d := best.at().Date()
	r := a.around(time.Date(y, m, d, 0, 0, 0, 0, best.at().Location()))
	f.span = &r
}

// strict drops the candidates outside a time that the question insists on. A
// turn and a daily log have their day; other passages speak of any. If nothing
// is left, nothing is dropped.
func (f *finder) strict(among []*candidate) []*candidate {
	a := f.req.Analysis
	if f.span == nil || !a.Since && !a.Only {
		return among
	}
	outside := func(c *candidate) bool {
		if !c.dated() {
			return false
		}
		at := c.at()
		return at.Before(f.span.From) || a.Only && !at.Before(f.span.To)
	}
	if !slices.ContainsFunc(among, func(c *candidate) bool { return c.dated() && !outside(c) }) {
		return among
	}
	kept := slices.DeleteFunc(slices.Clone(among), outside)
	f.outside = len(among) - len(kept)
	return kept
}

// dated reports whether a candidate has a day of its own.
func (c *candidate) dated() bool {
	if c.item.Turn != nil {
		return !c.at().IsZero()
	}
	if c.item.Document != nil {
		_, ok := dayOf(*c.item.Document)
		return ok
	}
	return false
}
