package timeexpr

import (
	"strings"
	"time"

	"github.com/strata-memory/strata/internal/text"
)

// unit is a unit in which people count time.
type unit struct {
	start func(day time.Time) time.Time        // returns the first day of the unit that holds day
	add   func(day time.Time, n int) time.Time // returns the day n units later
}

// weekStart returns the Monday of a day's week.
func weekStart(day time.Time) time.Time {
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

var (
	dayUnit = unit{
		func(t time.Time) time.Time { return t },
		func(t time.Time, n int) time.Time { return t.AddDate(0, 0, n) },
	}
	weekUnit = unit{weekStart, func(t time.Time, n int) time.Time { return t.AddDate(0, 0, 7*n) }}
	// Adding months to the last days of a month may overflow into the next one. That does
	// not matter here: spans begin on the first of a month or need no such precision.
	monthUnit = unit{
		func(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.Day()) },
		func(t time.Time, n int) time.Time { return t.AddDate(0, n, 0) },
	}
	yearUnit = unit{
		func(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.YearDay()) },
		func(t time.Time, n int) time.Time { return t.AddDate(n, 0, 0) },
	}

	units = map[string]unit{
		"day": dayUnit, "days": dayUnit, "week": weekUnit, "weeks": weekUnit,
		"month": monthUnit, "months": monthUnit, "year": yearUnit, "years": yearUnit,
	}

	months = map[string]time.Month{
		"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7,
		"august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
		"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9,
		"oct": 10, "nov": 11, "dec": 12,
	}
	// ambiguous holds the names of months that are also other words or names of people.
	ambiguous = map[string]bool{"may": true, "march": true, "mar": true, "jan": true, "dec": true, "sep": true, "august": true, "april": true, "june": true}

	// seasons holds the first month of each season in the northern hemisphere.
	seasons = map[string]time.Month{
		"spring": time.March, "summer": time.June, "autumn": time.September, "fall": time.September, "winter": time.December,
	}

	weekdays = map[string]time.Weekday{
		"monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6, "sunday": 0,
	}

	numerals = map[string]int{
		"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
		"nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	}
)

// instants holds the units that count to the minute rather than in whole days.
var instants = map[string]time.Duration{
	"hour": time.Hour, "hours": time.Hour, "minute": time.Minute, "minutes": time.Minute,
}

// Parse parses a text that consists of a time, as people write it in a setting or a flag.
// It accepts an RFC 3339 time; a date such as 2026-05-01, which is a day in UTC; what
// [Find] reads as a span, in the time zone of now ("yesterday", "last week", "3 days
// ago", "May 2026"); and "now" and "2 hours ago". It returns the span, which is empty for
// a single moment, and whether the text is a time.
func Parse(s string, now time.Time) (Range, bool) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return Range{t.UTC(), t.UTC()}, true
	}
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return Range{t, t.AddDate(0, 0, 1)}, true
	}
	if strings.HasPrefix(strings.TrimSpace(s), "-") {
		return Range{}, false // words drop the sign, so "-3 days ago" would parse as past
	}
	p := parser{words: inEnglish(text.Words(s)), now: now}
	if t, ok := p.instant(); ok {
		return Range{t, t}, true
	}
	r, n, ok := p.span(0, true)
	return r, ok && n == len(p.words) && !r.From.IsZero()
}

// instant reads "now" and times given in hours or minutes ago.
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
