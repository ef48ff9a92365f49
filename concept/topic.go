package concept

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// Topic is a subject from a fixed list, such as "pets".
type Topic struct {
	Name string
	// Weight is how strongly the text speaks of it: the sum over the different
	// words that do, 1 for each that is clear and less for each that may mean
	// something else. Always positive.
	Weight float64
}

// The weight of a word that belongs to one subject, and of one that has others
// too: "name" may be anybody's, "kitten" is a pet.
const (
	clearWeight = 1.0
	vagueWeight = 0.4
)

// General is the name [Lead] gives to a text that has no subject.
const General = "general"

// Topics returns the subjects of a text, the strongest first; of equal ones, the
// one that is mentioned first. Nil if the text has none. Only the first 16 KiB
// of the text count.
func Topics(s string) []Topic {
	found := readText(clip(s, maxScanned)).weigh()
	if len(found) == 0 {
		return nil
	}
	out := make([]Topic, len(found))
	for i, f := range found {
		out[i] = Topic{Name: topicTable[f.topic].name, Weight: f.weight}
	}
	return out
}

// Lead returns the best category name for a text: its leading topic, else the
// first of its tags that could name a category, else [General]. Words in skip,
// such as the names of the speakers, name no category.
func Lead(s string, skip ...string) string {
	name, _ := LeadTopic(s, skip...)
	return name
}

// LeadTopic is [Lead] that also says whether the name is that of a topic.
func LeadTopic(s string, skip ...string) (name string, topic bool) {
	return readText(clip(s, maxScanned)).lead(skip)
}

func (r read) lead(skip []string) (name string, topic bool) {
	if found := r.weigh(); len(found) > 0 {
		return topicTable[found[0].topic].name, true
	}
	set := tagSet{limit: maxLeadTags}
	for _, w := range r.known {
		set.put(w.tag)
	}
	for _, run := range hanRuns(r.text) {
		set.add(run)
	}
	for _, tag := range set.tags {
		if !isGeneral(tag) && !isSkipped(tag, skip) && !strings.ContainsAny(tag, "./'’") {
			return tag, false
		}
	}
	return General, false
}

// maxLeadTags bounds how many words are looked at for a category name.
const maxLeadTags = 64

func isSkipped(tag string, skip []string) bool {
	return slices.ContainsFunc(skip, func(s string) bool { return slices.Contains(text.Words(s), tag) })
}

// finding is a topic in a text.
type finding struct {
	topic  int // in topicTable
	weight float64
	first  int // order of the first mention
}

// weigh returns the topics of a text, the best first.
func (r read) weigh() []finding {
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
		r.countPieces(seen, count)
	}
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), a.first-b.first, a.topic-b.topic)
	})
	return found
}

// countPieces counts the triggers in scripts where words are not separated, but
// those that were seen.
func (r read) countPieces(seen []string, count func(trigger)) {
	l, s := topicLexicon(), r.text
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		c, n := utf8.DecodeRuneInString(s[i:])
		for _, p := range l.pieces[c] {
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
