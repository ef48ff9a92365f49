package vector

import (
	"cmp"
	"slices"
)

const (
	// minShare is the least share of a set that halving gives to the smaller half, so
	// that a set is not divided into nearly all and a few.
	minShare = 0.25
	// halvings is the highest number of times that the centers of two halves are moved.
	halvings = 8
)

// Split divides vectors of unit length into groups of at most most (at least 3) vectors
// by halving the largest group again and again along its widest spread. It returns the
// group of each vector, counted from 0. Equal vectors are treated alike. Vectors whose
// length differs from the others, such as nil, may fall into any group.
func Split(vs [][]float32, most int) []int {
	groups := make([]int, len(vs))
	if len(vs) == 0 {
		return groups
	}
	all := make([]int, len(vs))
	for i := range all {
		all[i] = i
	}
	list := [][]int{all}
	for {
		largest := 0
		for g := range list {
			if len(list[g]) > len(list[largest]) {
				largest = g
			}
		}
		if len(list[largest]) <= max(most, 3) {
			break
		}
		a, b := halve(vs, list[largest])
		list[largest] = a
		list = append(list, b)
	}
	for g, members := range list {
		for _, i := range members {
			groups[i] = g
		}
	}
	return groups
}

// halve divides members in two and returns the larger half first. It assigns each vector
// to the nearer of two centers, as k-means does, starting from two vectors that differ
// most.
func halve(vs [][]float32, members []int) (a, b []int) {
	middle := directionOf(vs, members)
	far := func(from []float32) []float32 {
		best := members[0]
		for _, i := range members {
			if similarity(vs[i], from) < similarity(vs[best], from) {
				best = i
			}
		}
		return vs[best]
	}
	one := far(middle)
	two := far(one)
	type member struct {
		index int
		lead  float32 // how much nearer it is to the first center
	}
	order := slices.Clone(members)
	leads := make([]member, len(members))
	at := 0
	for range halvings {
		for j, i := range order {
			leads[j] = member{i, similarity(vs[i], one) - similarity(vs[i], two)}
		}
		slices.SortStableFunc(leads, func(a, b member) int { return cmp.Compare(b.lead, a.lead) })
		cut := 0
		for j, m := range leads {
			order[j] = m.index
			if m.lead > 0 {
				cut = j + 1
			}
		}
		least := max(1, int(minShare*float64(len(order))))
		cut = max(least, min(cut, len(order)-least))
		if cut == at {
			break
		}
		at = cut
		one, two = directionOf(vs, order[:cut]), directionOf(vs, order[cut:])
	}
	a, b = slices.Clone(order[:at]), slices.Clone(order[at:])
	slices.Sort(a)
	slices.Sort(b)
	if len(b) > len(a) {
		return b, a
	}
	return a, b
}

// directionOf returns the direction of the mean of the members.
func directionOf(vs [][]float32, members []int) []float32 {
	var c Centroid
	for _, i := range members {
		_ = c.Add(vs[i]) // vectors of another length are ignored
	}
	return c.Direction()
}

// similarity returns the inner product, or 0 if the lengths differ.
func similarity(a, b []float32) float32 {
	if len(a) != len(b) {
		return 0
	}
	return Dot(a, b)
}
