package language

import (
	"regexp"
	"strings"
	"sync"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// valueKinds are the kinds of values of which a correction gives another: a number or
// time, an address, a name. A weekday or a month is a kind by the language's list.
var valueKinds = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`\S+@\S+\.\w+`),
		regexp.MustCompile(`https?://\S+`),
		regexp.MustCompile(`\d{1,2}:\d\d`),
		regexp.MustCompile(`v?\d[\d.,/-]*\d|\d`),
	}
})

var name = lazyregexp.New(`\p{Lu}[\pL'-]+(?: \p{Lu}[\pL'-]+){0,2}`)

// Place returns where in a statement a correction puts its new value: where the wrong
// one stands, or else the only one of the same kind. held is the value that the
// statement is known to give, empty for none.
func (l *Language) Place(old, held, value, wrong string) (from, to int, ok bool) {
	l.prepare()
	low := lower(old)
	if wrong != "" {
		from = strings.Index(low, lower(wrong))
		return from, from + len(wrong), from >= 0
	}
	for _, kind := range append(l.calendar, valueKinds()...) {
		if !kind.MatchString(lower(value)) {
			continue
		}
		found := kind.FindAllStringIndex(low, -1)
		if len(found) != 1 {
			return 0, 0, false
		}
		return found[0][0], found[0][1], true
	}
	if held != "" && strings.Count(old, held) == 1 && l.name(value, true) == value {
		from = strings.Index(old, held)
		return from, from + len(held), true
	}
	found := name.FindAllStringIndex(old, -1)
	if len(found) > 0 && found[0][0] == 0 {
		found = found[1:] // a capital opens every statement
	}
	if len(found) != 1 || !isUpper(value) {
		return 0, 0, false
	}
	return found[0][0], found[0][1], true
}
