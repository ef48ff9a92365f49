package grammar

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// Grammar is what is looked up of one language, or of all.
type Grammar struct {
	Is, Now, Of, My, The, As, Use, To, Into, Set, And map[string]bool
	Follows                                           bool // see Language

	// Of languages that put no blanks between words: Particles link a name to its
	// value, Links a value to its name.
	Particles, Links, Ends []string
	// openings of clauses, by their first byte with ASCII letters small, longest first.
	it [256][]string
}

func words(list string) []string { return strings.Fields(list) }

// phrases splits a list at its commas, for entries of several words.
func phrases(list string) []string { return strings.Split(list, ", ") }

// Things own secrets, in every language alike. They may follow a label without a
// preposition.
var Things = text.WordSet("wifi wi-fi wlan router server nas admin root laptop db database email mail vpn guest guests gast invités prod production staging ssh ftp")

// newGrammar compiles the grammars of languages. Where they are several, words are
// left out that another language uses for something else.
func newGrammar(of ...*Language) *Grammar {
	g := &Grammar{}
	sets := []struct {
		set *map[string]bool
		of  func(*Language) []string
	}{
		{&g.Is, func(l *Language) []string { return l.Is }}, {&g.Now, func(l *Language) []string { return l.Now }},
		{&g.Of, func(l *Language) []string { return l.Of }},
		{&g.My, func(l *Language) []string { return l.My }}, {&g.The, func(l *Language) []string { return l.The }},
		{&g.As, func(l *Language) []string { return l.As }}, {&g.Use, func(l *Language) []string { return l.Use }},
		{&g.To, func(l *Language) []string { return l.To }}, {&g.Into, func(l *Language) []string { return []string{l.Into} }}, {&g.Set, func(l *Language) []string { return l.Set }}, {&g.And, func(l *Language) []string { return l.And }},
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
		for _, w := range Spellings(l.It) {
			g.it[w[0]|0x20] = append(g.it[w[0]|0x20], w)
		}
		if l.IsJoined() {
			g.Particles = slices.Concat(g.Particles, l.Is, l.Now, l.To)
			g.Links = append(g.Links, l.As...)
			g.Ends = append(g.Ends, l.And...)
		}
	}
	if len(of) == 1 {
		g.Follows = of[0].Follows
	} else {
		delete(g.Is, "to") // Polish
	}
	for _, list := range append(g.it[:], g.Particles, g.Links) {
		slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
	return g
}

// IsJoined reports whether a language writes its particles without blanks.
func (l *Language) IsJoined() bool {
	r, _ := utf8.DecodeRuneInString(l.Passwords[0])
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// Every is that of all languages, for the labels that they share: people
// say "password" in all of them.
var Every = sync.OnceValue(func() *Grammar {
	var all []*Language
	for i := range Languages {
		all = append(all, &Languages[i])
	}
	return newGrammar(all...)
})

// describing holds what is said of secrets, in all languages.
var describing = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, l := range Languages {
		for _, w := range l.Describe {
			out[w] = true
		}
	}
	return out
})

// IsDescription reports whether a word is one that describes a secret, in a
// language whose copula is before it ("" for none) or in that of its label.
func IsDescription(word, copula string, of *Language) bool {
	word = strings.ToLower(strings.TrimRight(word, "!?"))
	if describing()[word] || text.IsStop(word) {
		return true
	}
	if of == nil && copula == "" {
		return HasEnding(word, Languages[0].Endings)
	}
	for i := range Languages {
		l := &Languages[i]
		if (l == of || copula != "" && slices.Contains(l.Is, copula)) && HasEnding(word, l.Endings) {
			return true
		}
	}
	return false
}

// HasEnding reports whether a word has one of the endings, behind a stem.
func HasEnding(word string, endings []string) bool {
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

// Grammar returns the compiled grammar of a language.
func (l *Language) Grammar() *Grammar { return grammars()[l] }

var grammars = sync.OnceValue(func() map[*Language]*Grammar {
	out := map[*Language]*Grammar{}
	for i := range Languages {
		out[&Languages[i]] = newGrammar(&Languages[i])
	}
	return out
})

// Spellings returns words with the upper-case forms of their letters outside of
// ASCII, which the index does not fold.
func Spellings(list []string) []string {
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

// Describes reports whether a word is one that describes a secret, in some language.
func Describes(word string) bool { return describing()[strings.ToLower(word)] }

// Opening returns the length of what text begins with if that opens a clause about a
// secret named before.
func (g *Grammar) Opening(text string) int {
	if text == "" {
		return 0
	}
	for _, w := range g.it[text[0]|0x20] {
		n := len(w)
		if !beginsWith(text, w) {
			continue
		}
		last := w[n-1]
		if last >= 0xe0 || n < len(text) && (text[n] == ' ' || text[n] == ':') || last >= 0x80 && n < len(text) {
			return n
		}
	}
	return 0
}

// HasChange reports whether a word says that a secret got another value.
func (g *Grammar) HasChange(text string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if g.Set[strings.Trim(w, ".,:;!?\"'")] {
			return true
		}
	}
	return false
}

// SaysNow reports whether words between clauses say that a value is the present one.
func (g *Grammar) SaysNow(text string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if g.Now[strings.Trim(w, ":,")] {
			return true
		}
	}
	return strings.ContainsAny(text, "今现現")
}

// beginsWith reports whether a text begins with w, which is in lower case, letters of
// ASCII in either case.
func beginsWith(text, w string) bool {
	if len(text) < len(w) {
		return false
	}
	for i := 0; i < len(w); i++ {
		if c := text[i]; c != w[i] && (c < 'A' || c > 'Z' || c+'a'-'A' != w[i]) {
			return false
		}
	}
	return true
}

// lowerASCII puts letters of ASCII in lower case.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
