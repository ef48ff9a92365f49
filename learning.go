package strata

import (
	"strings"
	"time"
)

// LearningKind says what taught a learning.
type LearningKind string

// The kinds of learning.
const (
	LearningError      LearningKind = "error"      // a tool failed
	LearningCorrection LearningKind = "correction" // the user corrected the agent
)

// LearningKinds returns all kinds, in the order they are shown to a session.
func LearningKinds() []LearningKind { return []LearningKind{LearningError, LearningCorrection} }

// Validate reports whether k is a known kind.
func (k LearningKind) Validate() error {
	switch k {
	case LearningError, LearningCorrection:
		return nil
	}
	return Invalid("check learning", "no such kind of learning: "+quote(string(k)), "use error or correction")
}

// Learning records what a failed tool or a correction taught. Learning it again raises
// its count.
type Learning struct {
	ID    string       `json:"id"` // "lrn_" and a ULID
	Scope Scope        `json:"scope"`
	Kind  LearningKind `json:"kind"`
	// Key is equal for learnings that mean the same. The engine stores only a hash of it,
	// so it may contain text of the learning.
	Key string `json:"key"`
	// Tool is the tool that failed; empty for a correction.
	Tool string `json:"tool,omitempty"`
	// Text is the error, or what the user said.
	Text string `json:"text"`
	// Context is the purpose of the tool call, or what was corrected.
	Context string `json:"context,omitempty"`
	Session string `json:"session,omitempty"` // where it was learnt last
	// Count is how often it was learned; 0 means once.
	Count   int64     `json:"count"`
	FirstAt time.Time `json:"first_at"`
	LastAt  time.Time `json:"last_at"`
	// Forgotten means that the texts were blanked.
	Forgotten bool `json:"forgotten,omitempty"`
}

// Validate reports whether l can be recorded. ID, scope, count and times may be missing:
// the engine sets them.
func (l Learning) Validate() error {
	const op = "check learning"
	if err := l.Kind.Validate(); err != nil {
		return err
	}
	if err := validateText("key of the learning", l.Key, MaxLearningBytes); err != nil {
		return err
	}
	if err := validateText("learning", l.Text, MaxLearningBytes); err != nil {
		return err
	}
	if err := validateText("context of the learning", l.Context, MaxLearningBytes); l.Context != "" && err != nil {
		return err
	}
	if err := validateLabel("tool", l.Tool); err != nil {
		return err
	}
	if (l.Kind == LearningError) != (l.Tool != "") {
		return Invalid(op, "an error names the tool that failed, a correction none", "set Tool for an error only")
	}
	if l.Count < 0 {
		return Invalid(op, "the count is negative", "count from 1, or leave it 0 for once")
	}
	if l.Session == "" {
		return nil
	}
	return ValidateName("session", l.Session)
}

// ToolOutcome is one run of a tool.
type ToolOutcome struct {
	Scope   Scope  `json:"scope"`
	Session string `json:"session,omitempty"`
	Tool    string `json:"tool"`
	// Params is a hash of the arguments, in hex: equal for equal calls.
	Params string    `json:"params"`
	OK     bool      `json:"ok"`
	Error  string    `json:"error,omitempty"` // of a run that failed
	At     time.Time `json:"at"`              // zero: now
}

// Validate reports whether o can be kept.
func (o ToolOutcome) Validate() error {
	const op = "check tool outcome"
	if strings.TrimSpace(o.Tool) == "" {
		return Invalid(op, "no tool is named", "name the tool that ran")
	}
	if err := validateLabel("tool", o.Tool); err != nil {
		return err
	}
	if n := len(o.Params); n < 8 || n > 64 || strings.Trim(o.Params, "0123456789abcdef") != "" {
		return Invalid(op, "the hash of the arguments is not 8 to 64 hexadecimal digits", "hash the arguments, do not pass them")
	}
	if o.OK && o.Error != "" {
		return Invalid(op, "a successful run has an error", "leave the error out, or say that it failed")
	}
	if err := validateText("error of the tool", o.Error, MaxLearningBytes); o.Error != "" && err != nil {
		return err
	}
	if o.Session == "" {
		return nil
	}
	return ValidateName("session", o.Session)
}
