package strata

import "time"

// Question asks the user which of two facts holds when they contradict each other and
// their times do not decide. It does not contain the text of either.
type Question struct {
	ID    string `json:"id"` // "question_" and a ULID
	Scope Scope  `json:"scope"`
	// Facts are the two versions, the earlier recorded one first. The question is open
	// while it has no answer and both are current.
	Facts [2]FactVersion `json:"facts"`
	// Reason says in a few words why the times do not decide.
	Reason  string    `json:"reason"`
	Dream   string    `json:"dream"` // id of the dream that asked
	AskedAt time.Time `json:"asked_at"`
	// Answer is the id of the fact that holds, or [AnswerBoth]; empty while unanswered.
	Answer     string     `json:"answer,omitempty"`
	AnsweredAt *time.Time `json:"answered_at,omitempty"`
}

// AnswerBoth is the answer that both facts of a question hold.
const AnswerBoth = "both"

// FactVersion identifies a version of a fact.
type FactVersion struct {
	ID         string `json:"id"`
	Generation int64  `json:"generation"`
}

// Version returns the identity of this version of f.
func (f Fact) Version() FactVersion { return FactVersion{f.ID, f.Generation} }
