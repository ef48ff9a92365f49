package extract

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// One automaton for several patterns tells of each what its own tells.
func TestTogetherTellsOfEach(t *testing.T) {
	sources := make([]string, len(small))
	for i, c := range small {
		sources[i] = c.source
	}
	half := len(sources) / 2
	characters := rapid.StringOf(rapid.SampledFrom([]rune("aabbccABCkKsS 1_,.\néÉſK日\uFFFD")))
	for _, group := range [][]string{sources[:half], sources[half:]} {
		both := together(group...)
		rapid.Check(t, func(t *rapid.T) {
			text := characters.Draw(t, "text")
			found := both.which(text)
			for i, source := range group {
				alone := automatonOf(source)
				alone.needs = ""
				if got, want := found&(1<<i) != 0, alone.may(text); got != want {
					t.Errorf("%q in %q: %v together, %v alone", source, text, got, want)
				}
			}
		})
	}
}

// A prefilter holds back no sign that its pattern finds, whatever was asked before.
func TestPrefilterHoldsBackNoSign(t *testing.T) {
	pieces := strings.Fields(`I My sister Clara is , ; : — - and but while so which who plus also works likes too either though by the way
		in case you ask despite what please claro docs are in https://a.test/b See see tracked documented at wiki lives Grüße the runbook`)
	var g prefilter
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), " ")
		for i, p := range signPatterns {
			if p.re().MatchString(text) {
				if found++; !g.may(sign(i), text) {
					t.Errorf("%q holds %s, but it is held back", text, p.re())
				}
			}
		}
		if opens := openers().may(text); !opens {
			c := clause{text: text}
			if c.open(); c.text != text {
				t.Errorf("%q has an opening, but it is held back", text)
			}
		}
	})
	if found == 0 {
		t.Error("no sign was ever held")
	}
}
