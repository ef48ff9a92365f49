package secretscan

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/strata-memory/strata/internal/text"
)

// seedList is the English word list of BIP 39, from which wallets make the
// phrases that restore them.
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

// seedLength returns the length of the seed phrase that a text begins with, 0 if
// it begins with none. The words may be numbered and on several lines. Where a
// label says what they are, they need not be of the list, because people write
// them down with errors; but then they must not read like a sentence.
func seedLength(s string, labeled bool) int {
	count, end, listed, small := 0, 0, 0, 0
	lines := false // one word a line
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

// seedLines returns the seed phrases that begin a line and stand alone there.
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
