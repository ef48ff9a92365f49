package text

import (
	"iter"
	"strings"
)

// Sentences yields the sentences and lines of a text, without surrounding white space.
func Sentences(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i, r := range s {
			end := i + len(string(r))
			switch r {
			case '\n', '。', '！', '？':
			case '.', '!', '?':
				if end < len(s) && s[end] != ' ' && s[end] != '\n' {
					continue
				}
			default:
				continue
			}
			if part := strings.TrimSpace(s[start:end]); part != "" && !yield(part) {
				return
			}
			start = end
		}
		if part := strings.TrimSpace(s[start:]); part != "" {
			yield(part)
		}
	}
}
