package question

import (
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// Cues tells what the wording of a text says about its worth as an answer, whatever the
// question is about.
type Cues struct {
	FirstPerson bool // uses the first person
	Time        bool // says when
}

// CuesOf returns the cues of a text.
func CuesOf(s string) Cues {
	var c Cues
	eachWord(s, func(w string) {
		c.FirstPerson = c.FirstPerson || firstPerson[w]
		c.Time = c.Time || timeWords[w]
	})
	return c
}

// MayTellTime reports whether a text holds a word of time or a number with as many digits
// as a year. It is a cheap test: parsing the time of every text would take longer than
// everything else here.
func MayTellTime(s string) bool {
	found := false
	eachWord(s, func(w string) {
		found = found || timeWords[w] || len(w) == len("2006") && text.IsNumber(w)
	})
	return found
}

// questionMarks are the question marks of Latin, East Asian and Arabic scripts.
const questionMarks = "?？؟"

// HasMark reports whether a text holds a question mark.
func HasMark(s string) bool { return strings.ContainsAny(s, questionMarks) }

// Asks reports whether the first line of a text ends with a question mark.
// The lines after it often describe what was sent along, such as a photo.
func Asks(s string) bool {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	s = strings.TrimRight(s, " \t\r\"'”’»)*_")
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(questionMarks, last)
}

// maxCueWord is the length of the longest word below, in bytes.
const maxCueWord = 12

// eachWord calls fn with each word of a text that is no longer than maxCueWord, in lower
// case. It takes a word to be a run of ASCII letters, ASCII digits and non-ASCII
// characters. This is rough, but takes a tenth of the time of text.Words.
func eachWord(s string, fn func(string)) {
	var word [maxCueWord]byte
	n := 0
	for i := 0; i <= len(s); i++ {
		c := byte(' ')
		if i < len(s) {
			c = s[i]
		}
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
			fallthrough
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c >= 0x80:
			if n < len(word) {
				word[n] = c
			}
			n++
			continue
		}
		if n > 0 && n <= len(word) {
			fn(string(word[:n]))
		}
		n = 0
	}
}

// firstPerson are pronouns of the first person that seldom mean anything else, in the
// languages that have stop words here.
var firstPerson = text.WordSet(`i my mine myself me we our us
	yo mi mis mío mía nosotros nosotras nuestro nuestra je mon ma mes nous notre nos
	ich mein meine meinen meinem meiner mir mich wir unser unsere`)

// timeWords say when something was, is or will be.
var timeWords = text.WordSet(`yesterday today tonight tomorrow ago last next week weeks weekend month months year years
	monday tuesday wednesday thursday friday saturday sunday
	january february april june july august september october november december
	recently soon days morning summer winter autumn spring since
	ayer hoy mañana semana mes año hace lunes martes miércoles jueves viernes domingo
	hier demain semaine mois année lundi mardi mercredi jeudi vendredi samedi dimanche
	gestern heute woche monat jahr montag dienstag mittwoch donnerstag freitag samstag sonntag`)

// wantsTime reports whether a question of these words asks when or how long.
func wantsTime(words []string) bool {
	for i, w := range words {
		switch w {
		case "when", "cuándo", "quand", "wann", "quando":
			// "When did she ...?" asks for a time, "What did she do when ...?" does not.
			if i == 0 || joining[words[i-1]] {
				return true
			}
		case "date", "day", "month", "year", "time":
			if i > 0 && (words[i-1] == "what" || words[i-1] == "which") {
				return true
			}
		case "long", "recently":
			if i > 0 && words[i-1] == "how" {
				return true
			}
		}
	}
	return false
}
