package upkeep

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/extract/queue"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/store"
)

// IngestedFact is the decision about one statement.
type IngestedFact struct {
	Decision   strata.Op   `json:"decision" doc:"add, update, supersede, noop or reject"`
	Text       string      `json:"text,omitempty" tool:"-" doc:"the fact; empty for a rejection"`
	Reason     string      `json:"reason" tool:"-" doc:"why, in one sentence"`
	ID         string      `json:"id,omitempty" doc:"id of the fact"`
	DecisionID string      `json:"decision_id,omitempty" doc:"the decision, for decision, undo and revert; empty in a dry run"`
	Type       strata.Type `json:"type,omitempty" tool:"-" doc:"user, feedback, project or reference"`
	Scope      string      `json:"scope" tool:"-" doc:"who owns it"`
	Replaced   string      `json:"replaced,omitempty" tool:"-" doc:"text that is no longer current because of it"`
	Session    string      `json:"session,omitempty" tool:"-" doc:"where it was said"`
}

// IngestedFactOf converts a decision about a statement to its output form.
func IngestedFactOf(d strata.Decision) IngestedFact {
	f := IngestedFact{Decision: d.Op, Reason: d.Reason, ID: d.FactID, DecisionID: d.ID, Scope: d.Scope.Key(), Session: d.Session}
	if d.After != nil {
		f.Text, f.Type = d.After.Text, d.After.Type
	}
	if d.Before != nil && d.Op.Changed() {
		f.Replaced = d.Before.Text
	}
	return f
}

const familyExtractor = "extractor"

// Waiting is a session whose extraction is pending or was given up.
type Waiting struct {
	Session   string          `json:"session" doc:"id of the session"`
	Scope     string          `json:"scope" doc:"who owns it"`
	Extractor store.Extractor `json:"extractor" doc:"what reads it: rules or model"`
	State     string          `json:"state" doc:"waiting, reading, retrying or given up"`
	Turns     int64           `json:"turns" doc:"how many of its turns are unread"`
	After     int64           `json:"after" doc:"place of the last turn that was read"`
	Attempts  int             `json:"attempts,omitempty" doc:"failed attempts since it last got on"`
	RetryAt   *time.Time      `json:"retry_at,omitempty" doc:"when it is tried again"`
	Error     string          `json:"error,omitempty" doc:"why the last attempt failed"`
	GivenUpAt *time.Time      `json:"given_up_at,omitempty" doc:"when it was given up"`
	Facts     []Extractable   `json:"facts,omitempty" doc:"facts that the rules find in it"`
	Left      []NotExtracted  `json:"left,omitempty" doc:"what would be left out, and why"`
}

// Extractable is a statement that the rules find.
type Extractable struct {
	Text   string      `json:"text" doc:"the statement"`
	Type   strata.Type `json:"type" doc:"user, feedback, project or reference"`
	Reason string      `json:"reason" doc:"the rule that found it"`
}

// NotExtracted is a part of what was said that yields no fact.
type NotExtracted struct {
	Text   string `json:"text" doc:"what was said"`
	Reason string `json:"reason" doc:"why nothing is remembered of it"`
	Turn   string `json:"turn" doc:"id of the turn"`
}

// waitingOf converts a pending session to its output form.
func waitingOf(p queue.Pending) Waiting {
	out := Waiting{
		Session: p.Session, Scope: p.Scope.Key(), Extractor: p.Extractor, State: "waiting", Turns: p.Turns, After: p.After,
		Attempts: p.Attempts, Error: p.LastError, GivenUpAt: p.DeadAt,
	}
	switch {
	case p.DeadAt != nil:
		out.State = "given up"
	case p.Owner != "":
		out.State = "reading"
	case p.Attempts > 0:
		out.State, out.RetryAt = "retrying", &p.RetryAt
	}
	return out
}

// leftOut converts what yields no fact to its output form.
func leftOut(list []extract.Left) []NotExtracted {
	return operation.Each(list, func(l extract.Left) NotExtracted { return NotExtracted{l.Text, l.Reason, l.Source} })
}

// ExtractorStatus counts the sessions whose extraction is pending.
type ExtractorStatus struct {
	Model      bool             `json:"model" doc:"whether there is a model that reads after the rules"`
	Extractors []ExtractorCount `json:"extractors" doc:"one for rules, one for the model"`
	GivenUp    []Waiting        `json:"given_up" doc:"sessions that were given up; 100 at most"`
}

// ExtractorCount counts the sessions pending for one extractor.
type ExtractorCount struct {
	Extractor store.Extractor `json:"extractor" doc:"rules or model"`
	Waiting   int64           `json:"waiting" doc:"sessions that are not being read yet"`
	Reading   int64           `json:"reading" doc:"sessions that are being read now"`
	Retrying  int64           `json:"retrying" doc:"sessions that are tried again after a failure"`
	GivenUp   int64           `json:"given_up" doc:"sessions that were given up"`
	Turns     int64           `json:"turns" doc:"unread turns, not counting those given up"`
	Error     string          `json:"error,omitempty" doc:"why the last attempt at a waiting session failed"`
}

func extractorStatus() operation.Operation {
	return operation.Op[operation.None, ExtractorStatus]{
		Info: operation.Info{
			Name: "extractor_status", Family: familyExtractor, Summary: "Count what waits for fact extraction", ReadOnly: true,
			Description: "Rules extract facts from conversations at once; a model, if one is configured, does so in the background. What a model cannot read " +
				"is tried again after pauses that double, and given up after five attempts.",
			Examples: []operation.Example{{Doc: "count", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (ExtractorStatus, error) {
			q := env.Engine.Extractor()
			out := ExtractorStatus{Model: q.HasModel(), GivenUp: []Waiting{}}
			for _, by := range []store.Extractor{store.ByRules, store.ByModel} {
				c := ExtractorCount{Extractor: by}
				for _, dead := range []bool{false, true} {
					list, err := q.Pending(ctx, store.ExtractionFilter{Extractor: by, Scopes: env.Scopes(), Dead: dead, Limit: 10_000})
					if err != nil {
						return out, err
					}
					for _, p := range list {
						c.add(waitingOf(p))
						if dead && len(out.GivenUp) < 100 {
							out.GivenUp = append(out.GivenUp, waitingOf(p))
						}
					}
				}
				out.Extractors = append(out.Extractors, c)
			}
			return out, nil
		},
	}
}

// add counts a session.
func (c *ExtractorCount) add(w Waiting) {
	switch w.State {
	case "waiting":
		c.Waiting++
	case "reading":
		c.Reading++
	case "retrying":
		c.Retrying++
	default:
		c.GivenUp++
		return
	}
	c.Turns += w.Turns
	if w.Error != "" {
		c.Error = w.Error
	}
}

// ExtractorPendingIn is the input of extractor_pending.
type ExtractorPendingIn struct {
	Reasons bool `json:"reasons,omitempty" doc:"show what the rules would keep of the unread turns, what not, and why"`
	Limit   int  `json:"limit,omitempty" short:"n" default:"100" range:"1-10000" doc:"most sessions"`
}

// ExtractorPending lists the sessions whose extraction is pending.
type ExtractorPending struct {
	Sessions []Waiting `json:"sessions" doc:"in the order in which they are read, then those that were given up"`
}

// Rows returns the sessions, for output line by line.
func (p ExtractorPending) Rows() []any { return operation.Rows(p.Sessions) }

func extractorPending() operation.Operation {
	return operation.Op[ExtractorPendingIn, ExtractorPending]{
		Info: operation.Info{
			Name: "extractor_pending", Family: familyExtractor, Summary: "List sessions that wait for fact extraction", ReadOnly: true,
			Examples: []operation.Example{{Doc: "list them", Input: `{}`}, {Doc: "with what would be kept of each", Input: `{"reasons": true}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in ExtractorPendingIn) (ExtractorPending, error) {
			out := ExtractorPending{Sessions: []Waiting{}}
			for _, dead := range []bool{false, true} {
				list, err := env.Engine.Extractor().Pending(ctx, store.ExtractionFilter{Scopes: env.Scopes(), Dead: dead, Limit: in.Limit})
				if err != nil {
					return out, err
				}
				for _, p := range list {
					w := waitingOf(p)
					if in.Reasons {
						x, err := env.Engine.Extractor().Explain(ctx, p.Scope, p.Session, p.After)
						if err != nil {
							return out, err
						}
						w.Facts = operation.Each(x.Found, func(c strata.Candidate) Extractable { return Extractable{c.Content, c.Type, c.Reason} })
						w.Left = leftOut(x.Left)
					}
					out.Sessions = append(out.Sessions, w)
				}
			}
			return out, nil
		},
	}
}

// ExtractorReplayIn is the input of extractor_replay.
type ExtractorReplayIn struct {
	Session string `json:"session" opt:"arg,required" values:"session" doc:"id of the session"`
	DryRun  bool   `json:"dry_run,omitempty" doc:"show what the rules would keep, what not, and why, and change nothing"`
}

// Extracted reports the outcome of an extraction from sessions.
type Extracted struct {
	Facts  []IngestedFact `json:"facts" doc:"decisions about the facts that were found"`
	Known  int            `json:"known,omitempty" doc:"in a dry run: statements that were decided about before"`
	Left   []NotExtracted `json:"left,omitempty" doc:"in a dry run: what is left out, and why"`
	Rest   []Waiting      `json:"rest,omitempty" doc:"what still waits"`
	DryRun bool           `json:"dry_run,omitempty" doc:"nothing was changed"`
}

func extractorReplay() operation.Operation {
	return operation.Op[ExtractorReplayIn, Extracted]{
		Info: operation.Info{
			Name: "extractor_replay", Family: familyExtractor, Summary: "Extract facts from a session again, from its start",
			Description: "Reads the whole session by rules, and by the model if one is configured. Statements that were decided about before yield nothing " +
				"again.",
			Extracts: true,
			Examples: []operation.Example{{Doc: "see what would be kept", Input: `{"session": "monday", "dry_run": true}`}, {Doc: "read it again", Input: `{"session": "monday"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in ExtractorReplayIn) (Extracted, error) {
			out := Extracted{Facts: []IngestedFact{}, DryRun: in.DryRun}
			if err := strata.ValidateName("session", in.Session); err != nil {
				return out, err
			}
			s, err := env.Engine.FindSession(ctx, env.View, in.Session)
			if err != nil {
				return out, err
			}
			if !in.DryRun {
				decisions, err := env.Engine.Extractor().Replay(ctx, s.Scope, s.ID)
				out.Facts = operation.Each(decisions, IngestedFactOf)
				return out, err
			}
			x, err := env.Engine.Extractor().Explain(ctx, s.Scope, s.ID, 0)
			out.Known, out.Left = x.Known, leftOut(x.Left)
			for _, c := range x.Found {
				d, err := env.Engine.Preview(ctx, c)
				if err != nil {
					return out, err
				}
				out.Facts = append(out.Facts, IngestedFactOf(d))
			}
			return out, err
		},
	}
}

func extractorDrain() operation.Operation {
	return operation.Op[operation.None, Extracted]{
		Info: operation.Info{
			Name: "extractor_drain", Family: familyExtractor, Summary: "Extract the facts that wait, now",
			Description: "Reads all sessions that wait, including those that wait for another attempt after a failure. Without a model, sessions that wait for" +
				" one keep waiting.",
			Extracts: true,
			Examples: []operation.Example{{Doc: "read what waits", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (Extracted, error) {
			out := Extracted{Facts: []IngestedFact{}}
			q := env.Engine.Extractor()
			decisions, err := q.Drain(ctx, env.Scopes(), env.Advance)
			if out.Facts = append(out.Facts, operation.Each(decisions, IngestedFactOf)...); err != nil {
				return out, err
			}
			rest, err := q.Pending(ctx, store.ExtractionFilter{Scopes: env.Scopes()})
			out.Rest = operation.Each(rest, waitingOf)
			return out, err
		},
	}
}

// ExtractorRetryIn is the input of extractor_retry.
type ExtractorRetryIn struct {
	Session string `json:"session,omitempty" opt:"arg" values:"session" doc:"id of the session (default: all that were given up)"`
}

// Revived lists sessions that had been given up, and what became of them.
type Revived struct {
	Change   string    `json:"change" doc:"revived: they wait again; dropped: they wait no longer"`
	Sessions []Waiting `json:"sessions" doc:"as they were"`
	DryRun   bool      `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// Rows returns the sessions, for output line by line.
func (r Revived) Rows() []any { return operation.Rows(r.Sessions) }

// revived converts sessions that had been given up to their output form.
func revived(change string, list []store.Extraction) Revived {
	return Revived{Change: change, Sessions: operation.Each(list, func(x store.Extraction) Waiting { return waitingOf(queue.Pending{Extraction: x}) })}
}

func extractorRetry() operation.Operation {
	return operation.Op[ExtractorRetryIn, Revived]{
		Info: operation.Info{
			Name: "extractor_retry", Family: familyExtractor, Summary: "Read again the sessions that were given up",
			Description: "The sessions wait as if they had never failed, and are read on from where reading stopped.",
			Extracts:    true,
			Examples:    []operation.Example{{Doc: "all of them", Input: `{}`}, {Doc: "one", Input: `{"session": "monday"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in ExtractorRetryIn) (Revived, error) {
			list, err := env.Engine.Extractor().Retry(ctx, env.Scopes(), in.Session)
			if err == nil && len(list) == 0 && in.Session != "" {
				err = strata.NotFound("retry extraction", "session that was given up", in.Session)
			}
			return revived("revived", list), err
		},
	}
}

// ExtractorDropIn is the input of extractor_drop.
type ExtractorDropIn struct {
	Session string `json:"session" opt:"arg,required" values:"session" doc:"id of the session"`
	DryRun  bool   `json:"dry_run,omitempty" doc:"show what it would do and change nothing"`
}

func extractorDrop() operation.Operation {
	return operation.Op[ExtractorDropIn, Revived]{
		Info: operation.Info{
			Name: "extractor_drop", Family: familyExtractor, Summary: "Leave the rest of a session that was given up unread", Destructive: true,
			Description: "Nothing more is extracted from the turns that could not be read; they stay and can be found. What is said later is read.",
			Examples:    []operation.Example{{Doc: "see what would be left", Input: `{"session": "monday", "dry_run": true}`}, {Doc: "leave it", Input: `{"session": "monday"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in ExtractorDropIn) (Revived, error) {
			list, err := env.Engine.Extractor().Drop(ctx, env.Scopes(), in.Session, in.DryRun)
			if err == nil && len(list) == 0 {
				err = strata.NotFound("drop extraction", "session that was given up", in.Session)
			}
			out := revived("dropped", list)
			out.DryRun = in.DryRun
			return out, err
		},
	}
}
