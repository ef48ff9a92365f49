package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/strata-memory/strata/bench"
)

// The parts of a peer that are measured.
const (
	whatRecall  = "recall"  // a whole recall, from the question's text to texts
	whatWords   = "words"   // the ten best by words alone
	whatNearest = "nearest" // the ten nearest vectors; questions are embedded before
)

// row holds the results for one memory: one line of the table.
type row struct {
	Peer    string `json:"peer"`
	Version string `json:"version,omitempty"` // empty for Strata itself
	What    string `json:"what"`              // whatRecall, whatWords or whatNearest
	Facts   int    `json:"facts"`
	Asked   int    `json:"asked"` // in all ways
	// Found10 and Took are over all questions in all ways.
	Found10 float64           `json:"found_10"`
	Took    bench.Percentiles `json:"took"`
	Ways    []bench.WayRow    `json:"ways"`
}

// result is a saved run, with rows in the order in which they were measured.
type result struct {
	bench.Result
	Peers []row `json:"peers"`
}

// hashOf identifies the first n statements of the seed with all of their questions, so
// that it changes whenever the generator does.
func hashOf(n int) bench.Data {
	sum := sha256.New()
	i := 0
	for s := range bench.Statements(seed) {
		if i++; i > n {
			break
		}
		_, _ = io.WriteString(sum, s.Text) // a hash never fails
		for _, way := range bench.Ways() {
			_, _ = io.WriteString(sum, "\n"+s.Ask(way))
		}
	}
	return bench.Data{Name: "generated", Seed: seed, SHA256: hex.EncodeToString(sum.Sum(nil))}
}
