package extract_test

import (
	"slices"
	"testing"

	"github.com/strata-memory/strata/internal/extract"
)

// What a text says of its writer, what people believe, and what opens a sentence about
// somebody else is nothing that the user said of themselves.
func TestWhatIsSaidOfOthers(t *testing.T) {
	for said, want := range map[string][]string{
		"The letter says: Hi, I'm Odile, I moved to Ghent.":      nil,
		"Her note from Anna goes: I quit my job.":                nil,
		"People always assume I smoke.":                          nil,
		"My neighbors think I'm a dentist.":                      nil,
		"As a plumber, my uncle starts work at five.":            {"The user's uncle starts work at five as a plumber."},
		"Being a baker means short nights, they say.":            nil,
		"As a plumber, I start work at five.":                    {"The user is a plumber.", "The user starts work at five."},
		"Being a mother of twins, I have no evenings to myself.": {"The user is a mother of twins.", "The user has no evenings to themselves."},
		"Ouch, my rent went up to 900 euros.":                    {"The user's rent went up to 900 euros."},
		"My note says: the plumber is called Ferdi.":             nil,
		"My brother believes in ghosts.":                         nil,
	} {
		if got := contents(extract.Turns(user(said))); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
