package main

import (
	"context"

	"github.com/strata-memory/strata/recall"
)

// ablation is a ranking that lacks one component.
type ablation struct {
	name string
	off  func(*setting)
}

// ablations are the components, each off.
var ablations = []ablation{
	{"all of it", func(*setting) {}},
	{"vectors", func(s *setting) { s.NoVector = true }},
	{"neighboring turns", func(s *setting) { s.Before, s.After, s.Reply = []float64{0, 0}, []float64{0, 0}, 0 }},
	{"replies to questions", func(s *setting) { s.Reply = 0 }},
	{"session", func(s *setting) { s.Parent = 0 }},
	{"neighbors and session", func(s *setting) {
		s.Before, s.After, s.Reply, s.Parent = []float64{0, 0}, []float64{0, 0}, 0, 0
	}},
	{"vectors of neighbors", func(s *setting) { s.Window = 0 }},
	{"mean vectors", func(s *setting) { s.Centroid = 0 }},
	{"speakers", func(s *setting) { s.Other = 1 }},
	{"statements", func(s *setting) { s.Statement = 0 }},
	{"turns that ask", func(s *setting) { s.Asking = 0 }},
	{"times for when", func(s *setting) { s.When = 0 }},
	{"cues (the three above)", func(s *setting) { s.Statement, s.Asking, s.When = 0, 0, 0 }},
	{"synonyms", func(s *setting) { s.Synonym = 0 }},
	{"hyponyms", func(s *setting) { s.Hyponym = 0 }},
	{"related words (the two above)", func(s *setting) { s.Synonym, s.Hyponym = 0, 0 }},
	{"subquestions", func(s *setting) { s.Subquestion = 0 }},
	{"recency and named times", func(s *setting) { s.Recency, s.Time = 0, 0 }},
}

// ablate prints the ranking with each component off.
func (b *evaluation) ablate(ctx context.Context) error {
	for _, w := range ablations {
		s := setting{Weights: recall.DefaultWeights()}
		w.off(&s)
		rs, err := b.score(ctx, s)
		if err != nil {
			return err
		}
		b.print(w.name, rs)
	}
	return nil
}
