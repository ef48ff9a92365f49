package forget

import (
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// Statement is something that was said of what is forgotten, as it was read.
type Statement struct {
	Text string
	// Value is what fills its slot, in the words of the text; empty where nobody can read it.
	Value string
	// Slot are the words by which the slot is called: "user's cat", "name".
	Slot string
	// Named says that what fills the slot is a name.
	Named bool
	// Cased says that in the language of the text a capital inside a sentence tells a name.
	Cased bool
}

// Lexicon is what is known of words before any text was read.
type Lexicon struct {
	// Known reports whether a lower-case word is in the dictionary.
	Known func(word string) bool
	// General reports whether one says little of a subject, as words of time, of liking and
	// of talk do.
	General func(word string) bool
	// Shared reports whether several other facts hold a term: then it is what they are about
	// rather than the value of one; nil: none does.
	Shared func(term string) bool
}

// Values are what identifies what is forgotten: the rare words, names and numbers that its
// statements hold. They are looked for wherever the statements may be repeated in other
// words. The zero value is none.
type Values struct {
	statements []values
	lexicon    Lexicon
	common     []word // values that so much of memory holds that they identify nothing
}

// values are the words of one statement.
type values struct {
	value   []weighed
	subject []word // the other words of it
	total   int
}

// weighed is a word of a value, with how well it identifies it.
type weighed struct {
	word
	weight int
}

// Weights of the words of a value. A unique word is one that stands for nothing else: no
// dictionary has it, or it is too long a number.
const (
	commonWeight = 1
	nameWeight   = 2 // a name or number that others may have
	uniqueWeight = 4
)

// ValuesOf returns the values of statements.
func ValuesOf(said []Statement, lexicon Lexicon) Values {
	v := Values{lexicon: lexicon}
	for _, s := range said {
		if one := v.of(s); one.total > 0 {
			v.statements = append(v.statements, one)
		}
	}
	return v
}

// of returns the values of a statement: the words of what fills its slot, and numbers and
// names wherever they stand in it; where no rule read it and there is neither, all its words
// but the most general and those that other facts share.
func (v Values) of(s Statement) values {
	filled := wordsOf(s.Value)
	var out values
	var rest []word
	add := func(w word, weight int) {
		for _, known := range out.value {
			if known.key == w.key {
				return
			}
		}
		out.value, out.total = append(out.value, weighed{w, weight}), out.total+weight
	}
	for _, w := range wordsOf(s.Text) {
		in := false
		for _, f := range filled {
			in = in || f.key == w.key || w.kind == unspacedWord && strings.Contains(w.key, f.key)
		}
		if in && w.kind == unspacedWord {
			continue // its value is a part of it
		}
		switch weight := v.weigh(w, s, in); {
		case weight == 0:
		case in || weight > commonWeight:
			add(w, weight)
		default:
			rest = append(rest, w)
		}
	}
	for _, f := range filled {
		if f.kind == unspacedWord {
			add(f, v.weigh(f, s, true))
		}
	}
	if out.total == 0 {
		if own := v.notShared(rest); len(own) > 0 && len(own) < len(rest) {
			rest, out.subject = own, rest
		}
		for _, w := range rest {
			if w.kind == unspacedWord {
				for _, t := range text.Terms(w.key) {
					add(word{key: t, said: t, kind: unspacedWord}, commonWeight)
				}
				continue
			}
			add(w, commonWeight)
		}
		rest = out.others()
	}
	out.subject = append(rest, v.content(wordsOf(s.Slot))...)
	return out
}

// others returns the words of the subject that are none of the value.
func (s values) others() (out []word) {
next:
	for _, w := range s.subject {
		for _, v := range s.value {
			if v.key == w.key {
				continue next
			}
		}
		out = append(out, w)
	}
	return out
}

// notShared returns the words that no other facts share.
func (v Values) notShared(list []word) (out []word) {
	for _, w := range list {
		if w.kind != plainWord || v.lexicon.Shared == nil || !v.lexicon.Shared(w.key) {
			out = append(out, w)
		}
	}
	return out
}

// leastUnspaced is how many characters a name has in a script without spaces that is no
// common word.
const leastUnspaced = 2

// weigh is the weight of a word of a statement; 0 of one that says nothing.
func (v Values) weigh(w word, s Statement, filled bool) int {
	switch w.kind {
	case addressWord:
		return uniqueWeight
	case numberWord:
		if len(w.key) >= leastLong {
			return uniqueWeight
		}
		if len(w.key) < 3 && !filled {
			return commonWeight
		}
		return nameWeight
	case mixedWord:
		if len(w.key) >= leastLong {
			return uniqueWeight
		}
		return nameWeight
	case unspacedWord:
		n := utf8.RuneCountInString(w.key)
		if filled && n >= leastUnspaced && s.Named {
			return uniqueWeight
		}
		return commonWeight
	}
	if w.stop || v.lexicon.General(w.said) {
		if filled && !w.stop {
			return commonWeight
		}
		return 0
	}
	named := w.capital && (filled || s.Cased && !w.first)
	switch known := v.lexicon.Known(w.said); {
	case !known && (named || filled && s.Named || s.Cased && !w.first && len(w.key) >= 4):
		return uniqueWeight
	case named || filled && s.Named:
		return nameWeight
	}
	return commonWeight
}

// content returns the words that say something.
func (v Values) content(list []word) []word {
	var out []word
	for _, w := range list {
		if !w.stop && !v.lexicon.General(w.said) {
			out = append(out, w)
		}
	}
	return out
}

// Where says what is known of the place of a sentence.
type Where int

// The places.
const (
	Anywhere Where = iota
	// Told is the conversation in which the value was told: a mention of it there is about
	// the same subject, unless it says otherwise.
	Told
	// Source is the turn that a fact came from.
	Source
)

// Verdict says what a text has to do with the values.
type Verdict int

// The verdicts, each more than the one before.
const (
	Nothing Verdict = iota
	Holds           // a value, of another subject perhaps
	Tells           // the value of this subject
)

// In returns what a sentence has to do with the values.
func (v Values) In(sentence string, where Where) Verdict {
	if len(v.statements) == 0 {
		return Nothing
	}
	return v.in(wordsOf(sentence), sentence, where)
}

func (v Values) in(said []word, sentence string, where Where) Verdict {
	most := Nothing
	for _, s := range v.statements {
		held := s.held(said)
		if held.weight == 0 {
			continue
		}
		if (held.unique || 3*held.weight >= s.total) && !v.onlyCommon(held.words) {
			most = max(most, Holds)
		}
		if v.tells(s, held, said, sentence, where) {
			return Tells
		}
	}
	return most
}

// held is what a sentence holds of a value.
type held struct {
	words  []word // of the value
	weight int
	unique bool
}

func (s values) held(said []word) held {
	var out held
	for _, w := range s.value {
		for _, x := range said {
			if w.same(x) {
				out.words, out.weight, out.unique = append(out.words, w.word), out.weight+w.weight, out.unique || w.weight == uniqueWeight
				break
			}
		}
	}
	return out
}

// tells reports whether a sentence that holds some of a value tells it of the same subject.
// It does if it has a word for the subject too. Without one it is a matter of how likely
// the value is another's: a unique word is not, in the conversation that told it or where
// somebody speaks of themselves; of others hardly anything else may be said in the sentence.
func (v Values) tells(s values, h held, said []word, sentence string, where Where) bool {
	enough := h.unique || 3*h.weight >= s.total
	if !enough {
		return where == Source && 2*len(h.words) >= len(s.value)
	}
	if where == Source {
		return true
	}
	for _, w := range s.subject {
		for _, x := range said {
			if w.same(x) {
				return true
			}
		}
	}
	others, personal := v.others(s, said), personal(said, sentence)
	switch {
	case v.onlyCommon(h.words):
		return false
	case naming(said) && others > 0 && !(where == Told && personal):
		return false // it says what something else is called
	case h.unique:
		return where == Told || personal || others == 0
	case where == Told:
		return personal || others <= 1
	}
	return 2*h.weight > s.total && (personal && others <= 1 || others == 0)
}

// others counts the words of a sentence that say something and are none of a statement.
func (v Values) others(s values, said []word) (n int) {
next:
	for _, x := range said {
		if x.stop || x.kind != numberWord && v.lexicon.General(x.said) || namingWords[x.said] || isPersonal[x.said] {
			continue
		}
		for _, w := range s.value {
			if w.same(x) {
				if x.kind == unspacedWord {
					n += (utf8.RuneCountInString(x.key) - utf8.RuneCountInString(w.key)) / runesOfWord
				}
				continue next
			}
		}
		if x.kind == unspacedWord {
			n += utf8.RuneCountInString(x.key) / runesOfWord
			continue
		}
		n++
	}
	return n
}

// runesOfWord is how many characters a word has in scripts without spaces, with what joins it
// to others.
const runesOfWord = 4

// None reports whether nothing is looked for.
func (v Values) None() bool { return len(v.statements) == 0 }

// A Counter counts in how many texts of memory each word of the values stands.
type Counter struct {
	values Values
	counts map[string]int
}

// Counter returns one that has counted nothing.
func (v Values) Counter() *Counter { return &Counter{v, make(map[string]int)} }

// Add counts a text.
func (c *Counter) Add(said string) {
	words := wordsOf(said)
	seen := make(map[string]bool)
	for _, s := range c.values.statements {
		for _, w := range s.held(words).words {
			if !seen[w.key] {
				seen[w.key] = true
				c.counts[w.key]++
			}
		}
	}
}

// manyTexts is how many texts hold a word that identifies nothing: what is told once is
// spoken of in a few.
const manyTexts = 50

// Rare returns the values with the words marked that many of the texts hold.
func (c *Counter) Rare() Values {
	v := c.values
	for _, s := range v.statements {
		for _, w := range s.value {
			if c.counts[w.key] > manyTexts {
				v.common = append(v.common, w.word)
			}
		}
	}
	return v
}

// onlyCommon reports whether all of some words are common here.
func (v Values) onlyCommon(list []word) bool {
	for _, w := range list {
		common := false
		for _, c := range v.common {
			common = common || c.key == w.key
		}
		if !common {
			return false
		}
	}
	return true
}
