package ops

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops/operation"
)

// SnapshotIn is the input of snapshot.
type SnapshotIn struct {
	Session string `json:"session" opt:"arg,required" values:"session" doc:"id of the session"`
}

// Snapshot is what a session sees of memory in its prompt.
type Snapshot struct {
	Session    string    `json:"session" doc:"the session it was made for"`
	Scope      string    `json:"scope" doc:"who owns the session"`
	Generation int64     `json:"generation" doc:"counts the snapshots of the session from 1"`
	CreatedAt  time.Time `json:"created_at" doc:"when it was made"`
	Text       string    `json:"text" doc:"as it stands in the session's prompt, but for what was forgotten since"`
}

func snapshot() operation.Operation {
	return operation.Op[SnapshotIn, Snapshot]{
		Info: operation.Info{
			Name: "snapshot", Summary: "Show what a conversation was told about memory",
			Description: "The snapshot is made when a session begins and stays as it is, so that its prompt stays the same. " +
				"The latest is shown.",
			ReadOnly: true,
			Examples: []operation.Example{{Doc: "of a session", Input: `{"session": "monday"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in SnapshotIn) (Snapshot, error) {
			if err := strata.ValidateName("session", in.Session); err != nil {
				return Snapshot{}, err
			}
			session, err := env.Engine.FindSession(ctx, env.View, in.Session)
			if err != nil {
				return Snapshot{}, err
			}
			s, err := env.Engine.Snapshot(ctx, session.Scope, session.ID)
			if strata.CodeOf(err) == strata.CodeNotFound {
				return Snapshot{}, &strata.Error{Code: strata.CodeNotFound, Op: "show snapshot", Message: "session " + session.ID + " has no snapshot",
					Hint: "only a session that an agent talks in is given one"}
			}
			return Snapshot{
				Session: s.Session, Scope: s.Scope.Key(), Generation: s.Generation, CreatedAt: s.CreatedAt, Text: s.Text,
			}, err
		},
	}
}
