package main

import (
	"context"

	"github.com/strata-memory/strata/internal/recall"
)

// ablation is a ranking without one component.
type ablation struct {
	name string
	off  func(*setting)
}

// ablations switches off each component.
var ablations = []ablation{
	{"all of it", func(*setting) {}},
	{"vectors", func(s *setting) { s.NoVector = true }},
	{"neighboring turns", ofTurns(noNeighbors)},
	{"replies to questions", ofTurns(func(w *recall.TurnWeights) { w.Reply = 0 })},
	{"session", ofTurns(noSession)},
	{"neighbors and session", ofTurns(noNeighbors, noSession)},
	{"who speaks", func(s *setting) { s.Assistant, s.Answer, s.SessionAnswer = s.People, 1, 1 }},
	{"vectors of neighbors", func(s *setting) { s.Window = 0 }},
	{"session's own words", func(s *setting) { s.Session = 0 }},
	{"mean vectors", func(s *setting) { s.Centroid = 0 }},
	{"speakers", func(s *setting) { s.Other = 1 }},
	{"statements", ofTurns(noStatement)},
	{"turns that ask", ofTurns(noAsking)},
	{"times for when", func(s *setting) { s.When = 0 }},
	{"cues (the three above)", func(s *setting) {
		ofTurns(noStatement, noAsking)(s)
		s.When = 0
	}},
	{"synonyms", func(s *setting) { s.Synonym = 0 }},
	{"hyponyms", func(s *setting) { s.Hyponym = 0 }},
	{"related words (the two above)", func(s *setting) { s.Synonym, s.Hyponym = 0, 0 }},
	{"subquestions", func(s *setting) { s.Subquestion = 0 }},
	{"recency and named times", func(s *setting) { s.Recency, s.Time = 0, 0 }},
}

// ofTurns returns a function that changes the weights of turns in all kinds of
// conversations.
func ofTurns(change ...func(*recall.TurnWeights)) func(*setting) {
	return func(s *setting) {
		for _, fn := range change {
			fn(&s.People)
			fn(&s.Assistant)
		}
	}
}

func noNeighbors(w *recall.TurnWeights) {
	w.Before, w.After, w.Reply = []float64{0, 0}, []float64{0, 0}, 0
}

func noSession(w *recall.TurnWeights)   { w.Parent = 0 }
func noStatement(w *recall.TurnWeights) { w.Statement = 0 }
func noAsking(w *recall.TurnWeights)    { w.Asking = 0 }

// ablate prints the scores of the ranking with each component off.
func (b board) ablate(ctx context.Context) error {
	b.printHead()
	for _, w := range ablations {
		s := setting{Weights: recall.DefaultWeights()}
		w.off(&s)
		rs, err := b.scores(ctx, s)
		if err != nil {
			return err
		}
		b.printRow(w.name, rs)
	}
	return nil
}
