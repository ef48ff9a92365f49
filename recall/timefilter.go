package recall

import (
	"slices"
	"time"
)

// minEventMatch is the part of an event's words that a passage must match, in
// [0,1], for its time to be taken for that of the event.
const minEventMatch = 0.5

// settle finds when the event was that the question tells a time by, among the
// candidates that were read, and notes the span that is meant.
func (f *finder) settle(among []*candidate) {
	a := f.req.Analysis.Relative
	if a == nil || f.span != nil {
		return
	}
	var best *candidate
	for _, c := range among {
		if c.event >= minEventMatch && !c.at().IsZero() && (best == nil || c.event > best.event) {
			best = c
		}
	}
	if best == nil {
		return
	}
	y, m, d := best.at().Date()
	r := a.Span(time.Date(y, m, d, 0, 0, 0, 0, best.at().Location()))
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
