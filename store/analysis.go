package store

import (
	"strings"

	"github.com/strata-memory/strata/internal/decide/neardup"
	"github.com/strata-memory/strata/internal/text"
)

type (
	// Text is a text that was analyzed once, with all that is made of it on demand.
	Text = text.Analysis
	// Sketch is what is kept of a text to find others like it.
	Sketch = neardup.Sketch
)

// Analysis is what the index keeps of the text of a passage. To make it takes
// longer than to store it: who can makes it before the transaction begins.
type Analysis struct {
	Terms  string // the index terms (package internal/text) in order, with spaces between
	Words  int64  // how many of them are no stop words
	Normal string // the normalized text, in which substrings are looked for
	Sketch Sketch // of what a fact says itself, by which facts like it are found
}

// Analyzed returns the analysis of a passage: the one it brings, else one that is made.
func (p Passage) Analyzed() *Analysis {
	if p.Analysis != nil {
		return p.Analysis
	}
	return Analyze(text.Analyze(p.Text), text.Analyze(p.Said))
}

// Analyze returns the analysis of a passage with this Text and Said; said is nil for
// what is no fact.
func Analyze(indexed, said *Text) *Analysis {
	a := &Analysis{Normal: indexed.Normal()}
	if said != nil {
		a.Sketch = neardup.Of(said)
	}
	var terms strings.Builder
	for _, t := range indexed.Tokens() {
		if terms.Len() > 0 {
			terms.WriteByte(' ')
		}
		terms.WriteString(t.Term)
		if !t.Stop {
			a.Words++
		}
	}
	a.Terms = terms.String()
	return a
}
