package question

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// Value says which of several values that a thing has had a question asks for.
type Value int

// The values that a question may ask for.
const (
	NewestValue   Value = iota // the one that holds now
	PreviousValue              // an earlier one: "where did I live before"
	FirstValue                 // the earliest: "what was my first car"
	AnyValue                   // none; the question asks what happened: "what did she do"
)

// Words and phrases of English, Spanish, French, German, Italian and Portuguese, in
// lower case.
var (
	currentCues = cueList(`now|currently|current|nowadays|today|these days|at the moment|latest|most recent|most recently
		ahora|actualmente|actual|hoy en día
		maintenant|actuellement|actuel|actuelle|en ce moment|aujourd'hui
		jetzt|derzeit|momentan|aktuell|aktuelle|aktueller|aktuelles|aktuellen|inzwischen|mittlerweile|heutzutage|neueste|neuester|neuestes|neuesten
		adesso|attualmente|attuale|oggi
		agora|atualmente|atual|hoje em dia`)
	previousCues = cueList(`used to|previously|previous|formerly|former|in the past|back then
		antes|anteriormente|previamente|anterior|solía|solías|solíamos
		auparavant|autrefois|précédemment|précédent|précédente
		früher|früherer|frühere|früheren|vorher|zuvor|damals|ehemals|vorherige|vorheriger|vorheriges|vorherigen
		precedentemente|precedente|in passato
		antigamente`)
	firstCues = cueList(`originally|original|initially|at first
		originalmente|inicialmente|al principio
		à l'origine|initialement|au début
		ursprünglich|ursprüngliche|ursprünglicher|ursprünglichen|anfangs|zuerst
		originariamente|inizialmente|all'inizio
		no início`)
	// previousEnds mean an earlier value only at the end of a question.
	previousEnds = text.WordSet(`before earlier avant prima`)
	// firstWords mean the earliest value only in a question in the past tense: "what do I
	// do first" and "the deadline of the first sprint" do not.
	firstWords = text.WordSet(`first primer primero primera premier première erste erster erstes ersten primo prima primeiro primeira`)
	pastTense  = text.WordSet(`did didn't was wasn't were weren't had
		fue fueron fui era eran estaba tenía tuve hizo hice
		était étais étaient avait avais avaient
		war waren warst wart hatte hatten hattest wurde wurden
		ero erano fu furono aveva avevo
		foi tinha estava fez`)
)

// cueList returns the words and phrases of a list, each with a space on both sides.
func cueList(list string) []string {
	var out []string
	for line := range strings.Lines(list) {
		for cue := range strings.SplitSeq(strings.TrimSpace(line), "|") {
			out = append(out, " "+cue+" ")
		}
	}
	return out
}

// valueOf returns which value a question with these words asks for. A question in the
// past tense asks what happened, unless it says otherwise.
func valueOf(words []string) Value {
	if len(words) == 0 {
		return NewestValue
	}
	said := " " + strings.ReplaceAll(strings.Join(words, " "), "’", "'") + " "
	holds := func(cue string) bool { return strings.Contains(said, cue) }
	past := slices.ContainsFunc(words, func(w string) bool { return pastTense[strings.ReplaceAll(w, "’", "'")] })
	switch {
	case slices.ContainsFunc(currentCues, holds):
		return NewestValue
	case slices.ContainsFunc(firstCues, holds), past && slices.ContainsFunc(words, func(w string) bool { return firstWords[w] }) && !previousEnds[words[len(words)-1]]:
		return FirstValue
	case slices.ContainsFunc(previousCues, holds), previousEnds[words[len(words)-1]]:
		return PreviousValue
	case past:
		return AnyValue
	}
	return NewestValue
}
