// Package timeexpr reads time expressions in text: "last week", "since March 2023", "hace
// dos semanas", "two weeks before the trip".
//
// [Find] returns the span of time that an expression means at a given moment.
// [FindRelative] reads a time relative to an event, whose own time the caller has to find
// out. English is supported in full; expressions in Spanish, French, German, Italian and
// Portuguese are first translated into English, word by word. No text is an error: what
// the package does not understand is not a time expression.
package timeexpr

import (
	"strconv"
	"time"
)

// Range is a span of time. From is included and To is not. A zero From leaves the span
// open to the past.
type Range struct {
	From, To time.Time
}

// Contains reports whether at lies in r.
func (r Range) Contains(at time.Time) bool {
	return !at.Before(r.From) && at.Before(r.To)
}

// Expression is a time expression found in a text.
type Expression struct {
	Range
	// Since reports that the beginning of the span is meant as a limit ("since March"),
	// and Only that both ends are ("only in May").
	Since, Only bool
}

// Find returns the first time expression among the words of a text, which come from
// [text.Analysis.Words], and the span it means when said at now, in the time zone of now.
// It returns nil if there is none.
//
// It reads dates ("7 May 2023", "May 7th", "2023-05-07"), months, seasons and years ("in
// May", "summer 2022", "in 2023"), spans before now ("yesterday", "last week", "two weeks
// ago", "in the past three months", "this year") and limits ("since March", "before
// 2020", "after 7 May", "between May and July"). A month without a year is the latest
// that has begun. A word with another meaning ("may", "march") counts as a month only
// next to a day, a year or a preposition of time. Much of this also works in Spanish,
// French, German, Italian and Portuguese.
func Find(words []string, now time.Time) *Expression {
	p := parser{words: inEnglish(words), now: now}
	for i, w := range p.words {
		if r, _, ok := p.expression(i); ok {
			before := p.word(i - 1)
			return &Expression{
				Range: r,
				Since: w == "since" || w == "after",
				Only:  before == "only" || before == "exclusively",
			}
		}
	}
	return nil
}

// parser reads the spans that begin at a word. Its methods return the span, the number of
// words in it, and whether there is one.
type parser struct {
	words []string
	now   time.Time
}

// word returns the i-th word, or "" outside of the text.
func (p *parser) word(i int) string {
	if i < 0 || i >= len(p.words) {
		return ""
	}
	return p.words[i]
}

// expression reads a span and the preposition that may come before it.
func (p *parser) expression(i int) (Range, int, bool) {
	if r, n, ok := p.fromDate(i); ok {
		return r, n, true
	}
	switch w := p.word(i); w {
	case "since":
		if r, n, ok := p.span(i+1, true); ok {
			return Range{r.From, later(p.now, r.To)}, n + 1, true
		}
	case "after":
		if r, n, ok := p.span(i+1, true); ok {
			return Range{r.To, later(p.now, r.To)}, n + 1, true
		}
	case "before", "until", "till":
		if r, n, ok := p.span(i+1, true); ok {
			return Range{To: r.From}, n + 1, true
		}
	case "between", "from":
		if r, n, ok := p.span(i+1, true); ok {
			if and := p.word(i + 1 + n); and == "and" || and == "to" || and == "until" || and == "till" {
				if to, m, ok := p.span(i+2+n, true); ok && r.From.Before(to.To) {
					return Range{r.From, to.To}, n + m + 2, true
				}
			}
			return r, n + 1, true
		}
	case "in", "on", "during", "of", "by", "around", "early", "late", "mid":
		if r, n, ok := p.span(i+1, true); ok {
			return r, n + 1, true
		}
	}
	return p.span(i, false)
}

// fromDate reads a span relative to a date, such as "two weeks before 7 May".
func (p *parser) fromDate(i int) (Range, int, bool) {
	count, n, ok := p.count(i)
	if !ok {
		count, n = 1, 0
	}
	u, ok := units[p.word(i+n)]
	if !ok {
		return Range{}, 0, false
	}
	w := p.word(i + n + 1)
	if w != "before" && w != "after" {
		return Range{}, 0, false
	}
	r, m, ok := p.span(i+n+2, true)
	if !ok {
		return Range{}, 0, false
	}
	day := r.From
	if w == "after" {
		day = r.To
	}
	return offset(day, count, u, w == "after"), n + 2 + m, true
}

// span reads a span at i. A bare year or an ambiguous month counts only after a
// preposition of time, which prep reports.
func (p *parser) span(i int, prep bool) (Range, int, bool) {
	skip := 0
	for p.word(i) == "the" || p.word(i) == "early" || p.word(i) == "late" || p.word(i) == "mid" {
		i++
		skip++
	}
	for _, read := range []func(int, bool) (Range, int, bool){
		p.date, p.dayName, p.relative, p.ago, p.season, p.month, p.year,
	} {
		if r, n, ok := read(i, prep); ok {
			return r, n + skip, true
		}
	}
	return Range{}, 0, false
}

// date reads "7 May 2023", "7th of May", "May 7, 2023" and "2023-05-07".
func (p *parser) date(i int, _ bool) (Range, int, bool) {
	if y, ok := yearOf(p.word(i)); ok {
		m, okM := number(p.word(i + 1))
		d, okD := number(p.word(i + 2))
		if okM && okD && m >= 1 && m <= 12 && len(p.word(i+1)) == 2 && len(p.word(i+2)) == 2 {
			return p.day(y, time.Month(m), d, 3)
		}
		return Range{}, 0, false
	}
	var d, n int
	var m time.Month
	if v, ok := ordinal(p.word(i)); ok {
		at := i + 1
		if p.word(at) == "of" {
			at++
		}
		if m, ok = months[p.word(at)]; !ok {
			return Range{}, 0, false
		}
		d, n = v, at+1-i
	} else if mm, ok := months[p.word(i)]; ok {
		at := i + 1
		if p.word(at) == "the" {
			at++
		}
		if d, ok = ordinal(p.word(at)); !ok {
			return Range{}, 0, false
		}
		m, n = mm, at+1-i
	} else {
		return Range{}, 0, false
	}
	if y, ok := yearOf(p.word(i + n)); ok {
		return p.day(y, m, d, n+1)
	}
	y := p.now.Year()
	if time.Date(y, m, d, 0, 0, 0, 0, p.now.Location()).After(p.now) {
		y--
	}
	return p.day(y, m, d, n)
}

// day returns the span of one day, unless the calendar has no such day.
func (p *parser) day(y int, m time.Month, d, n int) (Range, int, bool) {
	from := time.Date(y, m, d, 0, 0, 0, 0, p.now.Location())
	if from.Month() != m || from.Day() != d {
		return Range{}, 0, false
	}
	return Range{from, from.AddDate(0, 0, 1)}, n, true
}

// dayName reads "today", "yesterday", "last night" and "the day before
// yesterday".
func (p *parser) dayName(i int, _ bool) (Range, int, bool) {
	at := func(days, n int) (Range, int, bool) {
		from := p.today().AddDate(0, 0, days)
		return Range{from, from.AddDate(0, 0, 1)}, n, true
	}
	switch p.word(i) {
	case "today", "tonight":
		return at(0, 1)
	case "yesterday":
		return at(-1, 1)
	case "tomorrow":
		return at(1, 1)
	case "last":
		if p.word(i+1) == "night" {
			return at(-1, 2)
		}
	case "this":
		switch p.word(i + 1) {
		case "morning", "afternoon", "evening":
			return at(0, 2)
		}
	case "day":
		if p.word(i+1) == "before" && p.word(i+2) == "yesterday" {
			return at(-2, 3)
		}
	}
	return Range{}, 0, false
}

// relative reads "last week", "this month", "next year", "past three months",
// "last Friday", "last May" and "last summer".
func (p *parser) relative(i int, _ bool) (Range, int, bool) {
	step := 0
	switch p.word(i) {
	case "last", "previous", "past":
		step = -1
	case "this", "current":
	case "next", "coming":
		step = 1
	default:
		return Range{}, 0, false
	}
	w := p.word(i + 1)
	if count, n, ok := p.count(i + 1); ok && step < 0 {
		if unit, ok := units[p.word(i+1+n)]; ok {
			return Range{unit.add(p.today(), -count), p.now}, n + 2, true
		}
	}
	if unit, ok := units[w]; ok {
		if p.word(i) == "past" { // "in the past week" ends now
			return Range{unit.add(p.today(), -1), p.now}, 2, true
		}
		from := unit.add(unit.start(p.today()), step)
		return Range{from, unit.add(from, 1)}, 2, true
	}
	if w == "weekend" {
		saturday := weekStart(p.today()).AddDate(0, 0, 5+7*step)
		return Range{saturday, saturday.AddDate(0, 0, 2)}, 2, true
	}
	if wd, ok := weekdays[w]; ok {
		return p.weekday(wd, step)
	}
	if m, ok := months[w]; ok {
		return p.yearless(step, func(y int) (Range, int) { return p.monthOf(y, m), 2 })
	}
	if m, ok := seasons[w]; ok {
		return p.yearless(step, func(y int) (Range, int) { return p.seasonOf(y, m), 2 })
	}
	return Range{}, 0, false
}

// weekday returns the nearest such day before now (step < 0) or after it (step > 0), or
// the one in this week.
func (p *parser) weekday(wd time.Weekday, step int) (Range, int, bool) {
	from := weekStart(p.today()).AddDate(0, 0, (int(wd)+6)%7)
	if step < 0 && !from.Before(p.today()) {
		from = from.AddDate(0, 0, -7)
	}
	if step > 0 && !from.After(p.today()) {
		from = from.AddDate(0, 0, 7)
	}
	return Range{from, from.AddDate(0, 0, 1)}, 2, true
}

// yearless chooses the year of something that comes every year: the latest that is over
// (step < 0), the next to begin (step > 0), or that of this year.
func (p *parser) yearless(step int, in func(year int) (Range, int)) (Range, int, bool) {
	y := p.now.Year()
	r, n := in(y)
	if step < 0 && r.To.After(p.now) {
		r, n = in(y - 1)
	}
	if step > 0 && !r.From.After(p.now) {
		r, n = in(y + 1)
	}
	return r, n, true
}

// ago reads "two weeks ago", "a year ago" and "a couple of days ago". The span
// is as wide as its unit: "two weeks ago" is the week, not the day.
func (p *parser) ago(i int, _ bool) (Range, int, bool) {
	count, n, ok := p.count(i)
	if !ok {
		return Range{}, 0, false
	}
	unit, ok := units[p.word(i+n)]
	if !ok {
		return Range{}, 0, false
	}
	n++
	if w := p.word(i + n); w != "ago" && w != "back" && w != "earlier" {
		return Range{}, 0, false
	}
	from := unit.add(unit.start(p.today()), -count)
	return Range{from, unit.add(from, 1)}, n + 1, true
}

// count reads a number of units: "3", "three", "a", "a few", "a couple of".
func (p *parser) count(i int) (value, words int, ok bool) {
	w := p.word(i)
	if w == "a" || w == "an" {
		switch p.word(i + 1) {
		case "few":
			return 3, 2, true
		case "couple":
			if p.word(i+2) == "of" {
				return 2, 3, true
			}
			return 2, 2, true
		}
		return 1, 1, true
	}
	if w == "few" {
		return 3, 1, true
	}
	if w == "couple" && p.word(i+1) == "of" {
		return 2, 2, true
	}
	if v, ok := numerals[w]; ok {
		return v, 1, true
	}
	if v, ok := number(w); ok && v >= 1 && v <= 999 {
		return v, 1, true
	}
	return 0, 0, false
}

// season reads "summer 2022", "summer of 2022" and, after a preposition,
// "summer".
func (p *parser) season(i int, prep bool) (Range, int, bool) {
	m, ok := seasons[p.word(i)]
	if !ok {
		return Range{}, 0, false
	}
	n := 1
	if p.word(i+1) == "of" {
		n++
	}
	if y, ok := yearOf(p.word(i + n)); ok {
		return p.seasonOf(y, m), n + 1, true
	}
	if !prep {
		return Range{}, 0, false
	}
	return p.latest(func(y int) Range { return p.seasonOf(y, m) }), 1, true
}

// month reads "May 2023", and also "May" after a preposition or if the word has no other
// meaning.
func (p *parser) month(i int, prep bool) (Range, int, bool) {
	m, ok := months[p.word(i)]
	if !ok {
		return Range{}, 0, false
	}
	n := 1
	if p.word(i+1) == "of" {
		n++
	}
	if y, ok := yearOf(p.word(i + n)); ok {
		return p.monthOf(y, m), n + 1, true
	}
	if !prep && ambiguous[p.word(i)] {
		return Range{}, 0, false
	}
	return p.latest(func(y int) Range { return p.monthOf(y, m) }), 1, true
}

// year reads a year after a preposition.
func (p *parser) year(i int, prep bool) (Range, int, bool) {
	y, ok := yearOf(p.word(i))
	if !ok || !prep {
		return Range{}, 0, false
	}
	from := time.Date(y, 1, 1, 0, 0, 0, 0, p.now.Location())
	return Range{from, from.AddDate(1, 0, 0)}, 1, true
}

// latest returns the span that in gives for the latest year in which it has begun.
func (p *parser) latest(in func(year int) Range) Range {
	r := in(p.now.Year())
	if r.From.After(p.now) {
		r = in(p.now.Year() - 1)
	}
	return r
}

func (p *parser) monthOf(y int, m time.Month) Range {
	from := time.Date(y, m, 1, 0, 0, 0, 0, p.now.Location())
	return Range{from, from.AddDate(0, 1, 0)}
}

// seasonOf returns the three months from m; winter begins in the year before.
func (p *parser) seasonOf(y int, m time.Month) Range {
	if m == time.December {
		y--
	}
	from := time.Date(y, m, 1, 0, 0, 0, 0, p.now.Location())
	return Range{from, from.AddDate(0, 3, 0)}
}

func (p *parser) today() time.Time {
	y, m, d := p.now.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, p.now.Location())
}

// later returns the later of two times, so that an open span is never empty.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// yearOf reads a four-digit year from 1900 to 2099.
func yearOf(w string) (int, bool) {
	v, ok := number(w)
	return v, ok && len(w) == 4 && v >= 1900 && v < 2100
}

// ordinal reads a day of the month, such as "7" or "7th", but not "seventh".
func ordinal(w string) (int, bool) {
	if n := len(w); n > 2 {
		switch w[n-2:] {
		case "st", "nd", "rd", "th":
			w = w[:n-2]
		}
	}
	v, ok := number(w)
	return v, ok && v >= 1 && v <= 31
}

// number reads up to four ASCII digits.
func number(w string) (int, bool) {
	if w == "" || len(w) > 4 || w[0] < '0' || w[0] > '9' {
		return 0, false
	}
	v, err := strconv.Atoi(w)
	return v, err == nil
}
