package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"

	"github.com/strata-memory/strata"
)

// After is [Turns] for turns that follow others. Those before are read too, because a
// correction points back, but say nothing by themselves.
func After(before, turns []strata.Turn) []strata.Candidate {
	fresh := make(map[string]bool, len(turns))
	for _, t := range turns {
		fresh[t.ID] = true
	}
	return slices.DeleteFunc(Turns(append(slices.Clip(before), turns...)), func(c strata.Candidate) bool {
		return !slices.ContainsFunc(c.Sources, func(id string) bool { return fresh[id] })
	})
}

// RequestID is an id that makes writing an extracted candidate repeatable: it follows
// from the turns that the candidate comes from and from what it wants, whoever extracts.
func RequestID(c strata.Candidate) string {
	h := sha256.New()
	for _, s := range append(slices.Clip(c.Sources), c.Content+c.Target) {
		io.WriteString(h, s)
		h.Write([]byte{0})
	}
	return "extract:" + hex.EncodeToString(h.Sum(nil)[:16])
}
