package extract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata/extract"
	"github.com/strata-memory/strata/extract/language"
)

// told writes a candidate as the examples of a language do.
func told(turn string) []string {
	var out []string
	for _, c := range extract.Turns(user(turn)) {
		key := string(c.Type)
		if c.Entity != "" {
			key = c.Entity + "/" + c.Attribute
		}
		out = append(out, key+": "+c.Content)
	}
	return out
}

// The examples in the files of the languages are what is promised of each.
func TestLanguageExamples(t *testing.T) {
	for name, examples := range language.Examples() {
		t.Run(name, func(t *testing.T) {
			taken, left := 0, 0
			for _, e := range examples {
				if len(e.Facts) > 0 {
					taken++
				} else {
					left++
				}
				if got := told(e.Sentence); !slices.Equal(got, e.Facts) {
					t.Errorf("%s\ngot  %s\nwant %s", e.Sentence, strings.Join(got, " | "), strings.Join(e.Facts, " | "))
				}
			}
			if taken < 15 || left < 8 {
				t.Errorf("%d examples of what is taken and %d of what is left alone: at least 15 and 8 are needed", taken, left)
			}
		})
	}
}
