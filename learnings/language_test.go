package learnings

import "testing"

// helmPlan is what the assistant said before the examples of the languages.
const helmPlan = "I'll deploy the service with Helm to the staging cluster in Frankfurt using npm."

func TestEveryLanguageFindsItsExamples(t *testing.T) {
	for _, l := range languages {
		t.Run(l.name, func(t *testing.T) {
			if len(l.corrects) < 14 || len(l.harmless) < 7 {
				t.Errorf("%d examples and %d harmless ones", len(l.corrects), len(l.harmless))
			}
			for _, s := range l.corrects {
				if _, ok := Detect(helmPlan, s, noon); !ok {
					t.Errorf("%q is not taken for a correction", s)
				}
			}
			for _, s := range l.harmless {
				if c, ok := Detect(helmPlan, s, noon); ok {
					t.Errorf("%q is taken for the correction %+v", s, c)
				}
			}
		})
	}
}

// A cue must be in whatever its language finds, or a message would be dismissed
// before it is looked at.
func TestCuesAreInTheExamples(t *testing.T) {
	for i := range grammars() {
		g := &grammars()[i]
		for _, s := range g.language.corrects {
			if !g.isCued(sentences(s)) && g.name != "English" && g.name != "Spanish" {
				t.Errorf("%s: no cue is in %q", g.name, s)
			}
		}
	}
}

// In every language two sentences are looked at: a correction behind another sentence is
// found in most cases, one behind two is no answer any more.
func TestEveryLanguageLooksAtTwoSentences(t *testing.T) {
	for _, l := range languages {
		t.Run(l.name, func(t *testing.T) {
			const lead = "The rain stopped. "
			found, of := 0, 0
			for _, s := range l.corrects {
				if len(sentences(s)) > 1 {
					continue
				}
				of++
				if _, ok := Detect(helmPlan, lead+s, noon); ok {
					found++
				}
				if _, ok := Detect(helmPlan, lead+lead+s, noon); ok {
					t.Errorf("%q is found behind two sentences", s)
				}
			}
			if found < of*3/4 {
				t.Errorf("%d of %d are found behind a sentence", found, of)
			}
		})
	}
}
