package vector

import (
	"cmp"
	"slices"
)

const (
	// leastPart is the part of a set that [Split] leaves to the smaller half, so
	// that nothing is divided into all but a few and a few.
	leastPart = 0.25
	// halvings is how often the middles of two halves are moved at most.
	halvings = 8
)

// Split divides vectors of unit length into groups of at most so many, by halving
// the largest again and again where it is the most spread out. It returns the group
// of each, from 0; equal vectors give equal groups. Vectors of another length than
// the first, as nil, are in the group of their neighbors.
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

// halve divides some of the vectors in two, the larger half first: by which of two
// middles is nearer, as k-means does, from the two that differ the most.
func halve(vs [][]float32, members []int) (a, b []int) {
	middle := middleOf(vs, members)
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
		lead  float32 // by which it is nearer to the first middle
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
		least := max(1, int(leastPart*float64(len(order))))
		cut = max(least, min(cut, len(order)-least))
		if cut == at {
			break
		}
		at = cut
		one, two = middleOf(vs, order[:cut]), middleOf(vs, order[cut:])
	}
	a, b = slices.Clone(order[:at]), slices.Clone(order[at:])
	slices.Sort(a)
	slices.Sort(b)
	if len(b) > len(a) {
		return b, a
	}
	return a, b
}

// middleOf returns the direction of some of the vectors.
func middleOf(vs [][]float32, members []int) []float32 {
	var c Centroid
	for _, i := range members {
		_ = c.Add(vs[i]) // one of another length has no part in it
	}
	return c.Direction()
}

// similarity returns the inner product, 0 where lengths differ.
func similarity(a, b []float32) float32 {
	if len(a) != len(b) {
		return 0
	}
	return Dot(a, b)
}
