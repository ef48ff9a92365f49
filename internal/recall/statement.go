package recall

import (
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/timeexpr"
)

// maxStatementBytes is how much of a long turn is read to find the sentence that
// matches best.
const maxStatementBytes = 4 << 10

// statement is what a candidate says of the question: the sentence that matches it
// best; of a fact, all of it and the slot that it fills.
type statement struct {
	c        *candidate
	rank     int       // among the ranked candidates
	text     string    // the sentence
	features []bool    // of the question, whether the sentence holds them
	mass     float64   // the idf of these together
	terms    []string  // its content terms
	when     time.Time // the time it speaks of; known only of members of a group
}

// statements returns the statements of the best candidates that match the question
// about as well as the best of them.
func (f *finder) statements(ranked []*candidate) []*statement {
	ranked = ranked[:min(len(ranked), newestDepth)]
	masses := make([]float64, len(ranked))
	most := 0.0
	for i, c := range ranked {
		masses[i] = f.mass(c)
		most = max(most, masses[i])
	}
	known := f.knownTerms()
	var out []*statement
	best := 0.0
	for i, c := range ranked {
		if masses[i] == 0 || masses[i] < minMatch/2*most { // to read less
			continue
		}
		if s := f.bestSentence(c, known); s.mass > 0 {
			s.rank = i
			out = append(out, s)
			best = max(best, s.mass)
		}
	}
	out = slices.DeleteFunc(out, func(s *statement) bool { return s.mass < minMatch*best })
	for _, s := range out {
		s.terms = contentTerms(s.text)
		if s.c.item.Fact != nil { // of the user is half of what memory holds
			s.terms = slices.DeleteFunc(s.terms, func(term string) bool { return term == userTerm() })
		}
	}
	return out
}

// userTerm is how facts name the user.
var userTerm = sync.OnceValue(func() string { return text.Term("user") })

// matched returns the number of features that a statement holds.
func (s *statement) matched() int {
	n := 0
	for _, held := range s.features {
		if held {
			n++
		}
	}
	return n
}

// mass returns the idf of the features that a fact or turn holds; 0 for a section.
func (f *finder) mass(c *candidate) float64 {
	if c.matched < 0 || c.item.Fact == nil && c.item.Turn == nil {
		return 0
	}
	sum := 0.0
	for _, t := range c.pool.freqs[c.matched] {
		sum += f.query.idf[t.feature]
	}
	return sum
}

// knownTerms returns the feature of each term of the question, and of the terms
// that are related to these.
func (f *finder) knownTerms() map[string]int {
	out := make(map[string]int, len(f.query.terms)+len(f.related.terms))
	for i, t := range f.related.terms {
		out[t] = f.related.features[i]
	}
	for i, t := range f.query.terms {
		out[t] = i
	}
	return out
}

// bestSentence returns the sentence of a fact or turn that holds most of the
// question, the first of equals.
func (f *finder) bestSentence(c *candidate, known map[string]int) *statement {
	s := &statement{c: c, features: make([]bool, f.query.size())}
	if fact := c.item.Fact; fact != nil {
		s.text = fact.Text
		s.mass = f.sentenceMass(s.text+"\n"+fact.Entity+"\n"+fact.Attribute, known, s.features)
	} else {
		held := make([]bool, f.query.size())
		for part := range text.Sentences(text.Head(partOf(c.item.Turn.Text, c.item.Span), maxStatementBytes)) {
			if mass := f.sentenceMass(part, known, held); mass > s.mass {
				s.text, s.mass = part, mass
				s.features, held = held, s.features
			}
		}
	}
	return s
}

// contentTerms returns the distinct terms of a text that are no stop words.
func contentTerms(s string) []string {
	var out []string
	for tok := range text.Tokens(s) {
		if !tok.Stop && !slices.Contains(out, tok.Term) {
			out = append(out, tok.Term)
		}
	}
	return out
}

// sentenceMass returns the idf of the features that a sentence holds, and sets
// which these are.
func (f *finder) sentenceMass(sentence string, known map[string]int, held []bool) float64 {
	clear(held)
	mass := 0.0
	for tok := range text.Tokens(sentence) {
		if i, ok := known[tok.Term]; ok && !held[i] {
			held[i] = true
			mass += f.query.idf[i]
		}
	}
	return mass
}

// id returns the id of a candidate that is a fact or turn.
func (c *candidate) id() string {
	if c.item.Fact != nil {
		return c.item.Fact.ID
	}
	return c.item.Turn.ID
}

// statedAt returns since when a statement holds: as it says itself, for "until last
// year" or "in 2020", else when it was made.
func (s *statement) statedAt() time.Time {
	at := s.c.at()
	if fact := s.c.item.Fact; fact != nil && fact.ValidFrom != nil {
		return *fact.ValidFrom
	}
	if !question.MayTellTime(s.text) {
		return at
	}
	if e := timeexpr.Find(text.Words(s.text), at); e != nil && !e.Since && !e.To.After(at) {
		return e.To
	}
	return at
}
