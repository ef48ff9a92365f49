package ops

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/salience"
)

// Fact is a version of a fact.
type Fact struct {
	ID           string        `json:"id" doc:"stays the same through updates"`
	Text         string        `json:"text" doc:"the statement"`
	Type         strata.Type   `json:"type" doc:"user, feedback, project or reference"`
	Category     string        `json:"category" doc:"the group it belongs to"`
	Scope        string        `json:"scope" doc:"who owns it"`
	Current      bool          `json:"current" doc:"this version is believed now"`
	Generation   int64         `json:"generation" doc:"version, from 1"`
	Entity       string        `json:"entity,omitempty" doc:"what it is about, if it fills a slot"`
	Attribute    string        `json:"attribute,omitempty" doc:"which property it states, if it fills a slot"`
	Tags         []string      `json:"tags,omitempty" doc:"concepts found in the text"`
	Sources      []string      `json:"sources,omitempty" doc:"ids of the turns it was learned from"`
	Confidence   float64       `json:"confidence" doc:"how sure its proposer was, from 0 to 1"`
	Origin       strata.Origin `json:"origin" doc:"who proposed it"`
	ValidFrom    *time.Time    `json:"valid_from,omitempty" doc:"when it starts to hold, if it says so"`
	ValidTo      *time.Time    `json:"valid_to,omitempty" doc:"when it stops holding, if it says so"`
	Verbatim     bool          `json:"verbatim,omitempty" doc:"kept in the speaker's own words, because no rule could read them"`
	RecordedAt   time.Time     `json:"recorded_at" doc:"when this version was committed"`
	RetiredAt    *time.Time    `json:"retired_at,omitempty" doc:"when this version stopped being current"`
	Supersedes   string        `json:"supersedes,omitempty" doc:"fact it replaced"`
	SupersededBy string        `json:"superseded_by,omitempty" doc:"fact that replaced it"`
	Standing     string        `json:"standing" doc:"once, or confirmed: said again in another session, or agreed to"`
	Accesses     int           `json:"accesses" doc:"times it was returned to someone who asked"`
	LastAccess   *time.Time    `json:"last_access,omitempty" doc:"when it was last returned"`
}

// factOf converts a fact to its output form.
func factOf(f strata.Fact) Fact {
	out := Fact{
		ID: f.ID, Text: f.Text, Type: f.Type, Category: f.Category, Scope: f.Scope.Key(), Current: f.Current(),
		Generation: f.Generation, Entity: f.Entity, Attribute: f.Attribute, Tags: f.Tags, Sources: f.Sources,
		Confidence: f.Confidence, Origin: f.Origin, ValidFrom: f.ValidFrom, ValidTo: f.ValidTo, Verbatim: f.Verbatim, RecordedAt: f.RecordedAt, RetiredAt: f.RetiredAt,
		Supersedes: f.Supersedes, SupersededBy: f.SupersededBy, Standing: string(f.Standing()), Accesses: f.Accesses,
	}
	if !f.LastAccess.IsZero() {
		out.LastAccess = &f.LastAccess
	}
	return out
}

// FactsIn is the input of facts.
type FactsIn struct {
	IDs      []string    `json:"ids,omitempty" opt:"arg" values:"fact" doc:"only these facts"`
	Type     strata.Type `json:"type,omitempty" short:"t" enum:"user,feedback,project,reference" doc:"only facts of this type"`
	Category string      `json:"category,omitempty" short:"c" values:"category" doc:"only facts of this category"`
	Retired  bool        `json:"retired,omitempty" doc:"include versions that are no longer current"`
	AsOf     string      `json:"as_of,omitempty" doc:"as recorded at that time: a date, RFC 3339 time or words such as last week"`
	After    string      `json:"after,omitempty" values:"fact" doc:"id to continue after, for paging"`
	Limit    int         `json:"limit,omitempty" short:"n" default:"100" range:"1-10000" doc:"most facts"`
	Move     string      `json:"move,omitempty" values:"scope" doc:"move them to this scope: global, workspace, agent, agent:global or a key"`
	Note     string      `json:"note,omitempty" doc:"the caller's own reason for a move, kept with the decisions"`
	DryRun   bool        `json:"dry_run,omitempty" doc:"say what a move would decide and change nothing"`
}

// Facts lists facts.
type Facts struct {
	Facts     []Fact  `json:"facts" doc:"newest first, scope by scope; for a move, as they were before it"`
	Decisions []Saved `json:"decisions,omitempty" doc:"of a move, one for each fact, in the same order"`
}

// Rows returns the facts, or the decisions of a move, for output line by line.
func (f Facts) Rows() []any {
	if len(f.Decisions) > 0 {
		return operation.Rows(f.Decisions)
	}
	return operation.Rows(f.Facts)
}

func facts() operation.Operation {
	return operation.Op[FactsIn, Facts]{
		Info: operation.Info{
			Name:    "facts",
			Command: "fact list",
			Summary: "List facts, or move them to another scope",
			Description: "Lists the facts that are believed now, newest first, scope by scope. With move, the facts that are named or selected (by type, " +
				"category or scope) go to another scope, with one decision each. If the same slot is filled there, the later value stays. The fact " +
				"here is no longer believed and stays in the history; reverting the decision brings it back.",
			ChangesWith: "move",
			Examples: []operation.Example{
				{Doc: "the newest facts", Input: `{}`},
				{Doc: "facts of one category", Input: `{"category": "pets", "limit": 20}`},
				{Doc: "including what is no longer believed", Input: `{"retired": true}`},
				{Doc: "move a fact to this project", Input: `{"ids": ["fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"], "move": "workspace"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in FactsIn) (Facts, error) {
			list, err := in.list(ctx, env)
			if err != nil || in.Move == "" {
				return Facts{Facts: operation.Each(list, factOf)}, err
			}
			return in.move(ctx, env, list)
		},
	}
}

// FactIn is the input of fact.
type FactIn struct {
	ID string `json:"id" opt:"arg,required" values:"fact" doc:"id of the fact"`
}

// FactVersions is one fact with its history.
type FactVersions struct {
	ID       string  `json:"id" doc:"id of the fact"`
	Versions []Fact  `json:"versions" doc:"all versions, oldest first"`
	Salience float64 `json:"salience" doc:"how useful it was lately, from 0 to 1"`
	Turns    []Turn  `json:"turns" doc:"visible turns that its versions were learned from"`
}

// Rows returns the versions, for output line by line.
func (f FactVersions) Rows() []any { return operation.Rows(f.Versions) }

func fact() operation.Operation {
	return operation.Op[FactIn, FactVersions]{
		Info: operation.Info{
			Name:     "fact",
			Command:  "fact show",
			Summary:  "Show a fact with all its versions",
			ReadOnly: true,
			Examples: []operation.Example{{Doc: "show a fact", Input: `{"id": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in FactIn) (FactVersions, error) {
			list, err := env.Engine.Fact(ctx, env.View, in.ID)
			if err != nil {
				return FactVersions{}, err
			}
			newest := list[len(list)-1]
			out := FactVersions{ID: in.ID, Versions: operation.Each(list, factOf), Turns: []Turn{}, Salience: salience.Score(env.Engine.Now(), salience.Signal{
				Type: string(newest.Type), Accesses: newest.Accesses, LastAccess: newest.LastAccess, Created: newest.RecordedAt,
			})}
			return out, out.addTurns(ctx, env)
		},
	}
}

// addTurns adds the turns that the versions were learned from, in the order in which the
// versions name them.
func (f *FactVersions) addTurns(ctx context.Context, env *operation.Env) error {
	var ids []string
	for _, v := range f.Versions {
		for _, id := range v.Sources {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	found, err := env.Engine.SourceTurns(ctx, env.View, ids)
	for _, id := range ids {
		if t, ok := found[id]; ok {
			f.Turns = append(f.Turns, turnOf(t))
		}
	}
	return err
}

// list returns the facts that the input names or selects.
func (in FactsIn) list(ctx context.Context, env *operation.Env) ([]strata.Fact, error) {
	asOf, err := env.OptionalTime("as_of", in.AsOf)
	if err != nil {
		return nil, err
	}
	if len(in.IDs) == 0 {
		return env.Engine.Facts(ctx, env.View, strata.FactFilter{
			Type: in.Type, Category: in.Category, Retired: in.Retired, AsOf: asOf, After: in.After, Limit: in.Limit,
		})
	}
	if in.Type != "" || in.Category != "" || in.Retired || asOf != nil || in.After != "" {
		return nil, strata.Invalid("facts", "facts are both named and selected", "give ids, or a filter")
	}
	var list []strata.Fact
	for _, id := range in.IDs {
		versions, err := env.Engine.Fact(ctx, env.View, id)
		if strata.CodeOf(err) == strata.CodeNotFound && !strings.HasPrefix(id, "fact_") {
			return nil, strata.Invalid("facts", operation.Clip(id)+" is not the id of a fact", "strata fact show ID shows one with its history")
		}
		if err != nil {
			return nil, err
		}
		list = append(list, versions[len(versions)-1])
	}
	return list, nil
}

// move moves a list of facts to the named scope. It skips facts that a filter selected
// and that are in that scope already.
func (in FactsIn) move(ctx context.Context, env *operation.Env, list []strata.Fact) (Facts, error) {
	to, err := env.Target(ctx, in.Move)
	switch {
	case err != nil:
		return Facts{}, err
	case in.Retired || in.AsOf != "":
		return Facts{}, strata.Invalid("facts", "only facts that are believed now can be moved", "leave retired and as_of out")
	case len(in.IDs) == 0 && in.Type == "" && in.Category == "" && env.Scope.IsZero():
		return Facts{}, strata.Invalid("facts", "the facts to move are neither named nor selected", "name them by their ids, or select them by type, category or scope")
	case len(in.IDs) == 0:
		list = slices.DeleteFunc(list, func(f strata.Fact) bool { return f.Scope == to })
	}
	if len(list) == 0 {
		return Facts{Facts: []Fact{}}, nil
	}
	decided, err := env.Engine.MoveFacts(ctx, env.View, to, operation.Each(list, func(f strata.Fact) string { return f.ID }), engine.MoveOptions{
		DryRun: in.DryRun, Origin: env.Origin, Agent: env.Agent, Reason: in.Note,
	})
	if err != nil {
		return Facts{}, err
	}
	out := Facts{Facts: operation.Each(list, factOf), Decisions: operation.Each(decided, savedOf)}
	for i := range out.Decisions {
		out.Decisions[i].DryRun = in.DryRun
		out.Decisions[i].Replaced = "" // the text is the same
	}
	return out, nil
}
