package forget

import (
	"encoding/json"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// Patterns are SQL patterns, as a JSON array, of which every ASCII text meets one that holds
// what is forgotten or how it begins where it is shown, in whatever case and spacing.
func (s Subject) Patterns() string {
	list := []string{}
	if s.Shown.Pattern != "" {
		list = append(list, s.Shown.Pattern)
	}
	for _, one := range s.Values.statements {
		for _, w := range one.value {
			if p := w.pattern(); p != "" {
				list = append(list, p)
			}
		}
	}
	out, err := json.Marshal(list)
	if err != nil {
		return `["%"]` // strings can always be written
	}
	return string(out)
}

// pattern is met by every ASCII text with a word that is the same; empty if there is none.
func (w word) pattern() string {
	const most = 64 // bytes; more would not distinguish texts better
	switch {
	case w.digits() != "" && (w.kind == numberWord || len(w.digits()) >= leastLong):
		digits := w.digits()
		digits = strings.TrimRight(digits[max(0, len(digits)-leastLong):], "0") // they may be written with a multiplier
		return "%" + strings.Join(strings.Split(digits, ""), "%") + "%"
	case w.kind == unspacedWord || !text.IsASCII(w.key):
		return ""
	case w.kind == addressWord:
		return "%" + text.Head(bare(w.key), most) + "%"
	case w.kind == mixedWord:
		return "%" + text.Head(w.key, most) + "%"
	}
	n := max(len(w.key)-longestEnding, min(leastStem, len(w.key)-1)) // as [alike] compares
	return "%" + text.Head(w.key[:max(n, 1)], most) + "%"
}
