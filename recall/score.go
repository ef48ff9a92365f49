package recall

import (
	"math"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/timeexpr"
	"github.com/strata-memory/strata/salience"
)

// recencyHalfLife is the time in which the recency of a passage halves. It only
// orders what matches about equally well.
const recencyHalfLife = 90 * 24 * time.Hour

// score gives a candidate its components and their sum, in [0,1]. The speakers
// are those whom the question names.
func (f *finder) score(c *candidate, named map[string]bool) {
	around := c.around
	if c.before != 0 && c.pool.asks[c.before] {
		around = c.reply
	}
	words, said := f.w.Words, 0.0
	if t := c.item.Turn; t != nil {
		form := formOf(t)
		if t.Speaker != "" && len(named) > 0 && !named[t.Speaker] {
			words *= f.w.Other
		}
		if form.asking {
			words *= 1 - f.w.Asking
		}
		if form.own {
			said += f.w.Statement
		}
		if form.time && f.req.Analysis.WantsTime {
			said += f.w.When
		}
	}
	c.why = strata.Why{
		Words:   words*c.own + said,
		Around:  words * around,
		Vector:  f.w.Vector * c.closeness * open(c.own+around),
		Parent:  f.w.Parent * c.parent,
		Recency: f.recencyWeight() * recency(c.at(), f.req.Now, f.span),
	}
	if fact := c.item.Fact; fact != nil {
		c.why.Salience = salience.Bonus(salience.Score(f.req.Now, salience.Signal{
			Accesses: fact.Accesses, LastAccess: fact.LastAccess, Created: fact.RecordedAt, Type: string(fact.Type),
		}))
	}
	// A document is of use as a whole: an edit changes its sections.
	if d := c.item.Document; d != nil {
		c.why.Salience = salience.Bonus(salience.Score(f.req.Now, salience.Signal{
			Accesses: c.item.Accesses, LastAccess: c.item.LastAccess, Created: d.RecordedAt, Type: string(d.Type),
		}))
	}
	w := &c.why
	c.score = w.Words + w.Vector + w.Around + w.Parent + w.Recency + w.Salience
}

// recencyWeight is that of the time a question names, or of newness.
func (f *finder) recencyWeight() float64 {
	if f.span != nil {
		return f.w.Time
	}
	return f.w.Recency
}

// open is the part of a question that the words leave open for the vector.
func open(words float64) float64 { return max(0, 1-words) }

// recency is 1 for now and halves with each half-life. Where the question names
// a time it is 1 inside that time and at most a half outside, halving with each
// further width of that time.
func recency(at, now time.Time, named *timeexpr.Range) float64 {
	if named == nil {
		return salience.Recency(now, at, recencyHalfLife)
	}
	if named.Contains(at) {
		return 1
	}
	// A range that is open to the past is as wide as a month.
	width := 30 * 24 * time.Hour
	if !named.From.IsZero() {
		width = max(named.To.Sub(named.From), 24*time.Hour)
	}
	off := named.From.Sub(at)
	if !at.Before(named.To) {
		off = at.Sub(named.To)
	}
	return 0.5 * math.Exp2(-float64(off)/float64(width))
}

// at is when the fact was recorded, the turn was said or the file was written; of
// a daily log its day.
func (c *candidate) at() time.Time {
	switch {
	case c.item.Fact != nil:
		return c.item.Fact.RecordedAt
	case c.item.Turn != nil && !c.item.Turn.At.IsZero():
		return c.item.Turn.At
	case c.item.Turn != nil:
		return c.item.Turn.RecordedAt
	case c.item.Document != nil:
		return documentTime(*c.item.Document)
	}
	return time.Time{}
}

// documentTime is the time a document speaks of, as far as is known.
func documentTime(d strata.Document) time.Time {
	if day, ok := dayOf(d); ok {
		return day
	}
	if !d.ModifiedAt.IsZero() {
		return d.ModifiedAt
	}
	return d.RecordedAt
}
