package ops

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops/operation"
)

// LedgerIn is the input of ledger.
type LedgerIn struct {
	Session string `json:"session" opt:"arg,required" values:"session" doc:"id of the session"`
}

// Ledger says what was written.
type Ledger struct {
	Session    string     `json:"session" doc:"the session that was written"`
	Scope      string     `json:"scope" doc:"who owns it"`
	Turns      int64      `json:"turns" doc:"how many turns were written"`
	ClosedAt   *time.Time `json:"closed_at,omitempty" doc:"when the session was closed"`
	Transcript bool       `json:"transcript,omitempty" doc:"it is the transcript that was written at the close; otherwise it was made of the turns"`
}

func ledger() operation.Operation {
	return operation.Op[LedgerIn, Ledger]{
		Info: operation.Info{
			Name: "ledger", Summary: "Write a conversation as JSON lines",
			Description: "Writes all turns of a session, without secrets, in the format of docs/formats/ledger.md. Of a closed session it is " +
				"the transcript as it was written at the close; of an open one, what was said so far.",
			ReadOnly: true,
			Writes:   "the JSON lines",
			Examples: []operation.Example{{Doc: "write a conversation to a file", Input: `{"session": "monday"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in LedgerIn) (Ledger, error) {
			if err := strata.ValidateName("session", in.Session); err != nil {
				return Ledger{}, err
			}
			r, err := env.Engine.WriteLedger(ctx, env.View, in.Session, env.Out)
			if err != nil {
				return Ledger{}, err
			}
			s := r.Session
			return Ledger{Session: s.ID, Scope: s.Scope.Key(), Turns: s.Turns, ClosedAt: s.ClosedAt, Transcript: r.Transcript}, nil
		},
	}
}
