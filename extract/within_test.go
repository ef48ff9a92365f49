package extract

import (
	"regexp/syntax"
	"testing"
)

func TestLooksBehind_ThroughWhatMayBeEmpty(t *testing.T) {
	for source, want := range map[string]bool{
		`my cat`: false, `my\b cat`: false, `(?:my|our) cat`: false, `[a-z]+\bx`: false, `a{1,2}\bx`: false, `a{2}`: false,
		`\bmy`: true, `^my`: true, `(?:a|\bb)c`: true, `a?\bb`: true, `a*\bb`: true, `(a?)\bb`: true, `a{0,3}\bb`: true, `(?:a|b?)\bc`: true,
		`(?:a?b?)\bc`: true, `(?:a?)+\bb`: true, `(?:a?b)\bc`: false,
	} {
		re, err := syntax.Parse(source, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := looksBehind(flat(re)...); got != want {
			t.Errorf("%s: %v, want %v", source, got, want)
		}
	}
}
