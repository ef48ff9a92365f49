package extract

import (
	_ "embed"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// form is how a word is inflected as a verb.
type form int

const (
	notVerb    form = iota
	base            // "work"; also the first person of the present
	third           // "works"
	pastForm        // "worked", "went"; most are participles too
	participle      // "gone", "been"
	ing             // "working"
)

//go:embed verbs.txt
var verbList string

// commonVerbs are the verbs of everyday statements in their base form. A subject
// ends where one of them stands, so that a noun in "-s" that is not among their
// forms does not end it.
var commonVerbs = text.WordSet(verbList)

// inflection is a form of a verb.
type inflection struct {
	lemma string // its base form
	form  form
}

// irregular are the forms of verbs that "-s", "-ed" and "-ing" do not make.
var irregular = func() map[string]inflection {
	m := make(map[string]inflection)
	add := func(f form, list string) {
		for pair := range strings.FieldsSeq(list) {
			lemma, word, _ := strings.Cut(pair, "/")
			m[word] = inflection{lemma, f}
		}
	}
	add(pastForm, `be/was be/were bear/bore beat/beat become/became begin/began break/broke bring/brought build/built burn/burnt buy/bought catch/caught
		choose/chose come/came cut/cut deal/dealt do/did draw/drew dream/dreamt drink/drank drive/drove eat/ate fall/fell feed/fed feel/felt
		fight/fought find/found fly/flew forbid/forbade forget/forgot freeze/froze get/got give/gave go/went grow/grew hang/hung have/had hear/heard
		hit/hit hold/held hurt/hurt keep/kept know/knew lead/led lean/leant learn/learnt leave/left lend/lent let/let lie/lay lose/lost make/made mean/meant
		meet/met pay/paid put/put quit/quit ride/rode rise/rose run/ran say/said see/saw sell/sold send/sent set/set shoot/shot show/showed
		sing/sang sit/sat sleep/slept smell/smelt speak/spoke spend/spent split/split spread/spread stand/stood steal/stole stick/stuck swim/swam take/took teach/taught
		tell/told think/thought throw/threw understand/understood wake/woke wear/wore win/won write/wrote`)
	add(participle, `be/been bear/born become/become begin/begun break/broken choose/chosen come/come do/done draw/drawn drink/drunk drive/driven eat/eaten
		fall/fallen fly/flown forget/forgotten freeze/frozen get/gotten give/given go/gone grow/grown know/known ride/ridden rise/risen run/run
		see/seen show/shown sing/sung speak/spoken steal/stolen swim/swum take/taken throw/thrown wake/woken wear/worn write/written`)
	add(base, `be/am be/are break/break find/find split/split steal/steal`)
	add(third, `be/is do/does go/goes have/has break/breaks find/finds split/splits`)
	return m
}()

// verbOf returns the base form of a word in lower case and how it is inflected,
// "" and notVerb for a word that is no form of a common verb.
func verbOf(w string) (string, form) {
	if v, ok := irregular[w]; ok {
		return v.lemma, v.form
	}
	if commonVerbs[w] {
		return w, base
	}
	for _, end := range []struct {
		suffix string
		form   form
	}{{"ing", ing}, {"ed", pastForm}, {"s", third}} {
		stem, ok := strings.CutSuffix(w, end.suffix)
		if !ok || len(stem) < 2 {
			continue
		}
		if lemma := verbStem(stem, end.form); lemma != "" {
			return lemma, end.form
		}
	}
	return "", notVerb
}

// verbStem undoes the spelling of an ending: "liv" is "live", "stud" and "studi"
// are "study", "runn" is "run".
func verbStem(stem string, f form) string {
	if commonVerbs[stem] {
		return stem
	}
	n := len(stem)
	if f == third {
		if e, ok := strings.CutSuffix(stem, "ie"); ok && commonVerbs[e+"y"] {
			return e + "y"
		}
		if e, ok := strings.CutSuffix(stem, "e"); ok && commonVerbs[e] {
			return e
		}
		return ""
	}
	switch {
	case commonVerbs[stem+"e"]:
		return stem + "e"
	case stem[n-1] == 'i' && commonVerbs[stem[:n-1]+"y"]:
		return stem[:n-1] + "y"
	case n > 2 && stem[n-1] == stem[n-2] && commonVerbs[stem[:n-1]]:
		return stem[:n-1]
	case stem[n-1] == 'y' && commonVerbs[stem[:n-1]+"ie"]: // dying
		return stem[:n-1] + "ie"
	}
	return ""
}
