package forget

import (
	"encoding/json"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// Patterns returns SQL LIKE patterns as a JSON array. Every ASCII text that contains what
// is forgotten, or its beginning as sessions are shown it, matches at least one, whatever
// its case and spacing.
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
		return `["%"]` // cannot happen: strings always marshal
	}
	return string(out)
}

// pattern returns an SQL LIKE pattern that matches every ASCII text containing a word
// that is the same as w, or "" if there is no such pattern.
func (w word) pattern() string {
	const most = 64 // bytes; more would not distinguish texts better
	switch {
	case w.digits() != "" && (w.kind == numberWord || len(w.digits()) >= leastLong):
		digits := w.digits()
		digits = strings.TrimRight(digits[max(0, len(digits)-leastLong):], "0") // a text may write the zeros as a multiplier
		return "%" + strings.Join(strings.Split(digits, ""), "%") + "%"
	case w.kind == unspacedWord || !text.IsASCII(w.key):
		return ""
	case w.kind == addressWord:
		return "%" + text.Head(bare(w.key), most) + "%"
	case w.kind == mixedWord:
		return "%" + text.Head(w.key, most) + "%"
	}
	n := max(len(w.key)-longestEnding, min(leastStem, len(w.key)-1)) // the shortest stem that [alike] accepts
	return "%" + text.Head(w.key[:max(n, 1)], most) + "%"
}
