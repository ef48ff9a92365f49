package builtin

import (
	_ "embed"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

var (
	//go:embed lexicon/everyday.txt
	everydayWords string
	//go:embed lexicon/names.txt
	givenNames string
	//go:embed lexicon/concepts.txt
	conceptGroups string
)

// Weights of words, relative to 1 for an unlisted word. They stand in for the inverse
// document frequency that an embedder without a corpus cannot know. They were chosen by
// recall of evidence turns in conversations; with weights as far apart as true
// frequencies (0.3 for the most common words), speaker names dominated and recall lost
// three points.
const (
	stopWeight   = 0.05 // grammar only; not 0, so that "who are you" has a vector
	nameWeight   = 0.4
	numberWeight = 0.7 // words with a digit
)

// everydayWeights are the weights of the blocks of everyday.txt, in order.
// Later blocks, if any, weigh as the last.
var everydayWeights = [...]float64{0.65, 0.8, 0.86, 0.92}

// lexicon is what the embedder knows about words in advance. Keys are index terms. It
// does not change once built.
type lexicon struct {
	weight   map[string]float64
	concepts map[string][]int32 // groups of concepts.txt that a term belongs to
	heads    []string           // the first word of each group, an English one
}

func newLexicon() *lexicon {
	l := &lexicon{weight: make(map[string]float64), concepts: make(map[string][]int32)}
	l.addNames(givenNames)
	l.addEveryday(everydayWords)
	l.addConcepts(conceptGroups)
	return l
}

func (l *lexicon) addNames(list string) {
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, "#") {
			l.addWeight(line, nameWeight)
		}
	}
}

func (l *lexicon) addEveryday(list string) {
	block := 0
	inBlock := false
	for line := range strings.Lines(list) {
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.TrimSpace(line) == "":
			if inBlock {
				block = min(block+1, len(everydayWeights)-1)
			}
			inBlock = false
		default:
			inBlock = true
			l.addWeight(line, everydayWeights[block])
		}
	}
}

// addWeight sets the weight of the words of line, except those that already have one.
func (l *lexicon) addWeight(line string, weight float64) {
	for _, term := range text.Terms(line) {
		if _, known := l.weight[term]; !known {
			l.weight[term] = weight
		}
	}
}

func (l *lexicon) addConcepts(list string) {
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		group := int32(len(l.heads))
		l.heads = append(l.heads, strings.Fields(line)[0])
		for _, term := range text.Terms(line) {
			in := l.concepts[term]
			if len(in) == 0 || in[len(in)-1] != group {
				l.concepts[term] = append(in, group)
			}
		}
	}
}

// weightOf returns how informative a token is, above 0 and at most 1.
func (l *lexicon) weightOf(t text.Token) float64 {
	if t.Stop {
		return stopWeight
	}
	w, listed := l.weight[t.Term]
	if !listed {
		w = 1
	}
	if strings.ContainsAny(t.Term, "0123456789") {
		w *= numberWeight
	}
	return w
}
