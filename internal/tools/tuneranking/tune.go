package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/recall"
)

// parameter is one number of the weights.
type parameter struct {
	name string
	of   func(*recall.Weights) *float64
}

// parameters are the numbers that are chosen by measuring.
var parameters = slices.Concat([]parameter{
	{"Words", func(w *recall.Weights) *float64 { return &w.Words }},
	{"Vector", func(w *recall.Weights) *float64 { return &w.Vector }},
	{"Unmatched", func(w *recall.Weights) *float64 { return &w.Unmatched }},
	{"Parent", func(w *recall.Weights) *float64 { return &w.Parent }},
	{"Recency", func(w *recall.Weights) *float64 { return &w.Recency }},
	{"Time", func(w *recall.Weights) *float64 { return &w.Time }},
	{"When", func(w *recall.Weights) *float64 { return &w.When }},
	{"Synonym", func(w *recall.Weights) *float64 { return &w.Synonym }},
	{"Hyponym", func(w *recall.Weights) *float64 { return &w.Hyponym }},
	{"Subquestion", func(w *recall.Weights) *float64 { return &w.Subquestion }},
	{"K1", func(w *recall.Weights) *float64 { return &w.K1 }},
	{"B", func(w *recall.Weights) *float64 { return &w.B }},
	{"ParentB", func(w *recall.Weights) *float64 { return &w.ParentB }},
	{"Answer", func(w *recall.Weights) *float64 { return &w.Answer }},
	{"Other", func(w *recall.Weights) *float64 { return &w.Other }},
	{"Window", func(w *recall.Weights) *float64 { return &w.Window }},
	{"Floor", func(w *recall.Weights) *float64 { return &w.Floor }},
	{"Centroid", func(w *recall.Weights) *float64 { return &w.Centroid }},
},
	turnParameters("People", func(w *recall.Weights) *recall.TurnWeights { return &w.People }),
	turnParameters("Assistant", func(w *recall.Weights) *recall.TurnWeights { return &w.Assistant }))

// turnParameters are the numbers of the weights of one sort of conversation.
func turnParameters(name string, of func(*recall.Weights) *recall.TurnWeights) []parameter {
	number := func(field string, at func(*recall.TurnWeights) *float64) parameter {
		return parameter{name + "." + field, func(w *recall.Weights) *float64 { return at(of(w)) }}
	}
	return []parameter{
		number("K1", func(w *recall.TurnWeights) *float64 { return &w.K1 }),
		number("B", func(w *recall.TurnWeights) *float64 { return &w.B }),
		number("Parent", func(w *recall.TurnWeights) *float64 { return &w.Parent }),
		number("Before1", func(w *recall.TurnWeights) *float64 { return &w.Before[0] }),
		number("Before2", func(w *recall.TurnWeights) *float64 { return &w.Before[1] }),
		number("After1", func(w *recall.TurnWeights) *float64 { return &w.After[0] }),
		number("Reply", func(w *recall.TurnWeights) *float64 { return &w.Reply }),
		number("Statement", func(w *recall.TurnWeights) *float64 { return &w.Statement }),
		number("Asking", func(w *recall.TurnWeights) *float64 { return &w.Asking }),
	}
}

// factors are tried on each parameter. Finer steps would fit noise: the questions of
// one conversation differ more between weights than these do.
var factors = []float64{0.6, 1.5}

// maxMoves is how many parameters are moved, those that gain the most.
const maxMoves = 4

// move multiplies a parameter by a factor.
type move struct {
	knob   int
	factor float64
}

func (m move) String() string { return fmt.Sprintf("%s x %.2g", parameters[m.knob].name, m.factor) }

// moved returns the settings after some moves. Numbers that are shares stay at
// most 1.
func moved(moves ...move) setting {
	w := setting{Weights: recall.DefaultWeights()}
	for _, m := range moves {
		v := parameters[m.knob].of(&w.Weights)
		*v = min(*v*m.factor, 1)
	}
	return w
}

// goal is what weights are chosen by: the mean of the recall of turns at each
// of bench.Cutoffs over the questions that count.
func goal(rs []result, counts func(int) bool) float64 {
	sum, n := 0.0, 0
	for i, r := range rs {
		if counts(i) {
			n++
			for _, v := range r.turns {
				sum += v / float64(len(bench.Cutoffs))
			}
		}
	}
	return sum / float64(max(n, 1))
}

// crossValidate chooses weights without each conversation in turn and scores
// them on that one. It prints what was chosen and returns the results of every
// question by the weights that were chosen without it.
func (b *evaluation) crossValidate(ctx context.Context) ([]result, error) {
	var scopes []string
	for _, a := range b.asks {
		scopes = appendNew(scopes, a.query.Scope)
	}
	out := make([]result, len(b.asks))
	for _, held := range scopes {
		moves, err := b.choose(ctx, func(i int) bool { return b.asks[i].query.Scope != held })
		if err != nil {
			return nil, err
		}
		rs, err := b.score(ctx, moved(moves...))
		if err != nil {
			return nil, err
		}
		var said []string
		for _, m := range moves {
			said = append(said, m.String())
		}
		fmt.Printf("without %s: %s\n", held, cmp.Or(strings.Join(said, ", "), "the defaults"))
		for i := range b.asks {
			if b.asks[i].query.Scope == held {
				out[i] = rs[i]
			}
		}
	}
	return out, nil
}

// choose returns the moves that gain on the questions that count: each parameter is
// turned alone, and those that gain are taken one after the other as long as
// they gain together.
func (b *evaluation) choose(ctx context.Context, counts func(int) bool) ([]move, error) {
	type gain struct {
		move
		by float64
	}
	rs, err := b.score(ctx, moved())
	if err != nil {
		return nil, err
	}
	start := goal(rs, counts)
	var gains []gain
	for k := range parameters {
		for _, factor := range factors {
			m := move{k, factor}
			rs, err := b.score(ctx, moved(m))
			if err != nil {
				return nil, err
			}
			if by := goal(rs, counts) - start; by > 0 {
				gains = append(gains, gain{m, by})
			}
		}
	}
	slices.SortStableFunc(gains, func(a, b gain) int { return cmp.Compare(b.by, a.by) })
	var taken []move
	best := start
	for _, g := range gains[:min(maxMoves, len(gains))] {
		if slices.ContainsFunc(taken, func(m move) bool { return m.knob == g.knob }) {
			continue
		}
		next := append(slices.Clone(taken), g.move)
		rs, err := b.score(ctx, moved(next...))
		if err != nil {
			return nil, err
		}
		if v := goal(rs, counts); v > best {
			taken, best = next, v
		}
	}
	return taken, nil
}
