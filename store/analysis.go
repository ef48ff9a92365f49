package store

import (
	"strings"

	"github.com/strata-memory/strata/internal/decide/neardup"
	"github.com/strata-memory/strata/internal/text"
)

type (
	// Text is a text that was analyzed once. What is derived from it is made on demand.
	Text = text.Analysis
	// Sketch is what the index keeps of a text to find similar ones.
	Sketch = neardup.Sketch
)

// Analysis is what the index keeps of the text of a passage. Making it takes longer than
// storing it, so callers that can should make it before the transaction begins.
type Analysis struct {
	Terms  string // index terms (see package internal/text) in order, separated by spaces
	Words  int64  // number of terms that are not stop words
	Normal string // normalized text, for substring search
	Sketch Sketch // of a fact's own text, for finding similar facts
}

// Analyzed returns p.Analysis, or a new analysis of the passage if that is nil.
func (p Passage) Analyzed() *Analysis {
	if p.Analysis != nil {
		return p.Analysis
	}
	return Analyze(text.Analyze(p.Text), text.Analyze(p.Said))
}

// Analyze returns the analysis of a passage from its Text and its Said. said is nil for a
// passage that is not a fact.
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
