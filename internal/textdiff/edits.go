package textdiff

import "strings"

// Edit replaces the lines A to AEnd of one text by the lines B to BEnd of another. One of
// the two stretches may be empty. Lines are counted from 0; the end is not included.
type Edit struct{ A, AEnd, B, BEnd int }

// Edits are what makes the second of two lists of lines out of the first, in order. There
// is at least one line that stays between two of them.
func Edits(a, b []string) []Edit {
	var out []Edit
	for _, c := range chunks(a, b, match(a, b)) {
		if !c.same {
			out = append(out, Edit{c.a0, c.a1, c.b0, c.b1})
		}
	}
	return out
}

// Lines are the lines of a text with their breaks.
func Lines(text string) []string {
	list := strings.SplitAfter(text, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}
