package transfer

import (
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
)

// record is one item of memory: exactly one field other than Kind is set. It is also the
// format of a line in an export of version 1.
type record struct {
	Kind     string           `json:"kind"`
	Session  *strata.Session  `json:"session,omitempty"`
	Turn     *strata.Turn     `json:"turn,omitempty"`
	Category *categoryRecord  `json:"category,omitempty"`
	Fact     *strata.Fact     `json:"fact,omitempty"`
	Decision *strata.Decision `json:"decision,omitempty"`
	Document *strata.Document `json:"document,omitempty"`

	State    *stateRecord        `json:"state,omitempty"`
	Snapshot *strata.Snapshot    `json:"snapshot,omitempty"`
	Learning *strata.Learning    `json:"learning,omitempty"`
	Outcome  *strata.ToolOutcome `json:"outcome,omitempty"`

	Incomplete *incompleteRecord `json:"incomplete,omitempty"`
}

// incompleteRecord is the last line of an export from which something was left out,
// because it could not be read.
type incompleteRecord struct {
	LeftOut []store.Problem `json:"left_out"`
}

// earlierRecord is a line of an export of version 1, its header included.
type earlierRecord struct {
	record
	Format  string     `json:"format"`
	Version int        `json:"version"`
	At      *time.Time `json:"at"`
}

// categoryRecord is the choice of a name for a category: facts that would be put into the
// category Topic are put into Name instead, which is never renamed automatically.
type categoryRecord struct {
	Scope strata.Scope `json:"scope"`
	Topic string       `json:"topic"`
	Name  string       `json:"name"`
}

// stateRecord is the saved state of a session.
type stateRecord struct {
	Scope   strata.Scope `json:"scope"`
	Session string       `json:"session"`
	Data    []byte       `json:"data"` // base64
}

// hasSecretName reports whether an id, a session or a path in a record contains a secret.
// Earlier versions did not check for those.
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
		if (secrets.Name{Text: n}).HasSecret() {
			return true
		}
	}
	return false
}
