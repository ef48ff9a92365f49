package recall

import (
	"strconv"
	"strings"
	"sync"
)

// timeNames has on each line what Spanish, French, German, Italian and
// Portuguese call the English word at its beginning. Left out is what means
// something else in one of these languages ("hier", "morgen", "an", "estate").
const timeNames = `
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

// What gives these languages a grammar of time of their own: the words that
// stand for "last", "next" and "this" beside a unit, before it or behind it;
// those that open or close "ago"; and those that join a day, month and year.
var (
	lastWords = wordSet(`pasado pasada pasados pasadas dernier dernière derniers dernières letzte letzten letztes letzter vorige vorigen voriges scorso scorsa scorsi scorse passado passada`)
	nextWords = wordSet(`próximo próxima prochain prochaine nächste nächsten nächstes nächster prossimo prossima`)
	thisWords = wordSet(`este esta ce cet cette diese diesen dieses dieser diesem questo questa quest'anno`)
	agoBefore = wordSet(`hace vor há`)
	agoBehind = wordSet(`fa atrás`)
	oneWords  = wordSet(`un una une ein eine einem einer um uma`)
	inWords   = wordSet(`en em im nel nell'`)
	ofWords   = wordSet(`de del di do`)
	someDay   = map[string]string{"anteayer": "yesterday", "vorgestern": "yesterday", "anteontem": "yesterday"}
)

// englishTimes gives the English of each name.
var englishTimes = sync.OnceValue(func() map[string]string {
	out := make(map[string]string)
	for line := range strings.Lines(strings.TrimSpace(timeNames)) {
		names := strings.Fields(line)
		for _, n := range names[1:] {
			out[n] = names[0]
		}
	}
	return out
})

// inEnglish returns words with what other languages say of time in the English
// that [timeParser] reads: "hace dos semanas" as "two weeks ago", "letzten
// Monat" as "last month", "7 de mayo de 2023" as "7 may 2023". A text without
// such words is returned as it is.
func inEnglish(words []string) []string {
	known := englishTimes()
	at := -1
	for i, w := range words {
		if _, ok := known[w]; ok || someDay[w] != "" {
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

type translator struct {
	words []string
	known map[string]string
	at    int
	out   []string
}

// name returns the English of the i-th word; itself where none is known.
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
		w = t.words[i] // some are spelt as in English: "april", "september"
	}
	_, unit := units[w]
	_, month := months[w]
	_, day := weekdays[w]
	_, season := seasons[w]
	return unit && ok || month || day && ok || season
}

// take appends the English of some words.
func (t *translator) take(words int, english ...string) {
	t.out = append(t.out, english...)
	t.at += words
}

// next translates what stands at the next word.
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
	from, skip := t.at, 0
	switch {
	case agoBefore[w]:
		from, skip = t.at+1, 1
	case w == "il" && t.at+2 < len(t.words) && t.words[t.at+1] == "y" && t.words[t.at+2] == "a":
		from, skip = t.at+3, 3
	}
	if count, ok := t.count(from); ok && t.spans(from+1) {
		behind := from+2 < len(t.words) && agoBehind[t.words[from+2]]
		if _, unit := units[t.name(from+1)]; unit && (skip > 0 || behind) {
			if behind {
				skip++
			}
			t.take(skip+2, count, t.name(from+1), "ago")
			return
		}
	}
	switch {
	case someDay[w] != "":
		t.take(1, "day", "before", someDay[w])
	case inWords[w] && (t.spans(t.at+1) || t.year(t.at+1)):
		t.take(1, "in")
	case ofWords[w] && t.at > 0 && (t.month(t.at+1) || t.month(t.at-1) && t.year(t.at+1)):
		t.take(1)
	default:
		t.take(1, t.name(t.at))
	}
}

// stepOf is the English of a word that says which of several spans is meant;
// empty for others.
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
	if w == "" || w[0] > '9' { // what is no number is told at once, without making an error
		return w, false
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
