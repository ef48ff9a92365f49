package secrets

import (
	"strings"
	"testing"
)

// Letters that were drawn are told from words, of one or of two.
func TestDrawnLettersAreToldFromWords(t *testing.T) {
	d := newDraws()
	drawn, mixed, taken, total := 0, 0, 0, 0
	const draws = 2000
	for range draws {
		if isRandom(d.from(lowerLetters, 12)) {
			drawn++
		}
		if isRandom(d.from(letters, 12)) {
			mixed++
		}
	}
	for _, w := range strings.Fields(seedList) {
		for _, s := range []string{w, w + d.word(), w + capitalized(d.word())} {
			total++
			if isRandom(s) {
				taken++
			}
		}
	}
	if drawn*100 < draws*85 || mixed*100 < draws*75 || taken*100 > total*3 {
		t.Errorf("of %d draws %d and %d are found; of %d words %d are taken for draws", draws, drawn, mixed, total, taken)
	}
	t.Logf("seed %d: of %d draws %d in small letters and %d in both; of %d words %d", seed, draws, drawn, mixed, total, taken)
}
