package neardup

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata/internal/text"
)

// A statement that gained, lost or changed one word is nearly always found: it
// is missed only where the words that stayed left a group empty.
func TestSketchFindsOneChange(t *testing.T) {
	tried, missed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 20).Draw(t, "words")
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprintf("w%dq", rapid.IntRange(0, 1<<20).Draw(t, "word"))
		}
		at := rapid.IntRange(0, n-1).Draw(t, "at")
		changed := slices.Clone(words)
		switch rapid.IntRange(0, 2).Draw(t, "change") {
		case 0:
			changed[at] = "other"
		case 1:
			changed = slices.Delete(changed, at, at+1)
		default:
			changed = append(changed, "other")
		}
		slices.Reverse(changed) // the order of words does not matter
		tried++
		if !Of(text.Analyze(strings.Join(words, " "))).Like(Of(text.Analyze(strings.Join(changed, " the ")))) {
			missed++
		}
	})
	t.Logf("%d of %d missed", missed, tried)
	if missed*20 > tried {
		t.Errorf("%d of %d statements with one change were not found", missed, tried)
	}
}

// What shares no more than some words is not read.
func TestSketchKeepsOthersApart(t *testing.T) {
	pairs := [][2]string{
		{"Carla repaired the kitchen window in Lisbon", "Carla sold the oak table in Lisbon"},
		{"The build needs Go 1.26", "The CI runner is arm64"},
		{"https://staging.example.org is the staging URL", "https://prod.example.org is the production URL"},
		{"", "the of and"},
	}
	for _, p := range pairs {
		if Of(text.Analyze(p[0])).Like(Of(text.Analyze(p[1]))) {
			t.Errorf("%q is taken for nearly %q", p[0], p[1])
		}
	}
}

func FuzzSketch(f *testing.F) {
	f.Add("My cat's name is Whiskerino")
	f.Fuzz(func(t *testing.T, s string) {
		a, b := Of(text.Analyze(s)), Of(text.Analyze(s))
		if !slices.Equal(a.Keys, b.Keys) || a.Bits != b.Bits {
			t.Error("two sketches of one text differ")
		}
		if len(a.Keys) > fewTerms+2+groups {
			t.Errorf("%d keys", len(a.Keys))
		}
	})
}
