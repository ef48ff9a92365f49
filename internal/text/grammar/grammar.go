package grammar

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// Grammar is the compiled form of one [Language], or of all languages together.
type Grammar struct {
	Is, Now, Of, My, The, As, Use, To, Into, Set, And map[string]bool
	Follows                                           bool // see Language

	// The fields below are set for languages written without spaces between words.
	// Particles link a name to its value, Links a value to its name, and Ends follow a
	// value.
	Particles, Links, Ends []string
	// it holds openings of clauses by their first byte, longest first. ASCII letters are
	// in lower case.
	it [256][]string
}

func words(list string) []string { return strings.Fields(list) }

// phrases splits a list at its commas, for entries of several words.
func phrases(list string) []string { return strings.Split(list, ", ") }

// Things are what may own a secret, in every language. They may follow a label without a
// preposition.
var Things = text.WordSet("wifi wi-fi wlan router server nas admin root laptop db database email mail vpn guest guests gast invités prod production staging ssh ftp")

// newGrammar compiles the grammar of one or more languages. For several, it leaves out a
// word that another language uses for something else.
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

// IsJoined reports whether a language attaches its particles without spaces.
func (l *Language) IsJoined() bool {
	r, _ := utf8.DecodeRuneInString(l.Passwords[0])
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// Every returns the grammar of all languages together, for labels that they share: people
// say "password" in all of them.
var Every = sync.OnceValue(func() *Grammar {
	var all []*Language
	for i := range Languages {
		all = append(all, &Languages[i])
	}
	return newGrammar(all...)
})

// describing returns the words of all languages that describe secrets.
var describing = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, l := range Languages {
		for _, w := range l.Describe {
			out[w] = true
		}
	}
	return out
})

// IsDescription reports whether a word describes a secret rather than being one: it is a
// describing word or a stop word of any language, or has an ending of describing words.
// The endings are those of the language of, which is that of the label, and of each
// language with the given copula before the word. If of is nil and copula empty, they are
// those of English.
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

// HasEnding reports whether a word has one of the endings after a stem of at least three
// characters.
func HasEnding(word string, endings []string) bool {
	for _, end := range endings {
		stem, ok := strings.CutSuffix(word, end)
		if !ok || utf8.RuneCountInString(stem) < 3 {
			continue
		}
		if end == "ly" && (len(stem) < 5 || strings.HasSuffix(stem, "f")) || end == "ed" && strings.HasSuffix(stem, "e") {
			continue // "family", "dragonfly"; "weed"
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

// Spellings returns the words and their forms with letters outside of ASCII in upper
// case, since the index folds only ASCII letters.
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

// Describes reports whether a word describes a secret in any language.
func Describes(word string) bool { return describing()[strings.ToLower(word)] }

// Opening returns the length of an opening at the beginning of text: one that begins a
// clause about a secret named before. It returns 0 if there is none.
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

// HasChange reports whether text says that a secret got another value.
func (g *Grammar) HasChange(text string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if g.Set[strings.Trim(w, ".,:;!?\"'")] {
			return true
		}
	}
	return false
}

// SaysNow reports whether text, which stands between clauses, says that a value is the
// current one.
func (g *Grammar) SaysNow(text string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if g.Now[strings.Trim(w, ":,")] {
			return true
		}
	}
	return strings.ContainsAny(text, "今现現")
}

// beginsWith reports whether text begins with w, ignoring the case of ASCII letters. w
// must be in lower case.
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

// lowerASCII returns s with its ASCII letters in lower case.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
