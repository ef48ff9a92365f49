package transfer

import "github.com/strata-memory/strata/secretscan"

// hasSecretName reports whether an id, a session or a path of a line holds a
// secret. Versions that did not look for any there may have kept such a line.
func (r *record) hasSecretName() bool {
	var names []string
	switch {
	case r.Session != nil:
		names = []string{r.Session.ID, r.Session.Parent, r.Session.Scope.Key()}
	case r.Turn != nil:
		names = []string{r.Turn.ID, r.Turn.Session, r.Turn.Speaker}
	case r.Snapshot != nil:
		names = []string{r.Snapshot.Session}
	case r.State != nil:
		names = []string{r.State.Session}
	case r.Learning != nil:
		names = []string{r.Learning.ID, r.Learning.Session}
	case r.Outcome != nil:
		names = []string{r.Outcome.Session}
	case r.Fact != nil:
		names = append([]string{r.Fact.ID, r.Fact.Scope.Key()}, r.Fact.Sources...)
	case r.Document != nil:
		names = []string{r.Document.ID, r.Document.Path, r.Document.Scope.Key()}
	}
	for _, n := range names {
		if (secretscan.Name{Text: n}).HasSecret() {
			return true
		}
	}
	return false
}
