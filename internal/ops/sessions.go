package ops

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/store"
)

// Session is one conversation.
type Session struct {
	ID        string             `json:"id" doc:"id of the session"`
	Scope     string             `json:"scope" doc:"who owns it"`
	Kind      strata.SessionKind `json:"kind" doc:"main, group, sub or system"`
	Parent    string             `json:"parent,omitempty" doc:"session that started it"`
	Turns     int64              `json:"turns" doc:"how many it has"`
	StartedAt time.Time          `json:"started_at" doc:"when it began"`
	ClosedAt  *time.Time         `json:"closed_at,omitempty" doc:"when it was closed"`
}

// SessionOf converts a session to its output form.
func SessionOf(s strata.Session) Session {
	return Session{
		ID: s.ID, Scope: s.Scope.Key(), Kind: s.Kind, Parent: s.Parent, Turns: s.Turns, StartedAt: s.StartedAt, ClosedAt: s.ClosedAt,
	}
}

// SessionsIn is the input of sessions.
type SessionsIn struct {
	Limit int `json:"limit,omitempty" short:"n" default:"100" range:"1-10000" doc:"most sessions of each scope"`
}

// Sessions lists sessions.
type Sessions struct {
	Sessions []Session `json:"sessions" doc:"newest first, scope by scope"`
}

// Rows returns the sessions, for output line by line.
func (s Sessions) Rows() []any { return operation.Rows(s.Sessions) }

func sessionsOp() operation.Operation {
	return operation.Op[SessionsIn, Sessions]{
		Info: operation.Info{
			Name: "sessions", Summary: "List conversations", ReadOnly: true,
			Examples: []operation.Example{{Doc: "the newest", Input: `{"limit": 10}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in SessionsIn) (Sessions, error) {
			list, err := env.Engine.Sessions(ctx, env.View, in.Limit)
			return Sessions{operation.Each(list, SessionOf)}, err
		},
	}
}

// PruneIn is the input of sessions_prune and sessions_archive.
type PruneIn struct {
	OlderThan   string `json:"older_than,omitempty" doc:"sessions closed at least this long ago, such as 180d or 36h"`
	MaxBytes    int64  `json:"max_bytes,omitempty" doc:"the oldest closed sessions, until the turns of the rest take up no more than this"`
	MaxArchives int64  `json:"max_archive_bytes,omitempty" doc:"the oldest archived sessions, until the files of the others take up no more than this"`
	DryRun      bool   `json:"dry_run,omitempty" doc:"say what would be removed and change nothing"`
}

// options converts the input to options of the engine.
func (in PruneIn) options() (sessions.PruneOptions, error) {
	const op, hint = "prune sessions", "name an age such as 180d, or a size in bytes"
	o := sessions.PruneOptions{MaxBytes: in.MaxBytes, DryRun: in.DryRun}
	if in.OlderThan == "" && in.MaxBytes == 0 && in.MaxArchives == 0 {
		return o, strata.Invalid(op, "no age or size is given", hint)
	}
	if in.MaxBytes < 0 || in.MaxArchives < 0 {
		return o, strata.Invalid(op, "the size is negative", hint)
	}
	var err error
	o.OlderThan, err = parseAge(op, "older_than", in.OlderThan)
	return o, err
}

// Pruned reports which sessions lost their turns.
type Pruned struct {
	Sessions []PrunedSession  `json:"sessions" doc:"sessions whose turns are gone, oldest first"`
	Skipped  []SkippedSession `json:"skipped,omitempty" doc:"sessions that matched but were left as they are"`
	Freed    int64            `json:"freed" doc:"bytes of texts, tool calls and images that are gone"`
	Left     int64            `json:"left" doc:"bytes that the turns of closed sessions still take up"`
	Notes    []string         `json:"notes,omitempty" doc:"what a reader should know"`
	Archived bool             `json:"archived,omitempty" doc:"what was said in them is now in compressed files"`
	DryRun   bool             `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// Rows returns the sessions, for output line by line.
func (p Pruned) Rows() []any { return operation.Rows(p.Sessions) }

// PrunedSession is a session whose turns were removed.
type PrunedSession struct {
	ID       string    `json:"id" doc:"id of the session"`
	Scope    string    `json:"scope" doc:"who owns it"`
	Turns    int64     `json:"turns" doc:"how many it has"`
	Bytes    int64     `json:"bytes" doc:"bytes that its turns took up"`
	ClosedAt time.Time `json:"closed_at" doc:"when it was closed"`
}

// SkippedSession is a session that was skipped.
type SkippedSession struct {
	ID     string `json:"id" doc:"id of the session"`
	Scope  string `json:"scope" doc:"who owns it"`
	Reason string `json:"reason" doc:"why it was left"`
}

func sessionsPrune() operation.Operation {
	return operation.Op[PruneIn, Pruned]{
		Info: operation.Info{
			Name: "sessions_prune", Family: "sessions", Summary: "Remove what was said in old conversations",
			Description: "Removes the texts of all turns of closed sessions from memory and from their transcripts, by age or until the rest fits a size. This" +
				" cannot be undone; sessions archive keeps the texts in files. Facts learned from them stay, and so does who spoke when. It never " +
				"prunes an open session, nor one whose transcript is not written yet or from which facts are still to be extracted: it names these " +
				"with the reason.",
			Destructive: true,
			Examples: []operation.Example{
				{Doc: "see what was closed at least 180 days ago", Input: `{"older_than": "180d", "dry_run": true}`},
				{Doc: "keep at most half a megabyte", Input: `{"max_bytes": 500000}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in PruneIn) (Pruned, error) {
			o, err := in.options()
			if err != nil {
				return Pruned{}, err
			}
			done, err := env.Engine.PruneSessions(ctx, env.View, o)
			if err == nil && in.MaxArchives > 0 {
				var gone []sessions.PrunedSession
				gone, err = env.Engine.ExpireArchives(ctx, env.View, in.MaxArchives, in.DryRun)
				done.Sessions = append(done.Sessions, gone...)
			}
			return prunedOf(done, in.DryRun), err
		},
	}
}

// prunedOf converts a report about sessions to its output form.
func prunedOf(done sessions.Pruned, dryRun bool) Pruned {
	out := Pruned{Sessions: []PrunedSession{}, Left: done.Left, DryRun: dryRun}
	for _, s := range done.Sessions {
		out.Freed += s.Bytes
		out.Sessions = append(out.Sessions, PrunedSession{ID: s.ID, Scope: s.Scope.Key(), Turns: s.Turns, Bytes: s.Bytes, ClosedAt: *s.ClosedAt})
	}
	for _, s := range done.Skipped {
		out.Skipped = append(out.Skipped, SkippedSession{ID: s.ID, Scope: s.Scope.Key(), Reason: s.Reason})
	}
	for _, r := range done.Remaining {
		out.Notes = append(out.Notes, r+" still holds what was said; it is rewritten in the background")
	}
	return out
}

// Turn is one message of a session.
type Turn struct {
	ID        string      `json:"id" doc:"id of the turn"`
	Seq       int64       `json:"seq" doc:"place in the session, from 1"`
	Role      strata.Role `json:"role" doc:"user, assistant, system or tool"`
	Speaker   string      `json:"speaker,omitempty" doc:"the speaker's name, if there are several"`
	Text      string      `json:"text" doc:"what was said, without secrets"`
	Images    []string    `json:"images,omitempty" doc:"media types of the images that came with it"`
	Calls     []ToolCall  `json:"calls,omitempty" doc:"tools the assistant called"`
	CallID    string      `json:"call_id,omitempty" doc:"id of the call that a tool turn answers"`
	Tool      string      `json:"tool,omitempty" doc:"the tool that answers"`
	Failed    bool        `json:"failed,omitempty" doc:"the call did not succeed"`
	At        time.Time   `json:"at" doc:"when it was said"`
	Scope     string      `json:"scope" doc:"who owns it"`
	Session   string      `json:"session" doc:"the session it belongs to"`
	Redacted  int         `json:"redacted,omitempty" doc:"secrets removed from the text"`
	Forgotten bool        `json:"forgotten,omitempty" doc:"the text was blanked because a fact from it was forgotten, or its session pruned or archived"`
}

// ToolCall is a call of a tool by an assistant.
type ToolCall struct {
	ID        string `json:"id" doc:"id of the call"`
	Name      string `json:"name" doc:"name of the tool"`
	Arguments string `json:"arguments,omitempty" doc:"as the model wrote them, without secrets"`
}

// turnOf converts a turn to its output form.
func turnOf(t strata.Turn) Turn {
	out := Turn{
		ID: t.ID, Seq: t.Seq, Role: t.Role, Speaker: t.Speaker, Text: t.Text, At: t.At, CallID: t.CallID, Tool: t.Tool, Failed: t.Failed,
		Scope: t.Scope.Key(), Session: t.Session, Redacted: t.Redacted, Forgotten: t.Forgotten,
	}
	for _, img := range t.Images {
		out.Images = append(out.Images, img.MediaType)
	}
	for _, c := range t.Calls {
		out.Calls = append(out.Calls, ToolCall(c))
	}
	return out
}

// TurnsIn is the input of turns.
type TurnsIn struct {
	Session string `json:"session" opt:"arg,required" values:"session" doc:"id of the session"`
	After   int64  `json:"after,omitempty" doc:"place to continue after"`
	Limit   int    `json:"limit,omitempty" short:"n" default:"100" doc:"most turns; 0 means all"`
}

// Turns lists turns.
type Turns struct {
	Turns []Turn `json:"turns" doc:"in the order they were said"`
}

// Rows returns the turns, for output line by line.
func (t Turns) Rows() []any { return operation.Rows(t.Turns) }

func turns() operation.Operation {
	return operation.Op[TurnsIn, Turns]{
		Info: operation.Info{
			Name: "turns", Summary: "Show what was said in a conversation", ReadOnly: true,
			Examples: []operation.Example{
				{Doc: "from the start", Input: `{"session": "monday"}`},
				{Doc: "the next page", Input: `{"session": "monday", "after": 100}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in TurnsIn) (Turns, error) {
			if err := strata.ValidateName("session", in.Session); err != nil {
				return Turns{}, err
			}
			if in.After < 0 || in.Limit < 0 {
				return Turns{}, strata.Invalid("turns", "a number of turns is negative", "count turns from 1; limit 0 means all")
			}
			list, err := env.Engine.ListTurns(ctx, env.View, in.Session,
				store.TurnFilter{After: in.After, Limit: in.Limit, NoImages: true})
			return Turns{operation.Each(list, turnOf)}, err
		},
	}
}

// CloseIn is the input of close.
type CloseIn struct {
	Session string `json:"session" opt:"arg,required" values:"session" doc:"id of the session"`
}

// Closed is a session that was closed.
type Closed struct {
	Session
	Already bool     `json:"already,omitempty" doc:"it was already closed"`
	Notes   []string `json:"notes,omitempty" doc:"what went wrong"`
}

func closeOp() operation.Operation {
	return operation.Op[CloseIn, Closed]{
		Info: operation.Info{
			Name: "close", Summary: "Close a conversation for good",
			Description: "Nothing can be added to a closed session, and it cannot be reopened. What was said in it stays and can be found. Its transcript is " +
				"written if transcripts are kept.",
			Extracts: true,
			Examples: []operation.Example{{Doc: "when it is over", Input: `{"session": "monday"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in CloseIn) (Closed, error) {
			if err := strata.ValidateName("session", in.Session); err != nil {
				return Closed{}, err
			}
			before, err := env.Engine.FindSession(ctx, env.View, in.Session)
			if err != nil {
				return Closed{}, err
			}
			if before.ClosedAt != nil {
				return Closed{Session: SessionOf(before), Already: true}, nil
			}
			failed := env.Engine.CloseSession(ctx, before.Scope, before.ID)
			after, err := env.Engine.Session(ctx, before.Scope, before.ID)
			if err != nil {
				return Closed{}, err
			}
			if after.ClosedAt == nil {
				return Closed{}, failed
			}
			out := Closed{Session: SessionOf(after)}
			if failed != nil {
				// The session is closed; the transcript follows in the background.
				out.Notes = append(out.Notes, failed.Error())
			}
			return out, nil
		},
	}
}
