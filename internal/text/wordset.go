package text

import "strings"

// WordSet returns the set of the words in a list separated by white space.
func WordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
