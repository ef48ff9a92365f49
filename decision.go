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

// Decision is the outcome of a candidate. Decisions are appended and never changed,
// except that AppliedAt, SetAside and RevertedBy are filled in later and forgotten text
// is blanked.
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
	// Before is the version that stopped being current, After the new one. Together they
	// suffice to replay and to revert the decision.
	Before *Fact `json:"before,omitempty"`
	After  *Fact `json:"after,omitempty"`
	// Document is the change to a file; nil for a decision about a fact.
	Document *DocumentChange `json:"document,omitempty"`
	// Notes are remarks for a reader, such as a phrase that looks like an injected
	// instruction or a scope chosen because none was named.
	Notes []string `json:"notes,omitempty"`
	// Reverts is the id of the decision that this one undid, RevertedBy the id of the
	// decision that undid this one.
	Reverts    string    `json:"reverts,omitempty"`
	RevertedBy string    `json:"reverted_by,omitempty"`
	DecidedAt  time.Time `json:"decided_at"`
	// AppliedAt is when its projections (files) were written; nil while they are
	// outstanding.
	AppliedAt *time.Time `json:"applied_at,omitempty"`
	// SetAside says why replay gave up on its projection; empty otherwise.
	SetAside string `json:"set_aside,omitempty"`
	// Replayed means that an earlier call with the same request id made the decision and
	// this call did nothing. It is not stored.
	Replayed bool `json:"replayed,omitempty"`
}

// RequestConflict returns the error for reusing the request id of decision d for a
// different request.
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
	After   string    // id of the last decision of the previous page; empty: from the newest
	Limit   int       // 0: 100; at most 10,000
}
