package recall

import (
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/timeexpr"
)

// maxStatementBytes is how much of a long turn is read to find its best sentence.
const maxStatementBytes = 4 << 10

// statement is what a candidate says about the question: the sentence that matches it
// best, or, for a fact, all of it and the slot that it fills.
type statement struct {
	c        *candidate
	rank     int       // index among the ranked candidates
	text     string    // the sentence
	features []bool    // for each feature of the question, whether the sentence holds it
	mass     float64   // total idf of the held features
	terms    []string  // its content terms
	when     time.Time // when it was stated; set only for members of a group
}

// statements returns the statements of the best candidates whose match comes close to
// that of the best statement.
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
		if masses[i] == 0 || masses[i] < minMatch/2*most { // saves reading weak candidates
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
		if s.c.item.Fact != nil { // half of all facts mention the user
			s.terms = slices.DeleteFunc(s.terms, func(term string) bool { return term == userTerm() })
		}
	}
	return out
}

// userTerm returns the term by which facts name the user.
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

// mass returns the total idf of the features that a fact or turn holds; 0 for a section.
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

// knownTerms returns the feature of each term of the question and of each related term.
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

// bestSentence returns the statement of the sentence of a fact or turn that holds most of
// the question, the first if several do.
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

// contentTerms returns the distinct terms of a text that are not stop words.
func contentTerms(s string) []string {
	var out []string
	for tok := range text.Tokens(s) {
		if !tok.Stop && !slices.Contains(out, tok.Term) {
			out = append(out, tok.Term)
		}
	}
	return out
}

// sentenceMass returns the total idf of the features that a sentence holds, and sets them
// in held.
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

// statedAt returns the time since which a statement holds: the time that the statement
// gives ("until last year", "in 2020"), or else the time when it was made.
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
