package builtin

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/text"
)

func TestLexiconIsReadWhole(t *testing.T) {
	l := newLexicon()
	for word, want := range map[string]float64{
		"melanie": nameWeight, "going": everydayWeights[0], "chance": everydayWeights[1],
		"favorite": everydayWeights[2], "quickly": everydayWeights[3],
		"whiskerino": 1, "ticket48": numberWeight, "the": stopWeight,
	} {
		if got := l.weightOf(text.Analyze(word).Tokens()[0]); got != want {
			t.Errorf("weight of %q is %g, want %g", word, got, want)
		}
	}
	lines := 0
	for line := range strings.Lines(conceptGroups) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			lines++
		}
	}
	if len(l.heads) != lines || lines < 100 {
		t.Errorf("%d groups from %d lines", len(l.heads), lines)
	}
}

// A stop word in a group, or a word that loses an accent and becomes one
// ("thé"), would pull every text toward the group.
func TestConceptsHoldNoStopWords(t *testing.T) {
	for line := range strings.Lines(conceptGroups) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for tok := range text.Tokens(line) {
			if tok.Stop || text.IsStop(tok.Term) {
				t.Errorf("%q in %q", tok.Word, line)
			}
		}
	}
}

// A word in several groups says nothing clear about any.
func TestConceptsDoNotOverlap(t *testing.T) {
	for term, groups := range newLexicon().concepts {
		if len(groups) > 1 {
			t.Errorf("%q is in %d groups", term, len(groups))
		}
	}
}
