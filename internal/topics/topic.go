package topics

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// The weight of a word that belongs to one subject, and of one that has others
// too: "name" may be anybody's, "kitten" is a pet.
const (
	clearWeight = 1.0
	vagueWeight = 0.4
)

// Unsorted is the category of texts that are like no others and have no topic.
const Unsorted = "unsorted"

// category returns the best category name for a text, and whether it is that of
// a topic: the leading topic, else the first of its tags that could name a
// category, else [Unsorted].
func (r reading) category() (name string, topic bool) {
	if found := r.topics(); len(found) > 0 {
		return topicTable()[found[0].topic].name, true
	}
	set := tagSet{limit: maxLeadTags}
	for _, w := range r.known {
		set.put(w.tag)
	}
	for _, run := range hanRuns(r.text) {
		set.add(run)
	}
	for _, tag := range set.tags {
		if couldName(tag) {
			return tag, false
		}
	}
	return Unsorted, false
}

// maxLeadTags bounds how many words are looked at for a category name.
const maxLeadTags = 64

// finding is a topic in a text.
type finding struct {
	topic  int // in topicTable
	weight float64
	first  int // order of the first mention
}

// topics returns the topics of a text, the best first.
func (r reading) topics() []finding {
	var found []finding
	order := 0
	count := func(t trigger) {
		order++
		for i := range found {
			if found[i].topic == t.topic {
				found[i].weight += t.weight
				return
			}
		}
		found = append(found, finding{t.topic, t.weight, order})
	}
	var seen []string // each word counts once
	for i, w := range r.known {
		if w.triggers == nil || slices.Contains(seen, w.term) {
			continue
		}
		seen = append(seen, w.term)
		for _, t := range w.triggers {
			if t.begins(r.words[i+1:]) {
				count(t)
			}
		}
	}
	if !text.IsASCII(r.text) {
		r.countUnspaced(seen, count)
	}
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), a.first-b.first, a.topic-b.topic)
	})
	return found
}

// countUnspaced counts the triggers in scripts where words are not separated, but
// those that were seen.
func (r reading) countUnspaced(seen []string, count func(trigger)) {
	l, s := topicLexicon(), r.text
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		c, n := utf8.DecodeRuneInString(s[i:])
		for _, p := range l.unspaced[c] {
			if strings.HasPrefix(s[i:], p.text) {
				if !slices.Contains(seen, p.text) {
					seen = append(seen, p.text)
					count(p.trigger)
				}
				n = len(p.text) // a longer word hides the shorter ones inside it
				break
			}
		}
		i += n
	}
}
