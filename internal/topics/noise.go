package topics

import (
	"slices"
	"strings"
	"sync"

	"github.com/strata-memory/strata/internal/text"
)

// isNoise reports whether a lower-case word says nothing as a tag, though it is
// no stop word: parts of paths and addresses, and words of mere conversation.
func isNoise(word string) bool {
	return noise()[word]
}

var noise = sync.OnceValue(func() map[string]bool { return text.WordSet(strings.Join(slices.Collect(lines(noiseList)), " ")) })

// isGeneral reports whether a lower-case word is too general to name a category:
// words of time and number, of liking and doing, of talk, and English words
// whose ending says that they describe or happen rather than name.
func isGeneral(word string) bool {
	if general()[word] {
		return true
	}
	for _, ending := range []string{"ing", "ed", "ly", "est", "ful", "ous"} {
		if len(word) > len(ending)+2 && strings.HasSuffix(word, ending) {
			return true
		}
	}
	return false
}

// IsGeneral reports whether a lower-case word says little of a subject: a word of time and
// number, of liking and doing, of talk.
func IsGeneral(word string) bool { return general()[word] }

var general = sync.OnceValue(func() map[string]bool { return text.WordSet(strings.Join(slices.Collect(lines(generalList)), " ")) })
