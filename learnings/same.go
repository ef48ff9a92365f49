package learnings

import (
	"strings"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// What differs from one failure to the next although the cause is the same. A
// number that names the kind of failure, such as a status, stays.
var masks = []struct {
	what *lazyregexp.Regexp
	by   string
}{
	{lazyregexp.New(`\b[a-z][a-z0-9+.-]*://[^\s"')\]]+`), "URL"},
	{lazyregexp.New(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "ID"},
	{lazyregexp.New(`\b[a-z]:\\[^\s"':;,)\]]+`), "PATH"},
	{lazyregexp.New(`(^|[\s"'(\[=:,])(?:~|\.{1,2})?(?:/[^\s/"':;,)\]]+)+/?`), "${1}PATH"},
	{lazyregexp.New(`\b[\w.-]+(?:/[\w.-]+)+\b`), "PATH"},
	{lazyregexp.New(`\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?\b`), "TIME"},
	{lazyregexp.New(`\b0x[0-9a-f]+\b`), "ID"},
	{lazyregexp.New(`\b[a-z]+[_-][0-9a-z]*\d[0-9a-z]{5,}\b`), "ID"},                                               // fact_01j8x…
	{lazyregexp.New(`\b(?:[0-9a-f]*[0-9][0-9a-f]*[a-f][0-9a-f]*|[0-9a-f]*[a-f][0-9a-f]*[0-9][0-9a-f]*)\b`), "ID"}, // hexadecimal
	{lazyregexp.New(`\b[0-9a-z]*(?:[0-9][0-9a-z]*[a-z]|[a-z][0-9a-z]*[0-9])[0-9a-z]{14,}\b`), "ID"},
}

var (
	status = lazyregexp.New(`\b((?:status|code|exit|errno|http|signal)(?: (?:status|code|error))?[ :=(#]*|error )(\d{1,4})\b`)
	number = lazyregexp.New(`\d+(?:[.,:]\d+)*`)
)

// mask returns an error text with paths, numbers and identifiers masked.
func mask(s string) string {
	s = text.Normalize(s)
	// Digits of a status are written in letters while the others are masked.
	s = status.ReplaceAllStringFunc(s, func(m string) string {
		at := status.FindStringSubmatchIndex(m)
		return m[:at[3]] + strings.Map(func(r rune) rune { return 'G' + r - '0' }, m[at[4]:at[5]])
	})
	for _, m := range masks {
		s = m.what.ReplaceAllString(s, m.by)
	}
	return number.ReplaceAllString(s, "N")
}

// fillers are words of a correction that say nothing of what is right.
var fillers = text.WordSet(`no nope nah actually sorry please hey wait well ok okay oh again thanks just still hmm um
	vale bueno perdona perdón oye espera gracias otra vez favor por en realidad`)

// negations turn a statement round; the analysis of text takes them for words
// without meaning.
var negations = text.WordSet(`not never without don't doesn't didn't isn't aren't wasn't weren't can't won't shouldn't cannot nor nunca jamás sin sino ni tampoco`)

// normalForm returns the significant words of a correction in their order: corrections of
// one gist differ in case, punctuation, inflection and small words only.
func normalForm(s string) string {
	var out []string
	lead := true
	for t := range text.Tokens(s) {
		word := strings.ReplaceAll(t.Word, "’", "'")
		if lead && fillers[word] {
			continue
		}
		lead = false
		switch {
		case negations[word], word == "no":
			out = append(out, "not:"+word)
		case !t.Stop && !fillers[word]:
			out = append(out, t.Term)
		}
	}
	if len(out) == 0 {
		return text.Normalize(s)
	}
	return strings.Join(out, " ")
}
