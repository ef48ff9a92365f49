package recall

import (
	"slices"
	"time"
)

// minEventMatch is the fraction of an event's words, in [0,1], that a passage must match
// for its time to count as that of the event.
const minEventMatch = 0.5

// resolveEvent handles a question whose time is relative to an event. It finds the event
// among the candidates that were read, and sets the span that the question means.
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

// dropOutsideTime drops the candidates outside of a time that the question insists on
// ("since March", "only in May"). Only turns and daily logs have a day of their own;
// other candidates stay. If no dated candidate is inside, it drops nothing.
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
