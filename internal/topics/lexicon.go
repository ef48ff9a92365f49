package topics

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// trigger says that a word, or a phrase that begins with it, speaks for a topic.
type trigger struct {
	topic  int // in topicTable
	weight float64
	rest   []string // the other terms of a phrase
}

// lexicon finds the triggers of a text. It is built once and only read.
type lexicon struct {
	terms map[string][]trigger // by index term of internal/text
	// beginnings holds how the words of a term begin, so that one that is stemmed
	// to it by an exception, as "dying" is to "die", is no trigger.
	beginnings map[string]struct{}
	// unspaced are the triggers in scripts where words are not separated, or carry
	// endings, by their first character; the longest first.
	unspaced map[rune][]unspacedTrigger
}

type unspacedTrigger struct {
	text string
	trigger
}

var topicLexicon = sync.OnceValue(func() *lexicon {
	l := &lexicon{terms: map[string][]trigger{}, beginnings: map[string]struct{}{}, unspaced: map[rune][]unspacedTrigger{}}
	for i, t := range topicTable() {
		l.addWords(t.clear, trigger{topic: i, weight: clearWeight})
		l.addWords(t.vague, trigger{topic: i, weight: vagueWeight})
		for p := range strings.FieldsSeq(t.east) {
			r, _ := utf8.DecodeRuneInString(p)
			l.unspaced[r] = append(l.unspaced[r], unspacedTrigger{p, trigger{topic: i, weight: clearWeight}})
		}
	}
	for _, list := range l.unspaced {
		slices.SortStableFunc(list, func(a, b unspacedTrigger) int { return len(b.text) - len(a.text) })
	}
	return l
})

// addWords adds the words of a list. A hyphen joins the words of a phrase.
func (l *lexicon) addWords(words string, t trigger) {
	for w := range strings.FieldsSeq(words) {
		terms := text.Terms(w)
		first := terms[0]
		t.rest = terms[1:]
		same := func(o trigger) bool { return o.topic == t.topic && slices.Equal(o.rest, t.rest) }
		if !slices.ContainsFunc(l.terms[first], same) {
			l.terms[first] = append(l.terms[first], t)
		}
		l.beginnings[first[:beginning(first)]] = struct{}{}
	}
}

// beginning returns how many bytes of a term its words begin with: stemming
// cuts endings, and changes at most the last letter of what is left.
func beginning(term string) int {
	if len(term) <= 3 && !strings.HasSuffix(term, "i") { // "fli" is from "fly"
		return len(term)
	}
	return len(term) - 1
}

// lookup returns the index term of a lower-case word and its triggers, if it has
// any.
func (l *lexicon) lookup(word string) (term string, triggers []trigger) {
	if triggers, ok := l.terms[word]; ok && len(word) <= 3 {
		return word, triggers // it has no ending; a stop word may begin a phrase, as in "on call"
	}
	if text.IsASCII(word) {
		term = text.Term(word)
		if triggers = l.terms[term]; triggers == nil || text.IsStop(word) || !l.isCandidate(word) {
			return "", nil
		}
		return term, triggers
	}
	if text.IsStop(word) || text.HasUnspaced(word) {
		return "", nil
	}
	terms := text.Terms(word)
	if len(terms) != 1 {
		return "", nil
	}
	return terms[0], l.terms[terms[0]]
}

// isCandidate reports whether an ASCII word begins like those of some term.
func (l *lexicon) isCandidate(word string) bool {
	for i := range len(word) {
		if _, found := l.beginnings[word[:i+1]]; found {
			return true
		}
	}
	return false
}

// begins reports whether the rest of t's phrase is at the beginning of
// the words.
func (t *trigger) begins(words []string) bool {
	if len(words) < len(t.rest) {
		return false
	}
	for i, term := range t.rest {
		if text.IsASCII(words[i]) {
			if text.Term(words[i]) != term {
				return false
			}
			continue
		}
		if terms := text.Terms(words[i]); len(terms) != 1 || terms[0] != term {
			return false
		}
	}
	return true
}
