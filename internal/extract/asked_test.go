package extract_test

import (
	"testing"

	"github.com/strata-memory/strata/internal/extract"
)

// What somebody asks to be remembered is kept, though it would be left alone
// if it were only said: a report of others, a guess, or a state that passes.
func TestWhatWasAskedForIsKept(t *testing.T) {
	for _, said := range []string{
		"My landlord says the boiler is inspected every March.",
		"I might move to Lyon.",
		"I'm on a break until Christmas.",
		"The heating in the workshop is probably on the left meter.",
		"I'm in hospital this week.",
	} {
		t.Run(said, func(t *testing.T) {
			if got := extract.Turns(user(said)); len(got) != 0 {
				t.Errorf("without being asked for: %q", contents(got))
			}
			if got := extract.Turns(user("Remember that " + said)); len(got) != 1 {
				t.Errorf("asked for: %q", contents(got))
			}
		})
	}
}
