package category

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/topics"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/vector"
)

const (
	// mostShare is the part of all facts that a category may hold before it is
	// divided, and shareFrom the number of facts from which shares mean anything: of
	// ten facts, five about one subject are not too many.
	mostShare = 0.2
	shareFrom = 50
	// looseJoin is the similarity from which a fact that has no topic and is alone
	// joins the nearest category.
	looseJoin = 0.3
)

// group returns the best category of each fact. Those in a pinned category
// stay in it.
//
// Facts go by their topics (concept.Group). Facts without a topic that are like each
// other make a category of their own, one that is like none of them joins the nearest
// category, and what is near to nothing is in concept.Unsorted. A category that holds
// too much is divided.
func group(ctx context.Context, facts []strata.Fact, choices map[string]string) ([]string, error) {
	g := grouping{facts: facts, names: make([]string, len(facts)), reserved: make(map[string]bool), choices: choices}
	var weights []topics.Weights
	for i, f := range facts {
		if isPinned(choices, f.Category) {
			g.names[i] = f.Category
			continue
		}
		g.free = append(g.free, i)
		weights = append(weights, classifier().Weigh(text.Analyze(f.Text)))
	}
	for _, name := range choices {
		g.reserved[name] = true
	}
	topics := topics.Group(weights, topics.LeastOf(len(g.free)), func(name string) bool { return choices[name] != "" })
	for j, i := range g.free {
		g.names[i] = topics[j]
	}
	if err := g.placeUnclear(ctx); err != nil {
		return nil, err
	}
	if err := g.divideLarge(ctx); err != nil {
		return nil, err
	}
	for _, i := range g.free {
		g.names[i] = cmp.Or(choices[g.names[i]], g.names[i])
	}
	return g.names, nil
}

// grouping is the state of one group.
type grouping struct {
	facts    []strata.Fact
	free     []int             // facts that may be moved
	names    []string          // of the categories of all facts
	reserved map[string]bool   // names of pinned categories
	choices  map[string]string // as they were decided, by topic
	vectors  [][]float32       // of all facts, once they are needed
}

// groupingEmbedder is the built-in embedder with the words of the program: the same
// facts are grouped alike in every home.
var groupingEmbedder = sync.OnceValue(builtin.New)

// embed makes the vectors of all facts, which takes some ten microseconds each.
func (g *grouping) embed(ctx context.Context) error {
	if g.vectors != nil {
		return nil
	}
	texts := make([]string, len(g.facts))
	for i, f := range g.facts {
		texts[i] = f.Text
	}
	var err error
	g.vectors, err = groupingEmbedder().Embed(ctx, texts)
	return err
}

// members returns the facts of each category, and the categories in the order of
// their first fact.
func (g *grouping) members() (of map[string][]int, order []string) {
	of = make(map[string][]int)
	for _, i := range g.free {
		name := g.names[i]
		if of[name] == nil {
			order = append(order, name)
		}
		of[name] = append(of[name], i)
	}
	return of, order
}

// placeUnclear puts the facts without a topic somewhere: those that are like each other
// into a category of their own, if they are enough, the others into the nearest.
func (g *grouping) placeUnclear(ctx context.Context) error {
	of, order := g.members()
	unclear := of[""]
	if len(unclear) == 0 {
		return nil
	}
	if err := g.embed(ctx); err != nil {
		return err
	}
	known := g.centroids(of, order)
	least := topics.LeastOf(len(g.free))
	for _, members := range g.alike(unclear) {
		if len(members) >= least {
			if name := g.nameFor(members, ""); name != "" {
				g.call(members, name)
				continue
			}
		}
		for _, i := range members {
			g.names[i] = topics.Unsorted
			if near, _, ok := vector.Assign(g.vectors[i], known, looseJoin); ok {
				g.names[i] = known[near].Name
			}
		}
	}
	return nil
}

// alike divides facts into groups of those that are like each other.
func (g *grouping) alike(facts []int) [][]int {
	var groups [][]int
	var centroids []vector.Category // of the groups
	for _, i := range facts {
		at, _, ok := vector.Assign(g.vectors[i], centroids, vector.JoinFrom)
		if !ok {
			at = len(groups)
			groups, centroids = append(groups, nil), append(centroids, vector.Category{})
		}
		_ = centroids[at].Centroid.Add(g.vectors[i]) // the embedder's own vectors are sound
		groups[at] = append(groups[at], i)
	}
	return groups
}

// centroids returns the categories that have a name, with the centroids of their facts.
func (g *grouping) centroids(of map[string][]int, order []string) []vector.Category {
	var out []vector.Category
	for _, name := range order {
		if name == "" {
			continue
		}
		c := vector.Category{Name: name}
		for _, i := range of[name] {
			_ = c.Centroid.Add(g.vectors[i])
		}
		out = append(out, c)
	}
	return out
}

// divideLarge divides the categories that hold too large a share. The largest part
// keeps the name, the others are called by what their facts share; one whose facts
// share nothing stays.
func (g *grouping) divideLarge(ctx context.Context) error {
	if len(g.free) < shareFrom {
		return nil
	}
	most := int(mostShare * float64(len(g.facts)))
	of, order := g.members()
	for _, name := range order {
		members := of[name]
		if len(members) <= most || g.choices[name] != "" {
			continue
		}
		if err := g.embed(ctx); err != nil {
			return err
		}
		vs := make([][]float32, len(members))
		for j, i := range members {
			vs[j] = g.vectors[i]
		}
		parts := make(map[int][]int)
		for j, group := range vector.Split(vs, most) {
			parts[group] = append(parts[group], members[j])
		}
		for group := 1; group < len(parts); group++ {
			if part := g.nameFor(parts[group], name); part != "" {
				g.call(parts[group], part)
			}
		}
	}
	return nil
}

// call gives the category of facts a name.
func (g *grouping) call(members []int, name string) {
	for _, i := range members {
		g.names[i] = name
	}
}

// nameFor returns the name of a category of these facts, part of the one called
// whole if that is not empty: the one that most of them have now, if nothing else
// does, or what they share; "" if that is nothing.
func (g *grouping) nameFor(members []int, whole string) string {
	if whole == topics.Unsorted {
		whole = ""
	}
	used := make(map[string]bool)
	in := make(map[int]bool, len(members))
	for _, i := range members {
		in[i] = true
	}
	var texts, others []string
	for i, f := range g.facts {
		if in[i] {
			texts = append(texts, f.Text)
			continue
		}
		used[g.names[i]] = true
		others = append(others, f.Text)
	}
	taken := func(name string) bool { return used[name] || g.reserved[name] || topics.IsTopic(name) }
	if name := g.presentName(members); name != "" && !taken(name) && isPart(name, whole) {
		return name
	}
	return topics.NameOf(texts, others, whole, taken)
}

// presentName returns the category that more than half of some facts are in now.
func (g *grouping) presentName(members []int) string {
	count := make(map[string]int)
	for _, i := range members {
		name := g.facts[i].Category
		if count[name]++; 2*count[name] > len(members) {
			return name
		}
	}
	return ""
}

// isPart reports whether a name could be that of a part of the category called
// whole; of any if that is empty.
func isPart(name, whole string) bool {
	return whole == "" && name != topics.Unsorted || whole != "" && strings.HasPrefix(name, whole+" ")
}
