package sqlite

import (
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// trigramText returns a text in the form in which substrings are indexed and looked
// up.
func trigramText(s string) string { return withoutNUL(text.Normalize(s)) }

// withoutNUL replaces NUL characters, at which SQLite would end a query.
func withoutNUL(s string) string { return strings.ReplaceAll(s, "\x00", "\uFFFD") }
