package bench

import (
	"math"
	"slices"
	"testing"
)

func TestBM25(t *testing.T) {
	b := NewBM25([]Document{
		{ID: "a", Scope: "s", Text: "The boats are sailing"},
		{ID: "b", Scope: "s", Heading: "May 3 Ann's", Text: "A boat and a sailing boat, and the harbor"},
		{ID: "c", Scope: "s", Text: "what is it"},
		{ID: "d", Scope: "other", Text: "boat"},
	})
	answers := b.Ask([]Query{
		{ID: "q1", Scope: "s", Text: "Which boat?"}, {ID: "q2", Scope: "s", Text: "the"}, {ID: "q3", Scope: "nowhere", Text: "boat"}, {ID: "q4", Scope: "s", Text: "ann"},
	})
	// Three documents of 2, 6 and 0 terms, boat in two of them: b has it twice.
	idf := math.Log(1 + (3-2+0.5)/(2+0.5))
	score := func(tf, length float64) float64 { return idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*length/(8.0/3))) }
	got := answers[0].Ranked
	if len(got) != 2 || got[0].Document != "a" || math.Abs(got[0].Score-score(1, 2)) > 1e-12 || math.Abs(got[1].Score-score(2, 6)) > 1e-12 {
		t.Errorf("ranked %+v, want %v and %v", got, score(1, 2), score(2, 6))
	}
	if len(answers[1].Ranked)+len(answers[2].Ranked) > 0 || documents(answers[3]) != "b" {
		t.Errorf("answers %+v", answers[1:])
	}
}

func TestBM25Terms(t *testing.T) {
	got := bm25Terms("Ann’s 'running' dogs don't RUN: v2_beta, Straße!")
	if want := []string{"ann", "run", "dog", "run", "v2", "beta", "straße"}; !slices.Equal(got, want) {
		t.Errorf("terms %q, want %q", got, want)
	}
}
