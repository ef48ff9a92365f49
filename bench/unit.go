package bench

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
)

// Unit is the kind of thing that is ranked and judged.
type Unit string

// The units.
const (
	UnitDocument Unit = "turn"    // each document: a turn or a fact
	UnitSession  Unit = "session" // the session of a turn
)

// Validate returns an error if u is not a known unit. The zero value means the default of
// [Collection.Unit].
func (u Unit) Validate() error {
	switch u {
	case "", UnitDocument, UnitSession:
		return nil
	}
	return strata.Invalid("check unit", fmt.Sprintf("no such unit: %q", string(u)), "use turn or session")
}

// Unit returns the unit by which a collection is judged: the wanted one, or by default
// that of its judgments. If these name sessions, turns cannot be judged.
func (c Collection) Unit(wanted Unit) (Unit, error) {
	if err := wanted.Validate(); err != nil {
		return "", err
	}
	if !c.JudgesSessions() {
		return cmp.Or(wanted, UnitDocument), nil
	}
	if wanted == UnitDocument {
		return "", strata.Invalid("check unit", "the judgments name sessions and no turns", "leave --unit out, or use --unit session")
	}
	return UnitSession, nil
}

// HitsNeeded returns how many hits a query must ask for so that [Depth] units are left.
func (c Collection) HitsNeeded(unit Unit) int {
	if unit == UnitSession || slices.ContainsFunc(c.Queries, func(q Query) bool { return q.AskedIn != "" }) {
		return Deepest
	}
	return Depth
}

// Judge converts answers and judgments to a unit. For each answer it keeps the first
// [Depth] units that existed when the query was asked. A session has the rank of its best
// turn, where a reader meets it. A document without a session stays as it is.
func (c Collection) Judge(unit Unit, answers []Answer) ([]Answer, map[string]map[string]int) {
	sessionOf, begun := c.sessionOf(), make(map[string]int) // number of each session, in order
	for _, d := range c.Documents {
		if s := sessionOf[d.ID]; begun[s] == 0 {
			begun[s] = len(begun) + 1
		}
	}
	ranked := make([]Answer, len(answers))
	for i, a := range answers {
		ranked[i] = Answer{Query: a.Query, Took: a.Took}
		asked := begun[a.Query.AskedIn]
		met := make(map[string]bool)
		for _, r := range a.Ranked {
			session := sessionOf[r.Document]
			if asked > 0 && begun[session] >= asked {
				continue
			}
			if unit == UnitSession {
				r.Document = session
			}
			if !met[r.Document] && len(met) < Depth {
				met[r.Document] = true
				ranked[i].Ranked = append(ranked[i].Ranked, r)
			}
		}
	}
	if unit != UnitSession {
		return ranked, c.Relevant
	}
	judged := make(map[string]map[string]int, len(c.Relevant))
	for query, want := range c.Relevant {
		judged[query] = make(map[string]int, len(want))
		for id, grade := range want {
			session := cmp.Or(sessionOf[id], id) // the judgment may name a session
			judged[query][session] = max(judged[query][session], grade)
		}
	}
	return ranked, judged
}
