package extract

import "testing"

func TestShorthandIsExpanded(t *testing.T) {
	for typed, want := range map[string]string{
		"":                         "",
		"im allergic 2 nuts":       "I'm allergic to nuts",
		"u cant have 2 of them":    "you can't have 2 of them",
		"ive moved 2 Oslo, im old": "I've moved to Oslo, I'm old",
		"I have 2":                 "I have 2",
		"Nothing is left out":      "Nothing is left out",
	} {
		if got := expandShorthand(typed); got != want {
			t.Errorf("%q is expanded to %q, want %q", typed, got, want)
		}
	}
}
