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

// Weights of a word relative to the 1 of a word nobody listed. They stand in for the
// inverse document frequency that an embedder without a corpus cannot know.
// Chosen by recall of evidence turns on conversations; weights as far apart as
// true frequencies would make them (0.3 for the commonest) let the names of the
// speakers decide and lost three points.
const (
	stopWeight   = 0.05 // grammar only; kept, so that "who are you" is not nothing
	nameWeight   = 0.4
	numberWeight = 0.7 // words that hold a digit
)

// everydayWeights are the weights of the blocks of everyday.txt, in order.
// Later blocks, if any, weigh as the last.
var everydayWeights = [...]float64{0.65, 0.8, 0.86, 0.92}

// lexicon is what the embedder knows of words before it reads any text. Keys
// are index terms. It is fixed once built.
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

// addWeight gives the words of line the weight, save those that have one.
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

// weightOf returns how much a token says about its text, above 0 and at most 1.
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
