package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/strata-memory/strata/bench"
)

// What is measured of a peer.
const (
	whatRecall  = "recall"  // from the text of a question to texts
	whatWords   = "words"   // the ten best by words alone
	whatNearest = "nearest" // the ten nearest vectors, questions embedded before
)

// row is what was measured of one memory: one line of the table.
type row struct {
	Peer    string `json:"peer"`
	Version string `json:"version,omitempty"` // empty for this project's own
	What    string `json:"what"`              // whatRecall, whatWords or whatNearest
	Facts   int    `json:"facts"`
	Asked   int    `json:"asked"` // in all ways
	// Found10 and Took are over all questions in all ways.
	Found10 float64           `json:"found_10"`
	Took    bench.Percentiles `json:"took"`
	Ways    []bench.WayRow    `json:"ways"`
}

// result is a run that is kept, with the rows in the order in which they were measured.
type result struct {
	bench.Result
	Peers []row `json:"peers"`
}

// hashOf identifies the first n statements of the seed with all questions for them, so
// that it changes when what generates them does.
func hashOf(n int) bench.Data {
	sum := sha256.New()
	i := 0
	for s := range bench.Statements(seed) {
		if i++; i > n {
			break
		}
		_, _ = io.WriteString(sum, s.Text) // a hash takes everything
		for _, way := range bench.Ways() {
			_, _ = io.WriteString(sum, "\n"+s.Ask(way))
		}
	}
	return bench.Data{Name: "generated", Seed: seed, SHA256: hex.EncodeToString(sum.Sum(nil))}
}
