package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/recall"
)

// parameter is one number of the weights.
type parameter struct {
	name string
	of   func(*recall.Weights) *float64
}

// parameters lists the numbers that are chosen by measurement.
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
	{"Session", func(w *recall.Weights) *float64 { return &w.Session }},
	{"SessionAnswer", func(w *recall.Weights) *float64 { return &w.SessionAnswer }},
	{"Floor", func(w *recall.Weights) *float64 { return &w.Floor }},
	{"Centroid", func(w *recall.Weights) *float64 { return &w.Centroid }},
},
	turnParameters("People", func(w *recall.Weights) *recall.TurnWeights { return &w.People }),
	turnParameters("Assistant", func(w *recall.Weights) *recall.TurnWeights { return &w.Assistant }))

// turnParameters returns the numbers in the weights of one kind of conversation.
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

// factors are the factors tried on each parameter. Finer steps would fit noise, since
// collections differ more from one another than such weights do.
var factors = []float64{0.6, 1.5}

// maxMoves is the most parameters that are changed, starting with those that gain the
// most.
const maxMoves = 4

// move multiplies a parameter by a factor.
type move struct {
	place  int
	factor float64
}

func (m move) String() string { return fmt.Sprintf("%s x %.2g", parameters[m.place].name, m.factor) }

// moved returns the settings after some moves. All numbers except K1 are shares and stay
// at most 1.
func moved(moves ...move) setting {
	w := setting{Weights: recall.DefaultWeights()}
	for _, m := range moves {
		p := parameters[m.place]
		v := p.of(&w.Weights)
		if *v *= m.factor; !strings.HasSuffix(p.name, "K1") {
			*v = min(*v, 1)
		}
	}
	return w
}

// validate chooses weights without each collection in turn and scores them on that
// collection. It prints what it chose, and three rows: the weights in use, each
// collection with the weights chosen without it, and the weights chosen on all
// collections.
func (b board) validate(ctx context.Context, only *regexp.Regexp) error {
	if len(b) < 2 {
		return errors.New("weights are chosen on all collections but one: name two or more")
	}
	b.printHead()
	inUse, err := b.scores(ctx, moved())
	if err != nil {
		return err
	}
	b.printRow("in use", inUse)
	crossed := make([]result, len(b))
	for i, held := range b {
		moves, err := b.choose(ctx, only, held)
		if err != nil {
			return err
		}
		rs, err := held.score(ctx, moved(moves...))
		if err != nil {
			return err
		}
		crossed[i] = mean(rs)
		held.print("without it: "+said(moves), rs)
	}
	moves, err := b.choose(ctx, only, nil)
	if err != nil {
		return err
	}
	fitted, err := b.scores(ctx, moved(moves...))
	if err != nil {
		return err
	}
	b.printRow("cross-validated", crossed)
	b.printRow("fitted", fitted)
	fmt.Println("fitted:", said(moves))
	return nil
}

func said(moves []move) string {
	var out []string
	for _, m := range moves {
		out = append(out, m.String())
	}
	return cmp.Or(strings.Join(out, ", "), "the weights in use")
}

// choose returns the moves that improve the merit on all collections except without. It
// tries each parameter alone, then applies those that improve it one after another, as
// long as they improve it together.
func (b board) choose(ctx context.Context, only *regexp.Regexp, without *evaluation) ([]move, error) {
	type candidate struct {
		move
		merit
	}
	best, err := b.merit(ctx, moved(), without)
	if err != nil {
		return nil, err
	}
	var gaining []candidate
	for k, p := range parameters {
		if !only.MatchString(p.name) {
			continue
		}
		for _, factor := range factors {
			m := move{k, factor}
			got, err := b.merit(ctx, moved(m), without)
			if err != nil {
				return nil, err
			}
			if got.compare(best) > 0 {
				gaining = append(gaining, candidate{m, got})
			}
		}
	}
	slices.SortStableFunc(gaining, func(a, b candidate) int { return b.merit.compare(a.merit) })
	var taken []move
	for _, c := range gaining[:min(maxMoves, len(gaining))] {
		if slices.ContainsFunc(taken, func(m move) bool { return m.place == c.place }) {
			continue
		}
		next := append(slices.Clone(taken), c.move)
		got, err := b.merit(ctx, moved(next...), without)
		if err != nil {
			return nil, err
		}
		if got.compare(best) > 0 {
			taken, best = next, got
		}
	}
	return taken, nil
}
