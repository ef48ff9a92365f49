package controller

import (
	"testing"

	"github.com/strata-memory/strata"
)

// What is said to be over ends what was believed of it, and nothing else.
func TestWhatHasEnded(t *testing.T) {
	for _, c := range []struct {
		held, says string
		over       bool
	}{
		{"The user smokes.", "The user quit smoking.", true},
		{"The user smokes.", "The user gave up smoking in 2024.", true},
		{"The user runs every morning.", "The user stopped running.", true},
		{"The user cycles to work.", "The user quit cycling to work.", true},
		{"The user plays the violin.", "The user stopped playing the violin.", true},
		{"The user works at Fiat.", "The user is retired now.", true},
		{"The user works as a nurse.", "The user has retired.", true},
		{"The user smokes fish for a living.", "The user quit smoking cigars.", false},
		{"The user's brother smokes.", "The user quit smoking.", false},
		{"The user runs a bakery.", "The user stopped playing squash.", false},
		{"The user has run three marathons.", "The user stopped swimming.", false},
		{"The user works at Fiat.", "The user's brother is retired.", false},
		{"The user's sister works at Fiat.", "The user is retired now.", false},
		{"The user lives in Turin now.", "The user is retired now.", false},
		{"The user and Nora are married.", "The user and Nora split up.", true},
		{"The user is married to Nora.", "Nora and the user got divorced.", true},
		{"The user is married to Nora.", "The user separated from Nora.", true},
		{"The user's brother is married to Petra.", "Nora and the user got divorced.", false},
		{"The user swims.", "The user quit smoking.", false},
		{"The user works from the garden on Fridays.", "The user retired the old laptop.", false},
		{"Nora Fontana keeps a boat in Oslo.", "Nora Almeida canceled the boat tour in Oslo.", false},
		{"Nora Fontana rents a boat in Oslo.", "Nora Fontana sold an oak table in Oslo.", false},
		{"Nora Fontana has an oak table.", "Nora Fontana sold the oak table in Oslo.", true},
		{"Nora Fontana patched the queue in Oslo on April 24.", "Nora Fontana canceled a night train in Oslo.", false},
		{"The user works at Fiat.", "The user left the job at Fiat.", true},
		{"The user has a flat in Bath.", "The user sold the flat in Bath.", true},
	} {
		m := memory{}
		m.write(strata.Candidate{Content: c.held, Scope: strata.Global(), Type: strata.TypeUser})
		out := m.write(strata.Candidate{Content: c.says, Scope: strata.Global(), Type: strata.TypeUser})
		if got := out.Op == strata.OpSupersede; got != c.over {
			t.Errorf("%q, then %q: %s (%s), over: want %v", c.held, c.says, out.Op, out.Reason, c.over)
		}
	}
}
