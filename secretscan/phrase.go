package secretscan

import (
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// maxPhrase bounds an unquoted passphrase, in bytes.
const maxPhrase = 256

// isPhrase reports whether s is a passphrase: three words or more, none of them
// one that holds sentences together, and few that describe passwords.
func isPhrase(s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t-.", r) })
	common := 0
	for _, w := range words {
		w = strings.ToLower(strings.Trim(w, ",;:!?"))
		if text.IsStop(w) || w == "not" || w == "no" {
			return false
		}
		if isCommonWord(w) {
			common++
		}
	}
	return len(words) >= 3 && 3*common <= len(words)
}

// phraseLength returns the length of the passphrase that a text begins with:
// four plain words or more up to the end of the line, or of the sentence that
// states it. 0 if there is none.
func phraseLength(s string, how introduction) int {
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		s = s[:i]
	}
	if i := strings.Index(s, ". "); i >= 0 && how == stated {
		s = s[:i]
	}
	s = strings.TrimRight(s, " \t.,;\"'")
	if strings.Count(s, " ") < 3 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz ") != "" || !isPhrase(s) {
		return 0
	}
	for w := range strings.FieldsSeq(s) {
		if how == stated && hasEnding(w, languages[0].endings) {
			return 0
		}
	}
	return len(s)
}
