package recall

import (
	"slices"
	"time"
)

// minEventMatch is the part of an event's words that a passage must match, in
// [0,1], for its time to be taken for that of the event.
const minEventMatch = 0.5

// resolveEvent finds the event from which the question counts a time among the
// candidates that were read, and notes the span that is meant.
func (f *finder) resolveEvent(among []*candidate) {
	relative := f.req.Analysis.Relative
	if relative == nil || f.span != nil {
		return
	}
	var best *candidate
	for _, c := range among {
		if c.eventMatch >= minEventMatch && !c.at().IsZero() && (best == nil || c.eventMatch > best.eventMatch) {
			best = c
		}
	}
	if best == nil {
		return
	}
	y, m, d := best.at().Date()
	span := relative.Span(time.Date(y, m, d, 0, 0, 0, 0, best.at().Location()))
	f.span = &span
}

// dropOutsideTime drops the candidates outside a time that the question insists
// on ("since March", "only in May"). Only turns and daily logs have a day of their
// own. If none of these is inside, nothing is dropped.
func (f *finder) dropOutsideTime(among []*candidate) []*candidate {
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
