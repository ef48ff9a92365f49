package ops

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Session is one conversation.
type Session struct {
	ID        string             `json:"id" doc:"of the session"`
	Scope     string             `json:"scope" doc:"who owns it"`
	Kind      strata.SessionKind `json:"kind" doc:"main, group, sub or system"`
	Parent    string             `json:"parent,omitempty" doc:"session that started it"`
	Turns     int64              `json:"turns" doc:"how many it has"`
	StartedAt time.Time          `json:"started_at" doc:"when it began"`
	ClosedAt  *time.Time         `json:"closed_at,omitempty" doc:"when it was closed"`
}

// SessionOf shows a session.
func SessionOf(s strata.Session) Session {
	return Session{
		ID: s.ID, Scope: s.Scope.Key(), Kind: s.Kind, Parent: s.Parent, Turns: s.Turns, StartedAt: s.StartedAt, ClosedAt: s.ClosedAt,
	}
}

// SessionsIn is the input of sessions.
type SessionsIn struct {
	Limit int `json:"limit,omitempty" short:"n" default:"100" doc:"most sessions of each scope"`
}

// Sessions lists sessions.
type Sessions struct {
	Sessions []Session `json:"sessions" doc:"newest first, scope by scope"`
}

// Rows are the sessions, for output line by line.
func (s Sessions) Rows() []any { return rows(s.Sessions) }

func sessions() Operation {
	return Op[SessionsIn, Sessions]{
		Info: Info{
			Name: "sessions", Summary: "List conversations", ReadOnly: true,
			Examples: []Example{{Doc: "the newest", Input: `{"limit": 10}`}},
		},
		Handle: func(ctx context.Context, env *Env, in SessionsIn) (Sessions, error) {
			list, err := env.Engine.Sessions(ctx, env.View, in.Limit)
			return Sessions{each(list, SessionOf)}, err
		},
	}
}

// Turn is one message of a session.
type Turn struct {
	ID        string      `json:"id" doc:"of the turn"`
	Seq       int64       `json:"seq" doc:"place in the session, from 1"`
	Role      strata.Role `json:"role" doc:"user, assistant, system or tool"`
	Speaker   string      `json:"speaker,omitempty" doc:"a person's name, where there are several"`
	Text      string      `json:"text" doc:"what was said, without secrets"`
	Images    []string    `json:"images,omitempty" doc:"media types of the images that came with it"`
	Calls     []ToolCall  `json:"calls,omitempty" doc:"tools the assistant called"`
	CallID    string      `json:"call_id,omitempty" doc:"the call that a tool answers"`
	Tool      string      `json:"tool,omitempty" doc:"the tool that answers"`
	Failed    bool        `json:"failed,omitempty" doc:"the call did not succeed"`
	At        time.Time   `json:"at" doc:"when it was said"`
	Scope     string      `json:"scope" doc:"who owns it"`
	Session   string      `json:"session" doc:"the session it belongs to"`
	Redacted  int         `json:"redacted,omitempty" doc:"secrets removed from the text"`
	Forgotten bool        `json:"forgotten,omitempty" doc:"the text was blanked because a fact it was the source of was forgotten"`
}

// ToolCall is a tool that an assistant called.
type ToolCall struct {
	ID        string `json:"id" doc:"of the call"`
	Name      string `json:"name" doc:"of the tool"`
	Arguments string `json:"arguments,omitempty" doc:"as the model wrote them, without secrets"`
}

// turnOf shows a turn.
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
	After   int64  `json:"after,omitempty" doc:"place after which to go on"`
	Limit   int    `json:"limit,omitempty" short:"n" default:"100" doc:"most turns; 0 means all"`
}

// Turns lists turns.
type Turns struct {
	Turns []Turn `json:"turns" doc:"in the order they were said"`
}

// Rows are the turns, for output line by line.
func (t Turns) Rows() []any { return rows(t.Turns) }

func turns() Operation {
	return Op[TurnsIn, Turns]{
		Info: Info{
			Name: "turns", Summary: "Show what was said in a conversation", ReadOnly: true,
			Examples: []Example{
				{Doc: "from the start", Input: `{"session": "monday"}`},
				{Doc: "the next page", Input: `{"session": "monday", "after": 100}`},
			},
		},
		Handle: func(ctx context.Context, env *Env, in TurnsIn) (Turns, error) {
			if err := strata.ValidateName("session", in.Session); err != nil {
				return Turns{}, err
			}
			list, err := env.Engine.ListTurns(ctx, env.View, in.Session,
				store.TurnFilter{After: in.After, Limit: in.Limit, NoImages: true})
			return Turns{each(list, turnOf)}, err
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
	Already bool     `json:"already,omitempty" doc:"it had been closed before"`
	Notes   []string `json:"notes,omitempty" doc:"what did not go as it should"`
}

func closeOp() Operation {
	return Op[CloseIn, Closed]{
		Info: Info{
			Name: "close", Summary: "Close a conversation for good",
			Description: "Nothing can be added to a closed session, and it cannot be reopened. What was said in it stays and is found. " +
				"Its transcript is written where transcripts are kept.",
			Examples: []Example{{Doc: "when it is over", Input: `{"session": "monday"}`}},
		},
		Handle: func(ctx context.Context, env *Env, in CloseIn) (Closed, error) {
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
				// It is closed; the transcript follows by itself.
				out.Notes = append(out.Notes, failed.Error())
			}
			return out, nil
		},
	}
}
