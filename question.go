package strata

import "time"

// Question is put to the user where two facts cannot both hold and time does not
// tell which of them does. It holds no text of either.
type Question struct {
	ID    string `json:"id"` // "question_" and a ULID
	Scope Scope  `json:"scope"`
	// Facts are the versions in question, the one that was recorded first first. The
	// question is open while it has no answer and both are current.
	Facts [2]FactVersion `json:"facts"`
	// Reason says in a few words why time does not tell.
	Reason  string    `json:"reason"`
	Dream   string    `json:"dream"` // id of the dream that asked
	AskedAt time.Time `json:"asked_at"`
	// Answer is the id of the fact that holds, or [AnswerBoth]; empty while nobody
	// answered.
	Answer     string     `json:"answer,omitempty"`
	AnsweredAt *time.Time `json:"answered_at,omitempty"`
}

// AnswerBoth says that both facts of a question hold.
const AnswerBoth = "both"

// FactVersion names a version of a fact.
type FactVersion struct {
	ID         string `json:"id"`
	Generation int64  `json:"generation"`
}

// Version names the version of a fact.
func (f Fact) Version() FactVersion { return FactVersion{f.ID, f.Generation} }
