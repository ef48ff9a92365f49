package prefilter

import (
	"regexp"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// small are expressions with every kind of part that patterns are made of. Of
// the exact ones the automaton knows as much as package regexp, in ASCII.
var small = []struct {
	source string
	exact  bool
}{
	{`abc`, true}, {`(?i)abc`, true}, {`^ab`, true}, {`ab$`, true}, {`^a$`, true}, {`^$`, true}, {``, true}, {`\bab\b`, true}, {`\Ba`, true}, {`a\B`, true},
	{`a|b c|`, true}, {`^(?:a|bc)+b`, true}, {`(?i)^(?:my|our) (a+?)b`, true}, {`a.c`, true}, {`(?s)a.c`, true}, {`(?m)^b$`, true}, {`[^ab]c`, true}, {`[a-c]+ `, true},
	{`(?i)k|s`, true}, {`\w+\s\d?`, true}, {`(a)(b)?c*`, true}, {`(?:^|\s)a(?:$|[ ,])`, true}, {`(?i)^a*b\b`, true}, {`(?:a|^b)\b.+c`, true},
	{`a{2,3}b`, false}, {`^.{2,4} c`, false}, {`(?:ab){2}`, false}, {`\pL+é`, false}, {`\p{Lu}b`, false}, {`(?i)é|ſ`, false}, {`[^a]é.`, false},
}

func TestAutomatonKnowsWhatItsExpressionKnows(t *testing.T) {
	characters := rapid.SampledFrom([]rune("aabbccABCkKsS 1_,.\n"))
	any := rapid.SampledFrom([]rune("aabcABCkK sS,\néÉſK日\uFFFD"))
	for _, c := range small {
		a, re := automatonOf(c.source), regexp.MustCompile(c.source)
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.StringOf(characters).Draw(t, "text")
			if got, want := a.may(text), re.MatchString(text); want && !got || c.exact && got != want {
				t.Errorf("%q in %q: %v, want %v", c.source, text, got, want)
			}
			text = rapid.StringOf(any).Draw(t, "foreign")
			if cut := rapid.IntRange(0, len(text)).Draw(t, "cut"); cut < len(text) {
				text = text[:cut] + text[cut+1:] // it may be invalid UTF-8 now
			}
			if re.MatchString(text) && !a.may(text) {
				t.Errorf("%q in %q is held back", c.source, text)
			}
		})
	}
}

func TestAutomatonDismissesByTheFirstCharacters(t *testing.T) {
	for _, c := range []struct {
		source, text string
		want         bool
	}{
		{`(?i)^my name is (.+)`, "My name is Ana", true},
		{`(?i)^my name is (.+)`, "My cat is called Ana", false},
		{`(?i)^(?:i|we) (?:(?:really|just|still) )*live`, "We really just live here", true},
		{`(?i)\b(?:maybe|perhaps)\b`, "It is perhaps so", true},
		{`(?i)\b(?:maybe|perhaps)\b`, "maybes and perhapses", false},
		{`^.{2,3}x`, "abcdefx", true}, // counted no further than one
		{`ü`, "é", true},              // characters outside ASCII are alike
		{`(`, "not an expression", true},
	} {
		if got := automatonOf(c.source).may(c.text); got != c.want {
			t.Errorf("%s in %q: %v, want %v", c.source, c.text, got, c.want)
		}
	}
}

// States are dropped when there are too many, also while others use them.
func TestAutomatonStaysSmallAndRight(t *testing.T) {
	// The states remember which of the last twelve letters were an a.
	source := `a` + strings.Repeat(`[ab]`, 11) + `c`
	a, re := automatonOf(source), regexp.MustCompile(source)
	var wg sync.WaitGroup
	for seed := range 4 {
		wg.Go(func() {
			x := uint32(seed) + 1
			for range 200 {
				var b strings.Builder
				for range 60 {
					x = x*1664525 + 1013904223
					b.WriteByte("abababac"[x>>29])
				}
				if text := b.String(); a.may(text) != re.MatchString(text) {
					t.Errorf("%s in %q: %v", source, text, a.may(text))
				}
			}
		})
	}
	wg.Wait()
	if n := len(a.known); n > maxStates {
		t.Errorf("%d states are kept", n)
	}
}
