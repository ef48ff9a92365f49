package bench

import (
	"fmt"

	"github.com/strata-memory/strata"
)

// Unit is what is ranked and judged.
type Unit string

// The units.
const (
	UnitDocument Unit = "turn"    // each document: a turn or a fact
	UnitSession  Unit = "session" // the session of a turn
)

// Validate reports whether u is a known unit. The zero value is UnitDocument.
func (u Unit) Validate() error {
	switch u {
	case "", UnitDocument, UnitSession:
		return nil
	}
	return strata.Invalid("check unit", fmt.Sprintf("no such unit: %q", string(u)), "use turn or session")
}

// Sessions returns answers and judgments with sessions in place of their
// turns. A session ranks where its best turn does, as a reader meets it. A
// document without a session stays as it is.
func Sessions(docs []Document, answers []Answer, relevant map[string]map[string]int) ([]Answer, map[string]map[string]int) {
	session := make(map[string]string, len(docs))
	for _, d := range docs {
		session[d.ID] = d.ID
		if d.Session != "" {
			session[d.ID] = d.Session
			if d.Scope != "" {
				session[d.ID] = d.Scope + "/" + d.Session
			}
		}
	}
	ranked := make([]Answer, len(answers))
	for i, a := range answers {
		ranked[i] = Answer{Query: a.Query, Took: a.Took}
		met := make(map[string]bool)
		for _, r := range a.Ranked {
			if s := session[r.Document]; !met[s] {
				met[s] = true
				ranked[i].Ranked = append(ranked[i].Ranked, Ranked{Document: s, Score: r.Score})
			}
		}
	}
	judged := make(map[string]map[string]int, len(relevant))
	for query, want := range relevant {
		judged[query] = make(map[string]int, len(want))
		for doc, grade := range want {
			s, ok := session[doc]
			if !ok {
				s = doc // a judgment of what is not in the collection counts as missed
			}
			judged[query][s] = max(judged[query][s], grade)
		}
	}
	return ranked, judged
}
