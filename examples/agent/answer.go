package main

import (
	"strings"

	"github.com/strata-memory/strata"
)

// answer stands where a model would be called with what was said and what is
// known. It says what it remembers, or that it listens.
func answer(said string, known []strata.Hit) string {
	if strings.HasSuffix(said, "?") && len(known) > 0 {
		return "I remember: " + known[0].Text
	}
	return "I will keep that in mind."
}
