package strata

import "time"

// Op is what a decision did.
type Op string

// The operations.
const (
	OpAdd       Op = "add"       // a new fact
	OpUpdate    Op = "update"    // a new version of the same fact
	OpSupersede Op = "supersede" // a new fact took the place of an old one
	OpDelete    Op = "delete"    // a fact is no longer believed; can be reverted
	OpNoop      Op = "noop"      // nothing to do; the reason says why
	OpReject    Op = "reject"    // not allowed; the reason says why
	OpForget    Op = "forget"    // text removed for good; cannot be reverted
)

// Ops are all operations.
func Ops() []Op {
	return []Op{OpAdd, OpUpdate, OpSupersede, OpDelete, OpNoop, OpReject, OpForget}
}

// Changed reports whether the operation changed memory.
func (o Op) Changed() bool { return o != OpNoop && o != OpReject }

// Decision is what became of a candidate. Decisions are appended, never
// changed, save for the stamps of their application and the blanking of
// forgotten text.
type Decision struct {
	ID        string `json:"id"` // "dec_" and a ULID
	RequestID string `json:"request_id,omitempty"`
	Scope     Scope  `json:"scope"`
	Op        Op     `json:"decision"`
	// Reason says in one sentence why, at most 240 bytes.
	Reason string `json:"reason"`
	// Rules are the names of the rules that were tried, in order; the last
	// one decided.
	Rules []string `json:"rules,omitempty"`
	// Confidence in [0,1] of the decision itself.
	Confidence float64 `json:"confidence"`
	Origin     Origin  `json:"origin"`
	Agent      string  `json:"agent,omitempty"`
	Session    string  `json:"session,omitempty"`
	// FactID is the fact that now holds the text, or that was deleted, or that
	// already said the same; empty for a rejection.
	FactID string `json:"fact_id,omitempty"`
	// Before is the version that stopped being current, After the new one.
	// Together they are enough to replay and to revert.
	Before *Fact `json:"before,omitempty"`
	After  *Fact `json:"after,omitempty"`
	// Document is what was done to a file; nil for a decision about a fact.
	Document *DocumentChange `json:"document,omitempty"`
	// Notes tell what a reader should know: a phrase that looks like an
	// injected instruction, a scope that was chosen because none was named.
	Notes []string `json:"notes,omitempty"`
	// Reverts is the id of the decision this one undid; RevertedBy of the one
	// that undid this.
	Reverts    string    `json:"reverts,omitempty"`
	RevertedBy string    `json:"reverted_by,omitempty"`
	DecidedAt  time.Time `json:"decided_at"`
	// AppliedAt is when its projections (files) had followed; nil while they
	// are outstanding.
	AppliedAt *time.Time `json:"applied_at,omitempty"`
	// SetAside says why replay gave up on its projection; empty otherwise.
	SetAside string `json:"set_aside,omitempty"`
	// Replayed says that the decision was made for an earlier call with the same
	// request id, and that this call did nothing. It is not stored.
	Replayed bool `json:"replayed,omitempty"`
}

// RequestConflict is the error of a request id that led to a decision before and
// is used again for something else.
func RequestConflict(op string, d Decision) *Error {
	return &Error{Code: CodeConflict, Op: op,
		Message: "request id " + quote(d.RequestID) + " stands for another request, which led to decision " + d.ID,
		Hint:    "use a new request id for a new request; repeat one only with the same operation, scope and content"}
}

// DecisionFilter selects decisions, newest first. The zero value selects all.
type DecisionFilter struct {
	Op      Op        // empty: any
	Origin  Origin    // who proposed the change; empty: any
	FactID  string    // empty: any
	Path    string    // of a document; empty: any
	Since   time.Time // zero: from the beginning
	Pending bool      // only those whose projections are outstanding
	After   string    // id after which to go on, for paging
	Limit   int       // 0: 100; at most 10,000
}
