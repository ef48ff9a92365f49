package secretscan

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// grammar is what is looked up of one language, or of all.
type grammar struct {
	is, now, of, my, the, as, use, to, into, set, and map[string]bool
	follows                                           bool // see language

	// Of languages that put no blanks between words: particles link a name to its
	// value, links a value to its name.
	particles, links, ends []string
	// openings of clauses, by their first byte, longest first.
	it [256][]string
}

func words(list string) []string { return strings.Fields(list) }

// phrases splits a list at its commas, for entries of several words.
func phrases(list string) []string { return strings.Split(list, ", ") }

// things own secrets, in every language alike. They may follow a label without a
// preposition.
var things = text.WordSet("wifi wi-fi wlan router server nas admin root laptop db database email mail vpn guest guests gast invités prod production staging ssh ftp")

// newGrammar compiles the grammars of languages. Where they are several, words are
// left out that another language uses for something else.
func newGrammar(of ...*language) *grammar {
	g := &grammar{}
	sets := []struct {
		set *map[string]bool
		of  func(*language) []string
	}{
		{&g.is, func(l *language) []string { return l.is }}, {&g.now, func(l *language) []string { return l.now }},
		{&g.of, func(l *language) []string { return l.of }},
		{&g.my, func(l *language) []string { return l.my }}, {&g.the, func(l *language) []string { return l.the }},
		{&g.as, func(l *language) []string { return l.as }}, {&g.use, func(l *language) []string { return l.use }},
		{&g.to, func(l *language) []string { return l.to }}, {&g.into, func(l *language) []string { return []string{l.into} }}, {&g.set, func(l *language) []string { return l.set }}, {&g.and, func(l *language) []string { return l.and }},
	}
	for _, s := range sets {
		*s.set = map[string]bool{}
		for _, l := range of {
			for _, w := range s.of(l) {
				(*s.set)[w] = true
			}
		}
	}
	for _, l := range of {
		for _, w := range spellings(l.it) {
			g.it[w[0]] = append(g.it[w[0]], w)
		}
		if l.isJoined() {
			g.particles = slices.Concat(g.particles, l.is, l.now, l.to)
			g.links = append(g.links, l.as...)
			g.ends = append(g.ends, l.and...)
		}
	}
	if len(of) == 1 {
		g.follows = of[0].follows
	} else {
		delete(g.is, "to") // Polish
	}
	for _, list := range append(g.it[:], g.particles, g.links) {
		slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
	return g
}

// isJoined reports whether a language writes its particles without blanks.
func (l *language) isJoined() bool {
	r, _ := utf8.DecodeRuneInString(l.passwords[0])
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// everyGrammar is that of all languages, for the labels that they share: people
// say "password" in all of them.
var everyGrammar = sync.OnceValue(func() *grammar {
	var all []*language
	for i := range languages {
		all = append(all, &languages[i])
	}
	return newGrammar(all...)
})

// describing holds what is said of secrets, in all languages.
var describing = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, l := range languages {
		for _, w := range l.describe {
			out[w] = true
		}
	}
	return out
})

// isDescription reports whether a word is one that describes a secret, in a
// language whose copula is before it ("" for none) or in that of its label.
func isDescription(word, copula string, of *language) bool {
	word = strings.ToLower(strings.TrimRight(word, "!?"))
	if describing()[word] || text.IsStop(word) {
		return true
	}
	if of == nil && copula == "" {
		return hasEnding(word, languages[0].endings)
	}
	for i := range languages {
		l := &languages[i]
		if (l == of || copula != "" && slices.Contains(l.is, copula)) && hasEnding(word, l.endings) {
			return true
		}
	}
	return false
}

// hasEnding reports whether a word has one of the endings, behind a stem.
func hasEnding(word string, endings []string) bool {
	for _, end := range endings {
		stem, ok := strings.CutSuffix(word, end)
		if !ok || utf8.RuneCountInString(stem) < 3 {
			continue
		}
		if end == "ly" && (len(stem) < 5 || strings.HasSuffix(stem, "f")) || end == "ed" && strings.HasSuffix(stem, "e") {
			continue // a family, a dragonfly; a weed
		}
		return true
	}
	return false
}

// grammar returns the compiled grammar of a language.
func (l *language) grammar() *grammar { return grammars()[l] }

var grammars = sync.OnceValue(func() map[*language]*grammar {
	out := map[*language]*grammar{}
	for i := range languages {
		out[&languages[i]] = newGrammar(&languages[i])
	}
	return out
})

// spellings returns words with the upper-case forms of their letters outside of
// ASCII, which the index does not fold.
func spellings(list []string) []string {
	var out []string
	for _, w := range list {
		for _, s := range []string{w, upperFirst(w), strings.ToUpper(w)} {
			if s := lowerASCII(s); !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
