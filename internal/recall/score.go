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

// recencyHalfLife is the age at which the recency of a passage is a half. Recency
// orders what matches about equally well, for which the exact value matters
// little.
const recencyHalfLife = 90 * 24 * time.Hour

// score gives a candidate its components and their sum, in [0,1]. The speakers
// are those whom the question names.
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
	// Not where somebody looks around: what a page showed was of use then, and must not
	// move what the next one shows.
	if fact := c.item.Fact; fact != nil && !f.req.Query.Search {
		c.why.Salience = salience.Bonus(salience.Score(f.req.Now, salience.Signal{
			Accesses: fact.Accesses, LastAccess: fact.LastAccess, Created: fact.RecordedAt, Type: string(fact.Type),
		}))
	}
	// Accesses count for the whole document, because an edit replaces sections.
	if d := c.item.Document; d != nil && !f.req.Query.Search {
		c.why.Salience = salience.Bonus(salience.Score(f.req.Now, salience.Signal{
			Accesses: c.item.Accesses, LastAccess: c.item.LastAccess, Created: d.RecordedAt, Type: string(d.Type),
		}))
	}
	w := &c.why
	c.score = w.Words + w.Vector + w.Around + w.Parent + w.Recency + w.Salience
	if f.req.Query.Sessions { // to stay within [0,1]
		c.score /= 1 + f.w.Session
	}
}

// parentWeight returns the weight of the parent of a candidate.
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

// namedSpeakers returns those speakers of the candidates whom the question names.
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

// recencyWeight returns the weight of the distance from the time that the
// question names, or without one that of age.
func (f *finder) recencyWeight() float64 {
	if f.span != nil {
		return f.w.Time
	}
	return f.w.Recency
}

// leftOpen returns the part of a question that is left for the vector to answer
// where words match so much of it.
func leftOpen(words float64) float64 { return max(0, 1-words) }

// recency is 1 for now and halves with each half-life. Where the question names
// a time it is 1 inside that time and at most a half outside, and halves with
// each further width of that time.
func recency(at, now time.Time, named *timeexpr.Range) float64 {
	if named == nil {
		return salience.Recency(now, at, recencyHalfLife)
	}
	if named.Contains(at) {
		return 1
	}
	// A range that is open to the past is taken to be as wide as a month.
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

// at returns when the fact was recorded, the turn was said or the file was
// written; for a daily log its day.
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

// documentTime returns the time that a document speaks of, as far as is known.
func documentTime(d strata.Document) time.Time {
	if day, ok := dayOf(d); ok {
		return day
	}
	if !d.ModifiedAt.IsZero() {
		return d.ModifiedAt
	}
	return d.RecordedAt
}
