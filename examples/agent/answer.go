package main

import (
	"strings"

	"github.com/strata-memory/strata"
)

// answer stands in for a call to a model with what was said and what memory knows. It
// repeats what it remembers, or says that it listens.
func answer(said string, known []strata.Hit) string {
	if strings.HasSuffix(said, "?") && len(known) > 0 {
		return "I remember: " + known[0].Text
	}
	return "I will keep that in mind."
}
