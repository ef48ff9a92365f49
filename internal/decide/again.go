package decide

import (
	"slices"

	"github.com/strata-memory/strata"
)

// again are the rules by which a statement is not saved that a fact says already.
var again = []string{"same_text", "slot", "near_duplicate"}

// SaysAgain reports whether a statement was not saved because the fact of its decision
// says it already.
func SaysAgain(d strata.Decision) bool {
	return d.Op == strata.OpNoop && len(d.Rules) > 0 && slices.Contains(again, d.Rules[len(d.Rules)-1])
}
