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
	Entity       string        `json:"entity,omitempty" doc:"what it speaks of, when it fills a slot"`
	Attribute    string        `json:"attribute,omitempty" doc:"which property it states, when it fills a slot"`
	Tags         []string      `json:"tags,omitempty" doc:"concepts found in the text"`
	Sources      []string      `json:"sources,omitempty" doc:"ids of the turns it was learnt from"`
	Confidence   float64       `json:"confidence" doc:"of whoever proposed it, from 0 to 1"`
	Origin       strata.Origin `json:"origin" doc:"who proposed it"`
	ValidFrom    *time.Time    `json:"valid_from,omitempty" doc:"since when it holds, where it says so"`
	ValidTo      *time.Time    `json:"valid_to,omitempty" doc:"until when it holds, where it says so"`
	Verbatim     bool          `json:"verbatim,omitempty" doc:"kept in the speaker's own words, because no rule could read them"`
	RecordedAt   time.Time     `json:"recorded_at" doc:"when this version was committed"`
	RetiredAt    *time.Time    `json:"retired_at,omitempty" doc:"when this version stopped being current"`
	Supersedes   string        `json:"supersedes,omitempty" doc:"fact whose place it took"`
	SupersededBy string        `json:"superseded_by,omitempty" doc:"fact that took its place"`
	Standing     string        `json:"standing" doc:"once, or confirmed: said again in another session, or agreed to"`
	Accesses     int           `json:"accesses" doc:"times it was returned to somebody who asked"`
	LastAccess   *time.Time    `json:"last_access,omitempty" doc:"when that was last"`
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
	IDs      []string    `json:"ids,omitempty" opt:"arg" values:"fact" doc:"these facts only"`
	Type     strata.Type `json:"type,omitempty" short:"t" enum:"user,feedback,project,reference" doc:"facts of this type only"`
	Category string      `json:"category,omitempty" short:"c" values:"category" doc:"facts of this category only"`
	Retired  bool        `json:"retired,omitempty" doc:"also versions that are no longer current"`
	AsOf     string      `json:"as_of,omitempty" doc:"as recorded at that time, as a date, RFC 3339 time or words such as last week"`
	After    string      `json:"after,omitempty" values:"fact" doc:"id after which to go on, for paging"`
	Limit    int         `json:"limit,omitempty" short:"n" default:"100" range:"1-10000" doc:"most facts"`
	Move     string      `json:"move,omitempty" values:"scope" doc:"move them to this scope: global, workspace, agent, agent:global or a key"`
	Note     string      `json:"note,omitempty" doc:"of a move: the caller's own reason, kept with the decisions"`
	DryRun   bool        `json:"dry_run,omitempty" doc:"of a move: say what would be decided and change nothing"`
}

// Facts lists facts.
type Facts struct {
	Facts     []Fact  `json:"facts" doc:"newest first, scope by scope; of a move, as they were"`
	Decisions []Saved `json:"decisions,omitempty" doc:"of a move: one for each fact, in the same order"`
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
			Description: "Lists the facts that are believed now, newest first, scope by scope. With move, those that are named or selected " +
				"(by type, category or the scope they are in) go to another scope, by one decision each. A slot there keeps one value, the later. " +
				"The fact here is no longer believed and stays in the history; a revert of the decision brings it back.",
			ChangesWith: "move",
			Examples: []operation.Example{
				{Doc: "the newest facts", Input: `{}`},
				{Doc: "those of one category", Input: `{"category": "pets", "limit": 20}`},
				{Doc: "with what is no longer believed", Input: `{"retired": true}`},
				{Doc: "a fact that belongs to this project", Input: `{"ids": ["fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"], "move": "workspace"}`},
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
	ID       string  `json:"id" doc:"of the fact"`
	Versions []Fact  `json:"versions" doc:"all versions, oldest first"`
	Salience float64 `json:"salience" doc:"how much it was of use lately, from 0 to 1"`
	Turns    []Turn  `json:"turns" doc:"those that its versions were learnt from, as far as they are in sight"`
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
			return nil, strata.Invalid("facts", operation.Clip(id)+" is no id of a fact", "strata fact show ID shows one with its history")
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
		return Facts{}, strata.Invalid("facts", "only what is believed now can be moved", "leave retired and as_of out")
	case len(in.IDs) == 0 && in.Type == "" && in.Category == "" && env.Scope.IsZero():
		return Facts{}, strata.Invalid("facts", "nothing says which facts to move", "name them by their ids, or select them by type, category or the scope they are in")
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
