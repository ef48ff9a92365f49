package upkeep

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/dream"
	"github.com/strata-memory/strata/internal/ops/operation"
)

const familyDream = "dream"

// Dream is a run of consolidation.
type Dream struct {
	ID         string      `json:"id" doc:"id of the dream"`
	Scope      string      `json:"scope" doc:"who dreamed"`
	Trigger    string      `json:"trigger" doc:"scheduled, asked, forced or retried"`
	StartedAt  time.Time   `json:"started_at" doc:"when it began"`
	FinishedAt time.Time   `json:"finished_at" doc:"when it was done"`
	Considered int         `json:"considered" doc:"memories that somebody had asked for"`
	Promoted   int         `json:"promoted" doc:"facts that rose into MEMORY.md"`
	Left       int         `json:"left" doc:"memories that stayed where they were"`
	Archived   int         `json:"archived" doc:"facts that dropped out of MEMORY.md"`
	Merged     int         `json:"merged" doc:"facts merged into others that say as much"`
	Settled    int         `json:"settled" doc:"facts replaced by one that you said later and that contradicts them"`
	Asked      int         `json:"asked" doc:"questions put to you: see questions_list"`
	Tagged     int         `json:"tagged" doc:"facts whose concept tags changed"`
	Failure    string      `json:"failure,omitempty" doc:"why it did nothing; dream_retry runs it again"`
	Followed   bool        `json:"followed" doc:"whether MEMORY.md and DREAMS.md show it yet"`
	Items      []DreamItem `json:"items,omitempty" doc:"what became of memories: those that rose or dropped out, were merged, settled or asked about, and the 50 closest to rising"`
}

// DreamItem is what a dream did with a memory.
type DreamItem struct {
	Outcome   string  `json:"outcome" doc:"promoted, archived, merged, settled, asked, left, or unused (a skill that was archived)"`
	Memory    string  `json:"memory" doc:"id of the memory"`
	Text      string  `json:"text,omitempty" doc:"what it says now; left out if it is gone or not a fact"`
	With      string  `json:"with,omitempty" doc:"id of the fact that it was merged into or gave way to, or that contradicts it"`
	WithText  string  `json:"with_text,omitempty" doc:"what that fact says now"`
	Reason    string  `json:"reason,omitempty" doc:"why; if it was left, with its distance to the gate"`
	Score     float64 `json:"score" doc:"from 0 to 1"`
	Recalls   int     `json:"recalls" doc:"how often it was shown to somebody who asked"`
	Questions int     `json:"questions" doc:"different questions among these"`
	Days      int     `json:"days" doc:"different days among these"`
}

// dreamOf converts a dream to its output form, without its items.
func dreamOf(d strata.Dream) Dream {
	return Dream{
		ID: d.ID, Scope: d.Scope.Key(), Trigger: string(d.Trigger), StartedAt: d.StartedAt, FinishedAt: d.FinishedAt,
		Considered: d.Considered, Promoted: d.Promoted, Left: d.Left(), Archived: d.Archived,
		Merged: d.Merged, Settled: d.Settled, Asked: d.Asked, Tagged: d.Tagged, Failure: d.Failure, Followed: d.ProjectedAt != nil,
	}
}

// dreamWhole converts a dream to its output form, with its items.
func dreamWhole(ctx context.Context, env *operation.Env, d strata.Dream) (Dream, error) {
	out := dreamOf(d)
	view := env.View
	view.Scopes = []strata.Scope{d.Scope}
	for _, it := range d.Items {
		item := DreamItem{Outcome: string(it.Outcome), Memory: it.Memory, With: it.With, Reason: it.Reason, Score: it.Score,
			Recalls: it.Recalls, Questions: it.Questions, Days: it.Days}
		var err error
		if item.Text, err = saysNow(ctx, env, view, it.Memory); err != nil {
			return out, err
		}
		if item.WithText, err = saysNow(ctx, env, view, it.With); err != nil {
			return out, err
		}
		out.Items = append(out.Items, item)
	}
	return out, nil
}

// saysNow returns the text of the newest version of a fact; empty if it is gone or not a
// fact.
func saysNow(ctx context.Context, env *operation.Env, view strata.View, memory string) (string, error) {
	if memory == "" {
		return "", nil
	}
	versions, err := env.Engine.Fact(ctx, view, memory)
	switch {
	case strata.CodeOf(err) == strata.CodeNotFound:
		return "", nil
	case err != nil:
		return "", err
	}
	return versions[len(versions)-1].Text, nil
}

// DreamTriggerIn is the input of dream_trigger.
type DreamTriggerIn struct {
	Force bool `json:"force,omitempty" doc:"do not wait for the time and the sessions between two dreams"`
}

// Dreamt reports the outcome of a request to dream.
type Dreamt struct {
	Dreams []DreamRun `json:"dreams" doc:"one for each scope in view that owns anything"`
}

// Rows returns the scopes, for output line by line.
func (d Dreamt) Rows() []any { return operation.Rows(d.Dreams) }

// DreamRun is the outcome in one scope.
type DreamRun struct {
	Scope    string `json:"scope" doc:"whose dream it is"`
	Dream    *Dream `json:"dream,omitempty" doc:"what was done; left out if a gate was closed"`
	Repeated bool   `json:"repeated,omitempty" doc:"it is the previous dream, which began less than a minute ago"`
	Gate     string `json:"gate,omitempty" doc:"the gate that was closed: enabled, time, sessions or lease"`
	Reason   string `json:"reason,omitempty" doc:"how far that gate is from opening"`
	Hint     string `json:"hint,omitempty" doc:"how to open the gate"`
	Waiting  string `json:"waiting,omitempty" doc:"why MEMORY.md and DREAMS.md are not updated yet"`
}

func dreamTrigger() operation.Operation {
	return operation.Op[DreamTriggerIn, Dreamt]{
		Info: operation.Info{
			Name: "dream_trigger", Family: familyDream, Summary: "Consolidate memory now",
			Description: "Runs a dream in each scope in view: facts that were asked for again and again rise into MEMORY.md, facts that nobody asks for sink " +
				"out of it, and DREAMS.md says why for each. It works even if dreams do not begin by themselves. Without force it waits for a day " +
				"since the last dream, and for five sessions or 50 new facts.",
			Examples: []operation.Example{{Doc: "if it is time", Input: `{}`}, {Doc: "now", Input: `{"force": true}`}},
		},
		Handle: triggerDream,
	}
}

func triggerDream(ctx context.Context, env *operation.Env, in DreamTriggerIn) (Dreamt, error) {
	out := Dreamt{Dreams: []DreamRun{}}
	owning, err := env.Engine.Scopes(ctx)
	if err != nil {
		return out, err
	}
	trigger := strata.DreamAsked
	if in.Force {
		trigger = strata.DreamForced
	}
	for _, s := range env.View.Scopes {
		if !slices.Contains(owning, s) {
			continue
		}
		res, err := env.Engine.Dream(ctx, s, trigger)
		if err != nil {
			return out, err
		}
		run, err := dreamRun(ctx, env, res)
		if err != nil {
			return out, err
		}
		out.Dreams = append(out.Dreams, run)
	}
	return out, nil
}

func dreamRun(ctx context.Context, env *operation.Env, res dream.Result) (DreamRun, error) {
	out := DreamRun{Scope: res.Scope.Key(), Repeated: res.Repeated}
	if res.Closed != nil {
		out.Gate, out.Reason, out.Hint = string(res.Closed.Name), res.Closed.Reason, res.Closed.Hint
	}
	if res.Waiting != nil {
		out.Waiting = strata.MessageOf(res.Waiting)
	}
	if res.Dream == nil {
		return out, nil
	}
	now, err := env.Engine.DreamOf(ctx, res.Scope.View(), res.Dream.ID) // includes what happened to the files
	if err != nil {
		return out, err
	}
	whole, err := dreamWhole(ctx, env, now)
	out.Dream = &whole
	return out, err
}

// DreamStatus says how far scopes are from their next dream.
type DreamStatus struct {
	Scopes []DreamState `json:"scopes" doc:"one for each scope in view"`
}

// Rows returns the scopes, for output line by line.
func (d DreamStatus) Rows() []any { return operation.Rows(d.Scopes) }

// DreamState says how far one scope is from its next dream.
type DreamState struct {
	Scope      string `json:"scope" doc:"canonical key"`
	Promotions int    `json:"promotions" doc:"facts in MEMORY.md"`
	Last       *Dream `json:"last,omitempty" doc:"the last dream; left out if there was none"`
	Dreaming   bool   `json:"dreaming,omitempty" doc:"a dream is running"`
	Gate       string `json:"gate,omitempty" doc:"the gate that keeps it from dreaming by itself now: enabled, time or sessions"`
	Reason     string `json:"reason,omitempty" doc:"how far that gate is from opening"`
}

func dreamStatus() operation.Operation {
	return operation.Op[operation.None, DreamStatus]{
		Info: operation.Info{
			Name: "dream_status", Family: familyDream, Summary: "Show when memory dreams next", ReadOnly: true,
			Description: "Says for each scope in view when it last dreamed, which gate keeps it from dreaming by itself now, and how many facts are in " +
				"MEMORY.md.",
			Examples: []operation.Example{{Doc: "show it", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (DreamStatus, error) {
			list, err := env.Engine.DreamStates(ctx, env.View)
			return DreamStatus{operation.Each(list, dreamStateOf)}, err
		},
	}
}

func dreamStateOf(s dream.State) DreamState {
	out := DreamState{Scope: s.Scope.Key(), Promotions: s.Promotions, Dreaming: s.Dreaming}
	if s.Last != nil {
		last := dreamOf(*s.Last)
		out.Last = &last
	}
	if s.Closed != nil {
		out.Gate, out.Reason = string(s.Closed.Name), s.Closed.Reason
	}
	return out
}

// DreamsIn is the input of dream_list.
type DreamsIn struct {
	Limit int `json:"limit,omitempty" short:"n" default:"20" range:"1-10000" doc:"most dreams of each scope"`
}

// Dreams lists dreams.
type Dreams struct {
	Dreams []Dream `json:"dreams" doc:"newest first, scope by scope"`
}

// Rows returns the dreams, for output line by line.
func (d Dreams) Rows() []any { return operation.Rows(d.Dreams) }

func dreamList() operation.Operation {
	return operation.Op[DreamsIn, Dreams]{
		Info: operation.Info{
			Name: "dream_list", Family: familyDream, Summary: "List dreams", ReadOnly: true,
			Examples: []operation.Example{{Doc: "the last five", Input: `{"limit": 5}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in DreamsIn) (Dreams, error) {
			list, err := env.Engine.Dreams(ctx, env.View, in.Limit)
			return Dreams{operation.Each(list, dreamOf)}, err
		},
	}
}

// DreamIn is the input of dream_show.
type DreamIn struct {
	ID string `json:"id" opt:"arg,required" values:"dream" doc:"id of the dream"`
}

func dreamShow() operation.Operation {
	return operation.Op[DreamIn, Dream]{
		Info: operation.Info{
			Name: "dream_show", Family: familyDream, Summary: "Show a dream and why each memory rose, sank or stayed", ReadOnly: true,
			Examples: []operation.Example{{Doc: "show one", Input: `{"id": "dream_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in DreamIn) (Dream, error) {
			d, err := env.Engine.DreamOf(ctx, env.View, in.ID)
			if err != nil {
				return Dream{}, err
			}
			return dreamWhole(ctx, env, d)
		},
	}
}

func dreamRetry() operation.Operation {
	return operation.Op[DreamIn, Dreamt]{
		Info: operation.Info{
			Name: "dream_retry", Family: familyDream, Summary: "Run a failed dream again",
			Description: "Runs a dream again in the scope of a failed one, without waiting for time and sessions. It is a conflict if the dream did not fail, " +
				"or if a later one did its work.",
			Examples: []operation.Example{{Doc: "retry one", Input: `{"id": "dream_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in DreamIn) (Dreamt, error) {
			res, err := env.Engine.RetryDream(ctx, env.View, in.ID)
			if err != nil {
				return Dreamt{}, err
			}
			run, err := dreamRun(ctx, env, res)
			return Dreamt{Dreams: []DreamRun{run}}, err
		},
	}
}
