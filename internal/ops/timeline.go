package ops

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/store"
)

// countable is the size in bytes up to which the tokens of a turn are counted; those of a
// larger one are estimated. A timeline is for display, so an estimate is good enough.
const countable = 64 << 10

// TimelineIn is the input of timeline.
type TimelineIn struct {
	Session string `json:"session" opt:"arg,required" values:"session" doc:"id of the session"`
}

// Timeline is a conversation and how its context window moved through it.
type Timeline struct {
	Session
	Tokens  int64          `json:"tokens" doc:"tokens of all turns together"`
	Flushed int64          `json:"flushed,omitempty" doc:"last turn whose facts were saved before the window had to make room"`
	Spans   []TimelineSpan `json:"spans" doc:"spans of turns that the window replaces with a text, in order; expand opens them"`
	Marks   []TimelineTurn `json:"marks" doc:"one for each turn"`
	Notes   []string       `json:"notes,omitempty" doc:"what a reader should know"`
}

// Rows returns the turns, for output line by line.
func (t Timeline) Rows() []any { return operation.Rows(t.Marks) }

// TimelineSpan is a range of turns that left the window.
type TimelineSpan struct {
	From   int64  `json:"from" doc:"place of the first turn"`
	To     int64  `json:"to" doc:"place of the last turn"`
	Kind   string `json:"kind" doc:"summary (compacted) or pruned (left out)"`
	Tokens int64  `json:"tokens" doc:"tokens of these turns"`
	Text   string `json:"text" doc:"what the model reads in their place"`
}

// TimelineTurn is a turn and its size.
type TimelineTurn struct {
	Seq    int64       `json:"seq" doc:"place in the session, from 1"`
	Role   strata.Role `json:"role" doc:"user, assistant, system or tool"`
	Tokens int64       `json:"tokens" doc:"tokens of its text and tool calls"`
	At     time.Time   `json:"at" doc:"when it was said"`
}

func timeline() operation.Operation {
	return operation.Op[TimelineIn, Timeline]{
		Info: operation.Info{
			Name: "timeline", Summary: "Show the tokens of each turn of a conversation",
			Description: "Shows the size of every turn, up to which turn facts were saved, and which spans were compacted to a summary or left out of the " +
				"window. expand opens a span word for word. A conversation without a saved window has no spans.",
			ReadOnly: true,
			Examples: []operation.Example{{Doc: "of one conversation", Input: `{"session": "monday"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in TimelineIn) (Timeline, error) {
			out := Timeline{Spans: []TimelineSpan{}}
			if err := strata.ValidateName("session", in.Session); err != nil {
				return out, err
			}
			s, err := env.Engine.FindSession(ctx, env.View, in.Session)
			if err != nil {
				return out, err
			}
			out.Session = SessionOf(s)
			list, err := env.Engine.ListTurns(ctx, env.View, s.ID, store.TurnFilter{NoImages: true})
			if err != nil {
				return out, err
			}
			out.Marks = operation.Each(list, timelineTurnOf)
			for _, t := range out.Marks {
				out.Tokens += t.Tokens
			}
			return out, out.addWindow(ctx, env, s)
		},
	}
}

// timelineTurnOf measures a turn.
func timelineTurnOf(t strata.Turn) TimelineTurn {
	n := tokensOf(t.Text)
	for _, c := range t.Calls {
		n += tokensOf(c.Name) + tokensOf(c.Arguments)
	}
	return TimelineTurn{Seq: t.Seq, Role: t.Role, Tokens: n, At: t.At}
}

func tokensOf(text string) int64 {
	if len(text) > countable {
		return int64(len(text) / 4)
	}
	return int64(token.Count(text))
}

// addWindow adds the saved state of the conversation's window. A damaged state only adds
// a note here; it is set aside when the conversation continues.
func (t *Timeline) addWindow(ctx context.Context, env *operation.Env, s strata.Session) error {
	raw, err := env.Engine.SessionState(ctx, s.Scope, s.ID)
	switch strata.CodeOf(err) {
	case strata.CodeNotFound:
		return nil
	case strata.CodeCorrupt:
		t.Notes = append(t.Notes, "its saved window is damaged; it is rebuilt when the conversation continues")
		return nil
	}
	if err != nil {
		return err
	}
	window, err := contextmgr.ReadOutline(raw)
	if err != nil {
		t.Notes = append(t.Notes, "its saved window cannot be read; it is rebuilt when the conversation continues")
		return nil
	}
	t.Flushed = window.Flushed
	for _, b := range window.Blocks {
		span := TimelineSpan{From: b.From, To: b.To, Kind: "pruned", Text: b.Text}
		if b.Summary {
			span.Kind = "summary"
		}
		for _, m := range t.Marks {
			if b.From <= m.Seq && m.Seq <= b.To {
				span.Tokens += m.Tokens
			}
		}
		t.Spans = append(t.Spans, span)
	}
	return nil
}

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
	Text       string    `json:"text" doc:"as in the session's prompt, except for what was forgotten since"`
}

func snapshotOp() operation.Operation {
	return operation.Op[SnapshotIn, Snapshot]{
		Info: operation.Info{
			Name: "snapshot", Summary: "Show what a conversation was told about memory",
			Description: "The snapshot is made when a session begins and does not change, so that the prompt of the session stays the same. The latest is " +
				"shown.",
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
					Hint: "only a session in which an agent talks gets one"}
			}
			return Snapshot{
				Session: s.Session, Scope: s.Scope.Key(), Generation: s.Generation, CreatedAt: s.CreatedAt, Text: s.Text,
			}, err
		},
	}
}

// LedgerIn is the input of ledger.
type LedgerIn struct {
	Session string `json:"session" opt:"arg,required" values:"session" doc:"id of the session"`
}

// Ledger reports what was written.
type Ledger struct {
	Session    string     `json:"session" doc:"the session that was written"`
	Scope      string     `json:"scope" doc:"who owns it"`
	Turns      int64      `json:"turns" doc:"how many turns were written"`
	ClosedAt   *time.Time `json:"closed_at,omitempty" doc:"when the session was closed"`
	Transcript bool       `json:"transcript,omitempty" doc:"it is the transcript written at the close; otherwise it was made from the turns"`
}

func ledger() operation.Operation {
	return operation.Op[LedgerIn, Ledger]{
		Info: operation.Info{
			Name: "ledger", Summary: "Write a conversation as JSON lines",
			Description: "Writes all turns of a session, without secrets, in the format of docs/formats/ledger.md. For a closed session it writes the " +
				"transcript from the close; for an open one, what was said so far.",
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
