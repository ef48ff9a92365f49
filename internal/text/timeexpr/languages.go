package timeexpr

import (
	"strconv"
	"strings"
	"sync"

	"github.com/strata-memory/strata/internal/text"
)

// translations holds on each line an English word and its equivalents in Spanish, French,
// German, Italian and Portuguese. It leaves out words that mean something else in one of
// these languages ("hier", "morgen", "an", "estate").
const translations = `
january enero janvier januar gennaio janeiro
february febrero février februar febbraio fevereiro
march marzo mars märz março
april abril avril aprile
may mayo mai maggio maio
june junio juin juni giugno junho
july julio juillet juli luglio julho
august agosto août
september septiembre septembre settembre setembro
october octubre octobre oktober ottobre outubro
november noviembre novembre
december diciembre décembre dezember dicembre dezembro
spring primavera printemps frühling frühjahr
summer verano été sommer verão
autumn otoño automne herbst autunno outono
winter invierno hiver inverno
monday lunes lundi montag lunedì
tuesday martes mardi dienstag martedì
wednesday miércoles mercredi mittwoch mercoledì
thursday jueves jeudi donnerstag giovedì
friday viernes vendredi freitag venerdì
saturday sábado samedi samstag sonnabend sabato
sunday domingo dimanche sonntag domenica
yesterday ayer gestern ieri ontem
today hoy aujourd'hui heute oggi hoje
tomorrow demain domani amanhã
day día jour tag giorno dia
days días jours tage tagen giorni dias
week semana semaine woche settimana
weeks semanas semaines wochen settimane
month mes mois monat mese mês
months meses monate monaten mesi
year año année jahr anno ano l'année l'anno
years años années ans jahre jahren anni anos
two dos deux zwei due dois duas
three tres trois drei tre três
four cuatro quatre vier quattro quatro
five cinco cinq fünf cinque
six seis sechs sei
since desde depuis seit dal
between entre zwischen
only solo sólo seulement nur soltanto somente
`

// Words for which these languages differ from English in grammar: those for "last",
// "next" and "this", which come before or after a unit; those for "ago", before or after
// the count; and those that join a day, month and year.
var (
	lastWords          = text.WordSet(`pasado pasada pasados pasadas dernier dernière derniers dernières letzte letzten letztes letzter vorige vorigen voriges scorso scorsa scorsi scorse passado passada`)
	nextWords          = text.WordSet(`próximo próxima prochain prochaine nächste nächsten nächstes nächster prossimo prossima`)
	thisWords          = text.WordSet(`este esta ce cet cette diese diesen dieses dieser diesem questo questa quest'anno`)
	agoBefore          = text.WordSet(`hace vor há`)
	agoAfter           = text.WordSet(`fa atrás`)
	oneWords           = text.WordSet(`un una une ein eine einem einer um uma`)
	inWords            = text.WordSet(`en em im nel nell'`)
	ofWords            = text.WordSet(`de del di do`)
	dayBeforeYesterday = text.WordSet(`anteayer vorgestern anteontem`)
)

// english maps a word of another language to the English one.
var english = sync.OnceValue(func() map[string]string {
	out := make(map[string]string)
	for line := range strings.Lines(strings.TrimSpace(translations)) {
		names := strings.Fields(line)
		for _, n := range names[1:] {
			out[n] = names[0]
		}
	}
	return out
})

// inEnglish translates time expressions of other languages into the English that [parser]
// reads: "hace dos semanas" into "two weeks ago", "letzten Monat" into "last month", "7
// de mayo de 2023" into "7 may 2023". It returns other texts unchanged.
func inEnglish(words []string) []string {
	known := english()
	at := -1
	for i, w := range words {
		if _, ok := known[w]; ok || dayBeforeYesterday[w] {
			at = i
			break
		}
		if _, ok := yearOf(w); ok && i > 0 && inWords[words[i-1]] {
			at = i
			break
		}
	}
	if at < 0 {
		return words
	}
	t := translator{words: words, known: known}
	for t.at < len(words) {
		t.next()
	}
	return t.out
}

// translator translates words from left to right.
type translator struct {
	words []string
	known map[string]string
	at    int // the next word to translate
	out   []string
}

// name returns the English of the i-th word: the word itself if no translation is known,
// and "" outside of the text.
func (t *translator) name(i int) string {
	if i < 0 || i >= len(t.words) {
		return ""
	}
	if w, ok := t.known[t.words[i]]; ok {
		return w
	}
	return t.words[i]
}

// spans reports whether the i-th word is a unit, weekday, month or season of
// another language.
func (t *translator) spans(i int) bool {
	if i < 0 || i >= len(t.words) {
		return false
	}
	w, ok := t.known[t.words[i]]
	if !ok {
		w = t.words[i] // some are spelled as in English: "april", "september"
	}
	_, unit := units[w]
	_, month := months[w]
	_, day := weekdays[w]
	_, season := seasons[w]
	return unit && ok || month || day && ok || season
}

// take appends the English of the next words and moves behind them.
func (t *translator) take(words int, english ...string) {
	t.out = append(t.out, english...)
	t.at += words
}

// next translates the next word and those that belong to it.
func (t *translator) next() {
	w := t.words[t.at]
	if step := stepOf(w); step != "" && t.spans(t.at+1) { // "letzte Woche"
		t.take(2, step, t.name(t.at+1))
		return
	}
	if t.spans(t.at) && t.at+1 < len(t.words) { // "la semana pasada"
		if step := stepOf(t.words[t.at+1]); step == "last" || step == "next" {
			t.take(2, step, t.name(t.at))
			return
		}
	}
	from, skip := t.at, 0 // where a count may begin, and the words of "ago" before it
	switch {
	case agoBefore[w]:
		from, skip = t.at+1, 1
	case w == "il" && t.at+2 < len(t.words) && t.words[t.at+1] == "y" && t.words[t.at+2] == "a":
		from, skip = t.at+3, 3
	}
	if count, ok := t.count(from); ok && t.spans(from+1) {
		after := from+2 < len(t.words) && agoAfter[t.words[from+2]]
		if _, unit := units[t.name(from+1)]; unit && (skip > 0 || after) {
			if after {
				skip++
			}
			t.take(skip+2, count, t.name(from+1), "ago")
			return
		}
	}
	switch {
	case dayBeforeYesterday[w]:
		t.take(1, "day", "before", "yesterday")
	case inWords[w] && (t.spans(t.at+1) || t.year(t.at+1)):
		t.take(1, "in")
	case ofWords[w] && t.at > 0 && (t.month(t.at+1) || t.month(t.at-1) && t.year(t.at+1)):
		t.take(1)
	default:
		t.take(1, t.name(t.at))
	}
}

// stepOf returns "last", "next" or "this" for a word with that meaning, and "" for any
// other.
func stepOf(w string) string {
	switch {
	case lastWords[w]:
		return "last"
	case nextWords[w]:
		return "next"
	case thisWords[w]:
		return "this"
	}
	return ""
}

// count reads a number of units at the i-th word.
func (t *translator) count(i int) (string, bool) {
	w := t.name(i)
	if oneWords[w] {
		return "one", true
	}
	if _, ok := numerals[w]; ok {
		return w, true
	}
	_, err := strconv.Atoi(w)
	return w, err == nil
}

func (t *translator) month(i int) bool {
	_, ok := months[t.name(i)]
	return ok
}

func (t *translator) year(i int) bool {
	_, ok := yearOf(t.name(i))
	return ok
}
