package vector

import "slices"

// Pair says that category From is to be merged into category Into. Both are
// indexes of the categories given.
type Pair struct {
	Into, From int
}

// Merge returns which categories to merge, in this order. It returns none while
// there are at most three times as many as [CategoryLimit], and fewer than
// MaxCategories; then it brings them down to that limit. It is cheap
// to ask after every write.
//
// It picks, again and again, the pair whose union is least spread out beyond its
// parts (Ward, "Hierarchical grouping to optimize an objective function", 1963):
// small categories near each other go first, and empty ones before all. The
// larger takes in the smaller and keeps its name. No union gets more than the
// share of [CategoryOptions]; where that leaves no pair, more categories stay.
func Merge(cats []Category, opts CategoryOptions) []Pair {
	opts = opts.withDefaults()
	all := total(cats)
	limit := CategoryLimit(all)
	if len(cats) <= mergeFactor*limit && len(cats) < MaxCategories {
		return nil
	}
	m := newMerger(cats, opts, roomFor(all, opts.MaxShare))
	var out []Pair
	for m.alive > limit {
		p, ok := m.cheapest()
		if !ok {
			break
		}
		m.merge(p)
		out = append(out, p)
	}
	return out
}

// merger holds the state of one Merge.
type merger struct {
	opts  CategoryOptions
	room  int
	alive int
	nodes []node
	cost  []float32 // of merging a and b, at a*len(nodes)+b for a < b
}

// node is a category, or what it has become; count is -1 once it is gone.
type node struct {
	name  string
	count int
	mean  []float32
}

func newMerger(cats []Category, opts CategoryOptions, room int) *merger {
	m := &merger{opts: opts, room: room, alive: len(cats), nodes: make([]node, len(cats)), cost: make([]float32, len(cats)*len(cats))}
	for i, c := range cats {
		m.nodes[i] = node{name: c.Name, count: max(c.Centroid.Count, 0), mean: c.Centroid.Mean()}
	}
	for a := range m.nodes {
		for b := a + 1; b < len(m.nodes); b++ {
			m.cost[a*len(m.nodes)+b] = m.costOf(m.nodes[a], m.nodes[b])
		}
	}
	return m
}

// costOf returns by how much the sum of squared distances to the mean rises when
// a and b are merged.
func (m *merger) costOf(a, b node) float32 {
	if a.count == 0 || b.count == 0 {
		return 0
	}
	na, nb := float32(a.count), float32(b.count)
	cost := L2Squared(a.mean, b.mean) * (na * nb / (na + nb))
	if a.name != "" && a.name == b.name {
		cost *= 1 - m.opts.SameName
	}
	return cost
}

// cheapest returns the cheapest pair that has room; of equals the first.
func (m *merger) cheapest() (Pair, bool) {
	bestA, bestB := -1, -1
	var best float32
	for a, na := range m.nodes {
		if na.count < 0 {
			continue
		}
		row := m.cost[a*len(m.nodes):]
		for b := a + 1; b < len(m.nodes); b++ {
			if n := m.nodes[b].count; n < 0 || n > m.room-na.count {
				continue
			}
			if bestA < 0 || row[b] < best {
				bestA, bestB, best = a, b, row[b]
			}
		}
	}
	if bestA < 0 {
		return Pair{}, false
	}
	if m.nodes[bestB].count > m.nodes[bestA].count {
		bestA, bestB = bestB, bestA
	}
	return Pair{Into: bestA, From: bestB}, true
}

// merge carries a pair out and brings the costs up to date.
func (m *merger) merge(p Pair) {
	into, from := &m.nodes[p.Into], &m.nodes[p.From]
	if sum := into.count + from.count; from.count > 0 {
		part := float32(from.count) / float32(sum)
		if into.count == 0 || len(into.mean) != len(from.mean) {
			into.mean = slices.Clone(from.mean)
		} else {
			for i, x := range from.mean {
				into.mean[i] += (x - into.mean[i]) * part
			}
		}
		into.count = sum
	}
	*from = node{count: -1}
	m.alive--
	for other, n := range m.nodes {
		if other == p.Into || n.count < 0 {
			continue
		}
		a, b := min(other, p.Into), max(other, p.Into)
		m.cost[a*len(m.nodes)+b] = m.costOf(m.nodes[a], m.nodes[b])
	}
}
