package ops

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/recall/reopen"
)

// ExpandIn is the input of expand.
type ExpandIn struct {
	Session   string `json:"session,omitempty" opt:"arg" values:"session" doc:"session to read (default: the caller's own)" agents:"default: your own"`
	From      int64  `json:"from,omitempty" doc:"seq of the first turn (default: the first)" agents:"first seq"`
	To        int64  `json:"to,omitempty" doc:"seq of the last turn (default: the last)" agents:"last seq"`
	Query     string `json:"query,omitempty" doc:"only parts that match, best first" agents:"parts that match"`
	MaxTokens int    `json:"max_tokens,omitempty" default:"4000" range:"100-100000" doc:"token budget of a page" agents:"of a page"`
	After     string `json:"after,omitempty" doc:"continue after a page (next) or cut turn (rest)" agents:"next or rest"`
}

// Expanded is a page of turns.
type Expanded struct {
	Session string         `json:"session" doc:"the session that was read"`
	Scope   string         `json:"scope" tool:"-" doc:"who owns it"`
	Turns   []ExpandedTurn `json:"turns" doc:"in the order they were said, or best first for a query"`
	Next    string         `json:"next,omitempty" doc:"pass it as after, with the same input otherwise, to get more; left out at the end"`
	Matches int            `json:"matches,omitempty" tool:"-" doc:"parts that match the query, on all pages"`
	Tokens  int            `json:"tokens" tool:"-" doc:"how much of the budget the page uses"`
}

// Rows returns the turns, for output line by line.
func (e Expanded) Rows() []any { return operation.Rows(e.Turns) }

// ExpandedTurn is a turn, or part of one.
type ExpandedTurn struct {
	ID        string      `json:"id" tool:"-" doc:"id of the turn"`
	Seq       int64       `json:"seq" doc:"place in the session, from 1"`
	Role      strata.Role `json:"role" doc:"user, assistant, system or tool"`
	Speaker   string      `json:"speaker,omitempty" tool:"-" doc:"the speaker's name, if there are several"`
	Tool      string      `json:"tool,omitempty" tool:"-" doc:"name of the tool whose result it is"`
	Text      string      `json:"text" tool:"-" doc:"what was said, word for word, without secrets, then a line for each tool call and image"`
	At        time.Time   `json:"at" doc:"when it was said"`
	Offset    int         `json:"offset,omitempty" tool:"-" doc:"bytes of the turn before this part"`
	Length    int         `json:"length,omitempty" tool:"-" doc:"bytes of the whole turn; left out if the text is complete"`
	Rest      string      `json:"rest,omitempty" doc:"if the turn continues: pass it as after, without query, to read on"`
	Score     float64     `json:"score,omitempty" tool:"-" doc:"how well it matches the query, from 0 to 1"`
	Terms     []string    `json:"terms,omitempty" tool:"-" doc:"words of the query that matched"`
	Forgotten bool        `json:"forgotten,omitempty" doc:"the text was forgotten and cannot be reopened"`
	Notes     []string    `json:"notes,omitempty" tool:"-" doc:"warnings, such as that the text reads like an instruction"`
}

func expand() operation.Operation {
	return operation.Op[ExpandIn, Expanded]{
		Info: operation.Info{
			Name:    "expand",
			Summary: "Reopen turns of a conversation, word for word",
			Description: "Shows what was said, even if it left the context window long ago: a span of turns in order, or the parts of it that match a query, " +
				"best first. A page ends when its budget is used up; next continues. A turn that is too long for a page is cut; its rest continues " +
				"there.",
			Advice:   "Opens turns of a conversation, word for word. Call it for what was said around a turn that memory_recall found, or what a summary replaced.",
			ReadOnly: true,
			Toolset:  operation.CoreTools,
			Examples: []operation.Example{
				{Doc: "the turns a summary stands for", Input: `{"session": "monday", "from": 12, "to": 40}`},
				{Doc: "what was said about the tiles", Input: `{"session": "monday", "query": "blue tiles"}`},
				{Doc: "the next page", Input: `{"session": "monday", "from": 12, "to": 40, "after": "27:0"}`},
			},
		},
		Handle: handleExpand,
	}
}

func handleExpand(ctx context.Context, env *operation.Env, in ExpandIn) (Expanded, error) {
	own := in.Session == ""
	if own {
		in.Session = env.Session
	}
	if in.Session == "" {
		return Expanded{}, strata.Invalid("expand", "session is missing, and the caller has no session of its own",
			"name one; each turn that a search finds names its session")
	}
	page, err := env.Engine.Expand(ctx, reopen.Request{
		View: env.View, Session: in.Session, From: in.From, To: in.To, Query: in.Query, Tokens: in.MaxTokens, After: in.After,
	})
	if own && strata.CodeOf(err) == strata.CodeNotFound {
		return Expanded{}, &strata.Error{Code: strata.CodeNotFound, Op: "expand", Message: "memory keeps no turn of your own session", Err: err,
			Hint: "name a session; each turn that a search finds names its session"}
	}
	if err != nil {
		return Expanded{}, err
	}
	return Expanded{
		Session: page.Session.ID, Scope: page.Session.Scope.Key(), Turns: operation.Each(page.Turns, expandedTurnOf),
		Next: page.Next, Matches: page.Matches, Tokens: page.Tokens,
	}, nil
}

// expandedTurnOf converts a turn to its output form.
func expandedTurnOf(t reopen.Turn) ExpandedTurn {
	out := ExpandedTurn{
		ID: t.Turn.ID, Seq: t.Turn.Seq, Role: t.Turn.Role, Speaker: t.Turn.Speaker, Tool: t.Turn.Tool, Text: t.Turn.Text,
		At: t.Turn.At, Score: t.Score, Terms: t.Terms, Forgotten: t.Turn.Forgotten, Notes: t.Notes,
	}
	if t.Cut() {
		out.Offset, out.Length, out.Rest = t.Offset, t.Length, t.Rest()
	}
	return out
}
