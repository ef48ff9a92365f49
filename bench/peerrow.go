package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// WayRow is what came of asking in one way.
type WayRow struct {
	Way   Way `json:"way"`
	Asked int `json:"asked"`
	// Found1 and Found10 are the fractions of questions whose statement is the
	// first answer, or among the first ten.
	Found1  float64     `json:"found_1"`
	Found10 float64     `json:"found_10"`
	Took    Percentiles `json:"took"`
}

// What is measured of a peer.
const (
	PeerRecall  = "recall"  // from the text of a question to texts
	PeerWords   = "words"   // the ten best by words alone
	PeerNearest = "nearest" // the ten nearest vectors, questions embedded before
)

// PeerRow is what was measured of one memory in a comparison: one line of the
// table of bench/peers.
type PeerRow struct {
	Peer    string `json:"peer"`
	Version string `json:"version,omitempty"` // empty for this project's own
	What    string `json:"what"`              // PeerRecall, PeerWords or PeerNearest
	Facts   int    `json:"facts"`
	Asked   int    `json:"asked"` // in all ways
	// Found10 and Took are over all questions in all ways.
	Found10 float64     `json:"found_10"`
	Took    Percentiles `json:"took"`
	Ways    []WayRow    `json:"ways"`
}

// check reports what cannot be in a row.
func (r PeerRow) check() error {
	if r.Peer == "" || r.Facts < 1 || r.Asked < 1 || r.Found10 < 0 || r.Found10 > 1 || r.Took.P50 < 0 || r.Took.P99 < r.Took.P50 {
		return fmt.Errorf("a row of peer %q with %d facts, %d questions, %v found and %v to %v", r.Peer, r.Facts, r.Asked, r.Found10, r.Took.P50, r.Took.P99)
	}
	return nil
}

// HashGenerated identifies the first n generated statements of a seed with all
// questions for them, so that it changes when the generator does.
func HashGenerated(seed uint64, n int) Data {
	sum := sha256.New()
	i := 0
	for s := range Statements(seed) {
		if i++; i > n {
			break
		}
		_, _ = io.WriteString(sum, s.Text) // a hash takes everything
		for _, way := range Ways() {
			_, _ = io.WriteString(sum, "\n"+s.Ask(way))
		}
	}
	return Data{Name: "generated", Seed: seed, SHA256: hex.EncodeToString(sum.Sum(nil))}
}
