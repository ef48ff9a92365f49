package extract

import "sync"

// signs are the patterns that nearly every clause is searched for to its end. One
// automaton reads it for all of them.
var signs = sync.OnceValue(func() *automaton {
	sources := make([]string, len(signPatterns))
	for i, p := range signPatterns {
		sources[i] = p.source()
	}
	return together(sources...)
})

// signPatterns are the patterns of signs; the place of each is its bit.
var signPatterns = [...]*pattern{strongCutSign: strongCut, weakCutSign: weakCut, carriedSign: carried, closingSign: closing, referenceSign: isReference}

// sign is the place of a pattern in signPatterns.
type sign uint

const (
	strongCutSign sign = iota
	weakCutSign
	carriedSign
	closingSign
	referenceSign
)

// prefilter remembers which signs the text may hold that was looked at last. Most
// statements are a single clause without a word to cut off, so that what is
// asked of the statement, of its clauses and of what is left of them is asked of
// one text. The zero value has looked at nothing.
type prefilter struct {
	text  string
	found family
	done  bool
}

// may reports whether a text may hold a sign. No is certain.
func (g *prefilter) may(s sign, text string) bool {
	if !g.done || g.text != text {
		g.text, g.found, g.done = text, signs().which(text), true
	}
	return g.found&(1<<s) != 0
}
