package recall

import (
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// form is what the wording of a turn says about it as an answer, whatever its
// subject.
type form struct {
	own    bool // the speaker speaks of himself or herself
	time   bool // it says when
	asking bool // it ends with a question
}

// formOf reads the form of a turn.
func formOf(t *strata.Turn) form {
	f := form{asking: endsAsking(t.Text)}
	eachWord(t.Text, func(w string) {
		f.own = f.own || ownWords[w]
		f.time = f.time || timeWords[w]
	})
	return f
}

// endsAsking reports whether the first paragraph of a text, which is what was
// said, ends with a question mark of some script.
func endsAsking(s string) bool {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	s = strings.TrimRight(s, " \t\r\"'”’»)*_")
	for _, mark := range []string{"?", "？", "؟"} {
		if strings.HasSuffix(s, mark) {
			return true
		}
	}
	return false
}

// longestFormWord is the length of the longest word below, in bytes.
const longestFormWord = 12

// eachWord calls fn with the words of a text in lower case that are no longer
// than longestFormWord. It is rough (a word is a run of ASCII letters, digits
// and whatever is not ASCII) and takes a tenth of the time of text.Words.
func eachWord(s string, fn func(string)) {
	var room [longestFormWord]byte
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
			if n < len(room) {
				room[n] = c
			}
			n++
			continue
		}
		if n > 0 && n <= len(room) {
			fn(string(room[:n]))
		}
		n = 0
	}
}

// ownWords are pronouns of the first person that mean the speaker and little
// else, in the languages whose stop words are known.
var ownWords = text.WordSet(`i my mine myself me we our us
	yo mi mis mío mía nosotros nosotras nuestro nuestra je mon ma mes nous notre nos
	ich mein meine meinen meinem meiner mir mich wir unser unsere`)

// timeWords tell when something was, is or will be.
var timeWords = text.WordSet(`yesterday today tonight tomorrow ago last next week weeks weekend month months year years
	monday tuesday wednesday thursday friday saturday sunday
	january february april june july august september october november december
	recently soon days morning summer winter autumn spring since
	ayer hoy mañana semana mes año hace lunes martes miércoles jueves viernes domingo
	hier demain semaine mois année lundi mardi mercredi jeudi vendredi samedi dimanche
	gestern heute woche monat jahr montag dienstag mittwoch donnerstag freitag samstag sonntag`)

// wantsTime reports whether a question asks when or how long.
func wantsTime(question string) bool {
	words := text.Words(question)
	for i, w := range words {
		switch w {
		case "when", "cuándo", "quand", "wann", "quando":
			// "What did she do when …" names a time; "When did she …" asks for it.
			if i == 0 || opensPart(words[i-1]) {
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
