package strata

import "testing"

// Whoever reads why a hit is where it is can add the parts up.
func TestWhyShowsEveryPartOfTheScore(t *testing.T) {
	w := Why{Words: 0.52, Vector: 0.004, Recency: 1, Order: -0.05}
	if got, want := w.String(), "words .52 · recency 1.00 · order -.05"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
