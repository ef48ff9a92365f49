package forget

import (
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// Statement is a statement of what is forgotten, as a rule or a model read it.
type Statement struct {
	Text string
	// Value is what fills its slot, in the words of the text; empty if it could not be
	// read.
	Value string
	// Slot is the name of the slot, such as "user's cat" or "name".
	Slot string
	// Named means that Value is a name.
	Named bool
	// Cased means that in the language of the text, a capital inside a sentence marks a
	// name.
	Cased bool
}

// Lexicon tells how common words are.
type Lexicon struct {
	// Known reports whether a lower-case word is in the dictionary.
	Known func(word string) bool
	// General reports whether a word says little about a subject, like words of time, of
	// liking and of talking.
	General func(word string) bool
	// Shared reports whether several other facts contain a term, which is then a topic
	// rather than the value of one fact. A nil Shared means that none do.
	Shared func(term string) bool
}

// Values are the words that identify what is forgotten: the rare words, names and numbers
// in its statements. They are searched for wherever the statements may be repeated in
// other words. The zero value has none.
type Values struct {
	statements []values
	lexicon    Lexicon
	common     []word // words that are too frequent in memory to identify anything
}

// values are the words of one statement.
type values struct {
	value   []weighed
	subject []word // its other words and those of its slot
	total   int
}

// weighed is a word of a value with its weight: how well the word identifies the value.
type weighed struct {
	word
	weight int
}

// Weights of the words of a value. A unique word is one that is in no dictionary, an
// address or a long number, and so stands for nothing else.
const (
	commonWeight = 1
	nameWeight   = 2 // a name or number that others may share
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

// of returns the values of a statement: the words that fill its slot, and the numbers and
// names anywhere in it. If there are none, it returns all words except the most general
// ones and those that other facts share.
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
			continue // added below without the text around it
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

// others returns the words of the subject that are not in the value.
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

// notShared returns the words that no other facts contain.
func (v Values) notShared(list []word) (out []word) {
	for _, w := range list {
		if w.kind != plainWord || v.lexicon.Shared == nil || !v.lexicon.Shared(w.key) {
			out = append(out, w)
		}
	}
	return out
}

// leastUnspaced is the number of characters from which a name in a script without spaces
// is distinguishable from a common word.
const leastUnspaced = 2

// weigh returns the weight of a word of a statement, or 0 if the word says nothing.
// filled means that the word is part of what fills the slot.
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

// content returns the words that are neither stop words nor general.
func (v Values) content(list []word) []word {
	var out []word
	for _, w := range list {
		if !w.stop && !v.lexicon.General(w.said) {
			out = append(out, w)
		}
	}
	return out
}

// Where tells how the place of a sentence relates to what is forgotten.
type Where int

// The places.
const (
	Anywhere Where = iota
	// Told is a conversation in which the value was told. A mention of the value there is
	// about the same subject unless the sentence says otherwise.
	Told
	// Source is a turn from which the fact was learned.
	Source
)

// Verdict is what a text says of what is forgotten.
type Verdict int

// The verdicts, in increasing order.
const (
	Nothing Verdict = iota
	Holds           // contains a value, perhaps of another subject
	Tells           // tells the value of this subject
)

// In returns the verdict on a sentence.
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

// held describes which words of a value a sentence contains.
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

// tells reports whether a sentence that contains part of a value tells it of the same
// subject. It does if it comes from a source turn or also has a word for the subject.
// Otherwise a unique word counts as this subject's in the conversation that told it and
// in sentences about the user; in all other cases, the sentence may say hardly anything
// else.
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

// others counts the words of a sentence that carry meaning and are not in the value.
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

// runesOfWord is the average number of characters of a word in scripts without spaces,
// particles included.
const runesOfWord = 4

// None reports whether there is nothing to search for.
func (v Values) None() bool { return len(v.statements) == 0 }

// A Counter counts how many texts of memory contain each word of the values.
type Counter struct {
	values Values
	counts map[string]int
}

// Counter returns a counter for the words of v.
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

// manyTexts is the number of texts above which a word identifies nothing. What was told
// once is spoken of in a few.
const manyTexts = 50

// Rare returns the values with the words marked as common that too many of the counted
// texts contain.
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

// onlyCommon reports whether all words of a list are common in memory.
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
