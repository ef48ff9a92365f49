package recall

import (
	"math"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/timeexpr"
	"github.com/strata-memory/strata/salience"
	"github.com/strata-memory/strata/store"
)

// recencyHalfLife is the age at which the recency of a passage is one half. Recency only
// orders passages that match about equally well, so the exact value matters little.
const recencyHalfLife = 90 * 24 * time.Hour

// score sets the components of a candidate and their sum, in [0,1]. speakers are the
// speakers that the question names.
func (f *finder) score(c *candidate, speakers map[string]bool) {
	around := c.around
	if c.previous != 0 && c.pool.asks[c.previous] {
		around = c.aroundReply
	}
	words, bonus := f.w.Words, 0.0
	if t := c.item.Turn; t != nil {
		cues, w := question.CuesOf(partOf(t.Text, c.item.Span)), f.w.turn(c.meta.Speech)
		if t.Speaker != "" && len(speakers) > 0 && !speakers[t.Speaker] {
			words *= f.w.Other
		}
		if question.Asks(t.Text) {
			words *= 1 - w.Asking
		}
		if cues.FirstPerson && c.meta.Speech != store.SpeechAssistant {
			bonus += w.Statement
		}
		if cues.Time && f.req.Analysis.WantsTime {
			bonus += f.w.When
		}
	}
	c.why = strata.Why{
		Words:   words*c.own + bonus,
		Around:  words * around,
		Vector:  f.vector * c.closeness * leftOpen(c.own+around),
		Parent:  f.parentWeight(c) * c.parent,
		Recency: f.recencyWeight() * recency(c.at(), f.req.Now, f.span),
	}
	// Salience does not count in a search: showing a page records accesses, which must
	// not move what the next page shows.
	if fact := c.item.Fact; fact != nil && !f.req.Query.Search {
		c.why.Salience = salience.Bonus(salience.Score(f.req.Now, salience.Signal{
			Accesses: fact.Accesses, LastAccess: fact.LastAccess, Created: fact.RecordedAt, Type: string(fact.Type),
		}))
	}
	// Accesses are counted per document, because an edit replaces its sections.
	if d := c.item.Document; d != nil && !f.req.Query.Search {
		c.why.Salience = salience.Bonus(salience.Score(f.req.Now, salience.Signal{
			Accesses: c.item.Accesses, LastAccess: c.item.LastAccess, Created: d.RecordedAt, Type: string(d.Type),
		}))
	}
	w := &c.why
	c.score = w.Words + w.Vector + w.Around + w.Parent + w.Recency + w.Salience
	if f.req.Query.Sessions { // keep the score within [0,1]
		c.score /= 1 + f.w.Session
	}
}

// parentWeight returns the weight of a candidate's parent component.
func (f *finder) parentWeight(c *candidate) float64 {
	if c.meta.Kind != strata.KindTurn {
		return f.w.Parent
	}
	weight := f.w.turn(c.meta.Speech).Parent
	if f.message {
		weight = max(weight, f.w.Parent)
	}
	if f.req.Query.Sessions {
		weight += f.w.Session
	}
	return weight
}

// namedSpeakers returns the speakers among the candidates that the question names.
func (f *finder) namedSpeakers(among []*candidate) map[string]bool {
	named := make(map[string]bool)
	seen := make(map[string]bool)
	for _, c := range among {
		if c.item.Turn == nil || seen[c.item.Turn.Speaker] {
			continue
		}
		seen[c.item.Turn.Speaker] = true
		for t := range text.Tokens(c.item.Turn.Speaker) {
			if !t.Stop && slices.Contains(f.query.terms, t.Term) {
				named[c.item.Turn.Speaker] = true
			}
		}
	}
	return named
}

// recencyWeight returns the weight of recency: that of the distance from the time that
// the question names, or that of age if it names none.
func (f *finder) recencyWeight() float64 {
	if f.span != nil {
		return f.w.Time
	}
	return f.w.Recency
}

// leftOpen returns the fraction of a question that words leave unmatched, which is left
// for the vector to answer.
func leftOpen(words float64) float64 { return max(0, 1-words) }

// recency returns 1 for now and halves with each half-life. If the question names a time,
// it returns 1 inside that time and at most one half outside, halving with each further
// width of it.
func recency(at, now time.Time, named *timeexpr.Range) float64 {
	if named == nil {
		return salience.Recency(now, at, recencyHalfLife)
	}
	if named.Contains(at) {
		return 1
	}
	// Treat a range that is open to the past as one month wide.
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

// at returns when the fact was recorded, the turn was said or the file was modified; for
// a daily log, its day. It returns the zero time if the text has not been read.
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

// documentTime returns the time that a document is about, as far as it is known.
func documentTime(d strata.Document) time.Time {
	if day, ok := dayOf(d); ok {
		return day
	}
	if !d.ModifiedAt.IsZero() {
		return d.ModifiedAt
	}
	return d.RecordedAt
}
