package builtin

import (
	"math"
	"strings"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/wordvec"
)

const (
	// maxEntries bounds the number of words whose features a scratch caches between
	// texts: about a megabyte. Stemming and hashing a word takes some microseconds,
	// looking it up a few hundredths of one, and most words of a text are common.
	maxEntries = 4096

	// maxEntryBytes is the longest word that is cached. Longer ones hardly recur.
	maxEntryBytes = 32
)

// scratch is the working memory of one call of Embed. What it caches between calls is a
// pure function of each word, so results do not depend on it.
type scratch struct {
	lexicon  *lexicon
	words    *wordvec.Table // nil: no first part
	entries  map[string]*entry
	concepts []concept

	text        uint64 // number of the current text; counts of other texts are stale
	told, known int    // words of the text that are no stop words; those of them with a vector
	meaning     []int64
	sum         []int64 // of hashed features
}

// entry holds what one word adds to a vector.
type entry struct {
	features []feature
	told     bool           // not a stop word
	meaning  wordvec.Vector // no values: unknown
	concepts []int32
	count    count
}

// concept is one group of related words.
type concept struct {
	features [slotsPerFeature]feature
	count    count
}

// count counts occurrences within one text.
type count struct {
	text uint64
	n    int
}

func newScratch(l *lexicon, words *wordvec.Table, hashed int) *scratch {
	s := &scratch{lexicon: l, words: words, entries: make(map[string]*entry), concepts: make([]concept, len(l.heads)), sum: make([]int64, hashed)}
	if words != nil {
		s.meaning = make([]int64, words.Dimensions())
	}
	for i := range s.concepts {
		s.concepts[i].features = s.hasher().concept(int32(i))
	}
	return s
}

func (s *scratch) hasher() hasher { return hasher(len(s.sum)) }

// begin starts a new text. Entries are dropped only between texts, because they count the
// occurrences of their word.
func (s *scratch) begin() {
	if len(s.entries) >= maxEntries {
		clear(s.entries)
	}
	s.text++
	clear(s.sum)
	clear(s.meaning)
	s.told, s.known = 0, 0
}

// entryOf returns the entry of a word or pair of characters.
func (s *scratch) entryOf(word string) *entry {
	if e, ok := s.entries[word]; ok {
		return e
	}
	e := new(entry)
	for t := range text.Tokens(word) {
		e.features = s.hasher().appendWord(e.features, t, s.lexicon.weightOf(t))
		if !t.Stop {
			e.told = true
			e.concepts = append(e.concepts, s.lexicon.concepts[t.Term]...)
		}
	}
	if e.told && s.words != nil {
		e.meaning = s.meaningOf(word, e.concepts)
	}
	s.remember(word, e)
	return e
}

// meaningOf returns the vector of a word. A word without one, such as a foreign word,
// gets the vector of its subject.
func (s *scratch) meaningOf(word string, concepts []int32) wordvec.Vector {
	v, found := s.words.Find(withoutPossessive(word))
	if !found && len(concepts) > 0 {
		v, _ = s.words.Find(s.lexicon.heads[concepts[0]])
	}
	return v
}

func (s *scratch) remember(word string, e *entry) {
	if len(word) > maxEntryBytes {
		return
	}
	s.entries[strings.Clone(word)] = e // a copy: word would keep its whole text alive
}

// add adds one occurrence of a word to the sum.
func (s *scratch) add(e *entry) {
	more := s.increment(&e.count)
	s.addFeatures(e.features, more)
	s.addMeaning(e, more)
	for _, g := range e.concepts {
		c := &s.concepts[g]
		s.addFeatures(c.features[:], s.increment(&c.count))
	}
}

// addMeaning adds the vector of a word.
func (s *scratch) addMeaning(e *entry, factor float64) {
	if e.told {
		s.told++
	}
	if e.meaning.Values == "" {
		return
	}
	s.known++
	step := int64(math.Round(float64(e.meaning.Step) * factor))
	for i := range s.meaning {
		s.meaning[i] += int64(int8(e.meaning.Values[i])) * step
	}
}

func (s *scratch) addFeatures(features []feature, factor float64) {
	if factor == 1 {
		for _, f := range features {
			s.sum[f.slot] += int64(f.amount)
		}
		return
	}
	for _, f := range features {
		s.sum[f.slot] += int64(math.Round(float64(f.amount) * factor))
	}
}

// increment returns what one more occurrence adds, so that n of them together weigh the
// square root of n.
func (s *scratch) increment(c *count) float64 {
	if c.text != s.text {
		*c = count{text: s.text}
	}
	c.n++
	if c.n == 1 {
		return 1
	}
	return math.Sqrt(float64(c.n)) - math.Sqrt(float64(c.n-1))
}
