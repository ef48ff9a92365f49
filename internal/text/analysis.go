package text

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// Analysis is a text together with the forms in which it is compared, indexed and
// queried. Code that receives a text makes one with [Analyze] and passes it on, so that
// each text is analyzed once. Each form is computed on first use and cached. The results
// of the methods are shared and must not be modified. An Analysis is safe for concurrent
// use.
type Analysis struct {
	text  string
	parts []*Analysis // the lines that the text was joined from; nil if it was not joined

	compose   sync.Once
	composed  string
	cut       sync.Once
	words     []string
	stem      sync.Once
	tokens    []Token
	normalize sync.Once
	normal    string
}

// Analyze returns the analysis of a text.
func Analyze(s string) *Analysis { return &Analysis{text: s} }

// With returns the analysis of a text with others below it, each on a line of its own. It
// reuses their analyses. Without others, it returns a.
func (a *Analysis) With(lines ...*Analysis) *Analysis {
	if len(lines) == 0 {
		return a
	}
	parts := append([]*Analysis{a}, lines...)
	return &Analysis{text: joinParts(parts, "\n", (*Analysis).Text), parts: parts}
}

// Text returns the text as it was given.
func (a *Analysis) Text() string { return a.text }

// Composed returns the text in NFKC, with invalid UTF-8 replaced by spaces. Words are
// read from this form.
func (a *Analysis) Composed() string {
	a.compose.Do(func() {
		switch {
		case IsASCII(a.text):
			a.composed = a.text
		case a.parts != nil:
			a.composed = joinParts(a.parts, "\n", (*Analysis).Composed)
		default:
			a.composed = norm.NFKC.String(strings.ToValidUTF8(a.text, " "))
		}
	})
	return a.composed
}

// Words returns the [Words] of the text.
func (a *Analysis) Words() []string {
	a.cut.Do(func() {
		if a.parts != nil {
			a.words = joinLists(a.parts, (*Analysis).Words)
			return
		}
		a.words = wordsOf(a.Composed())
	})
	return a.words
}

// Tokens returns the [Tokens] of the text.
func (a *Analysis) Tokens() []Token {
	a.stem.Do(func() {
		switch {
		case a.parts != nil:
			a.tokens = joinLists(a.parts, (*Analysis).Tokens)
		case HasUnspaced(a.Composed()):
			a.tokens = tokensUnspaced(a.Composed())
		default:
			a.tokens = tokensOf(a.Words())
		}
	})
	return a.tokens
}

// Normal returns the text in the form of [Normalize].
func (a *Analysis) Normal() string {
	a.normalize.Do(func() {
		if a.parts != nil {
			a.normal = joinParts(a.parts, " ", (*Analysis).Normal)
			return
		}
		a.normal = Normalize(a.text)
	})
	return a.normal
}

// Hashes returns a hash of each distinct index term of the text that is not a stop word,
// in ascending order. They are stored, so the hash of a term must never change.
func (a *Analysis) Hashes() []uint64 {
	tokens := a.Tokens()
	out := make([]uint64, 0, len(tokens))
	for _, token := range tokens {
		if !token.Stop {
			out = append(out, Mix(fnv64a(token.Term)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// joinParts joins one form of each part. If the separator is a space, it skips parts
// whose form is empty.
func joinParts(parts []*Analysis, separator string, form func(*Analysis) string) string {
	var b strings.Builder
	for i, p := range parts {
		s := form(p)
		if i > 0 && (separator != " " || b.Len() > 0 && s != "") {
			b.WriteString(separator)
		}
		b.WriteString(s)
	}
	return b.String()
}

// joinLists concatenates the words or tokens of the parts.
func joinLists[T any](parts []*Analysis, list func(*Analysis) []T) []T {
	n := 0
	for _, p := range parts {
		n += len(list(p))
	}
	out := make([]T, 0, n)
	for _, p := range parts {
		out = append(out, list(p)...)
	}
	return out
}
