package secrets

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/grammar"
)

// seedList is the English word list of BIP 39, from which wallets make recovery phrases.
//
//go:embed bip39.txt
var seedList string

var seedWords = sync.OnceValue(func() map[string]bool {
	words := make(map[string]bool, 2048)
	for w := range strings.FieldsSeq(seedList) {
		words[w] = true
	}
	return words
})

// A seed phrase has 12 to 24 words of 3 to 8 letters.
const (
	fewestSeedWords = 12
	mostSeedWords   = 24
	longestSeedWord = 8
)

// seedLength returns the length of the seed phrase that a text begins with, or 0. The
// words may be numbered and on several lines. If there is a label, they need not be in
// the list, because people write them down with errors; but then they must not read like
// a sentence.
func seedLength(s string, labeled bool) int {
	count, end, listed, small := 0, 0, 0, 0
	lines := false // one word per line
	for pos := 0; count < mostSeedWords; {
		for pos < len(s) && pos < end+8 && strings.IndexByte(" \t\r\n,.)0123456789", s[pos]) >= 0 {
			pos++
		}
		if newLine := strings.IndexByte(s[end:pos], '\n') >= 0; count == 1 {
			lines = newLine
		} else if newLine && !lines {
			break
		}
		from := pos
		for pos < len(s) && pos-from <= longestSeedWord && 'a' <= s[pos] && s[pos] <= 'z' {
			pos++
		}
		word := s[from:pos]
		if len(word) < 3 || len(word) > longestSeedWord {
			break
		}
		switch {
		case seedWords()[word]:
			listed++
		case !labeled:
			if count < fewestSeedWords {
				return 0
			}
			return end
		case text.IsStop(word):
			small++
		}
		count, end = count+1, pos
	}
	if count < fewestSeedWords || listed < count && (count%3 != 0 || small*6 > count) {
		return 0
	}
	return end
}

// seedLines returns the seed phrases that fill whole lines.
func seedLines(s string, r *rule) []span {
	var out []span
	for pos := 0; len(s)-pos >= fewestSeedWords*4-1; {
		if n := seedLength(s[pos:], false); n > 0 {
			out = append(out, span{r, pos, pos + n})
			pos += n
		}
		i := strings.IndexByte(s[pos:], '\n')
		if i < 0 {
			break
		}
		pos += i + 1
	}
	return out
}

// maxPhrase bounds an unquoted passphrase, in bytes.
const maxPhrase = 256

// isPhrase reports whether s is a passphrase: at least three words, without function
// words, and few that describe passwords.
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

// phraseLength returns the length of the passphrase that a text begins with: at least
// four plain words up to the end of the line, or of the sentence that states it. It
// returns 0 if there is none.
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
		if how == stated && grammar.HasEnding(w, grammar.Languages[0].Endings) {
			return 0
		}
	}
	return len(s)
}
