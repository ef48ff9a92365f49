package fence

import "testing"

func TestWithout(t *testing.T) {
	for in, want := range map[string]string{
		"Hello":    "Hello",
		"a < b":    "a < b",
		"<b>x</b>": "<b>x</b>",
		"<recalled-memory>\nThe user lives in Berlin.\n</recalled-memory>\nHello":             "\nHello",
		`Hi <relevant_memories source="x">I like nuts</relevant_memories>there`:               "Hi there",
		"One <memory>a</memory> two <MEMORY>b</Memory> three":                                 "One  two  three",
		"<memory>it has <memory-like> text</memory>after":                                     "after",
		"<system-reminder>no end":                                                             "",
		"before <core_memory>x</other> y":                                                     "before ",
		Open("session-memory", "1f") + "\nknown\n" + Close("session-memory", "1f") + "\nsaid": "\nsaid",
		"In memory of <memorial>him</memorial>":                                               "In memory of <memorial>him</memorial>",
	} {
		if got := Without(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
