package topics

import (
	"math"
	"slices"
)

// A category is a topic that has enough texts, or a field: the wider subject of
// topics that have too few each ("fitness" and "dance" are "sports" until there
// are enough of them). So a small memory has few categories, and a large one is
// divided as far as it is worth it.

// nearlyBest is the part of a text's best weight from which another topic will do
// as well, rather than the field of the best.
const nearlyBest = 0.7

// LeastOf is how many texts of so many a topic must have to be a category: two of a
// few, three of a hundred, and from some thousand on one in a hundred.
func LeastOf(texts int) int {
	return max(2, int(math.Round(math.Sqrt(float64(texts))/3)), texts/100)
}

// Group puts texts into categories and returns the name of each one's; "" of a
// text that has no topic. A category holds at least as many texts as least says,
// unless nothing else suits them, or there is one of that name anyway.
func Group(texts []Weights, least int, exists func(name string) bool) []string {
	g := grouping{texts: texts, topics: make([]int, len(texts)), names: make([]string, len(texts)), size: make(map[string]int)}
	g.enough = func(name string) bool { return g.size[name] >= least || exists(name) }
	for i, w := range texts {
		topic, ok := w.best()
		if g.topics[i] = topic; ok {
			g.put(i, topicTable()[topic].name)
		}
	}
	g.closeSmall(func(i int) string {
		if name := g.elsewhere(i, nearlyBest); name != "" {
			return name
		}
		return fieldOf(g.topics[i])
	})
	g.closeSmall(func(i int) string { return g.elsewhere(i, 0) })
	return g.names
}

// grouping is the state of one Group.
type grouping struct {
	texts  []Weights
	topics []int    // the best of each text
	names  []string // of its category
	size   map[string]int
	enough func(name string) bool // a category may stay
}

// put moves a text into a category.
func (g *grouping) put(i int, name string) {
	if old := g.names[i]; old != "" {
		g.size[old]--
	}
	g.names[i] = name
	g.size[name]++
}

// closeSmall moves the texts of each category that has too few, all by what there
// was before; "" leaves a text where it is.
func (g *grouping) closeSmall(next func(i int) string) {
	moves := make([]string, len(g.texts))
	for i, name := range g.names {
		if name != "" && !g.enough(name) {
			moves[i] = next(i)
		}
	}
	for i, name := range moves {
		if name != "" {
			g.put(i, name)
		}
	}
}

// elsewhere returns the topic that a text speaks for most of those that have
// enough texts and at least that share of its best weight; "" if there is none.
func (g *grouping) elsewhere(i int, share float32) string {
	w := g.texts[i]
	best := -1
	for t, x := range w {
		name := topicTable()[t].name
		if name != g.names[i] && g.enough(name) && x > 0 && x >= share*w[g.topics[i]] && (best < 0 || x > w[best]) {
			best = t
		}
	}
	if best < 0 {
		return ""
	}
	return topicTable()[best].name
}

// fieldOf returns the wider subject of a topic: its own name if there is none.
func fieldOf(topic int) string {
	if f := topicTable()[topic].field; f != "" {
		return f
	}
	return topicTable()[topic].name
}

// IsTopic reports whether a name is that of a topic or field, which the program
// has of itself and not from a text.
func IsTopic(name string) bool {
	return slices.ContainsFunc(topicTable(), func(t topicWords) bool { return t.name == name || t.field == name })
}

// Join returns which of the categories there are a new text belongs to: that of
// its topic, of another that it speaks for nearly as much, or of its field. If
// there is none of them, it is the topic, to be begun; "" for a text without one.
func (w Weights) Join(exists func(name string) bool) string {
	topic, ok := w.best()
	if !ok {
		return ""
	}
	order := make([]int, 0, 4)
	for t, x := range w {
		if x >= nearlyBest*w[topic] {
			order = append(order, t)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case w[a] > w[b]:
			return -1
		case w[a] < w[b]:
			return 1
		}
		return 0
	})
	for _, t := range order {
		if exists(topicTable()[t].name) {
			return topicTable()[t].name
		}
	}
	if f := fieldOf(topic); exists(f) {
		return f
	}
	return topicTable()[topic].name
}
