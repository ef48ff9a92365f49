// Package status says where one is: which memory is at hand, what it holds, what was kept
// last, and what to do next.
package status

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/upkeep"
	"github.com/strata-memory/strata/workspace"
)

const (
	shownNewest   = 3 // facts, and notes, that were kept last
	shownConcerns = 3 // of what needs attention
)

// A Status is what strata alone prints.
type Status struct {
	Home     string           `json:"home"`              // directory that holds the memory
	Begun    bool             `json:"begun"`             // there is a memory in it
	Project  string           `json:"project,omitempty"` // directory whose memory is at hand
	Agent    string           `json:"agent,omitempty"`
	Scopes   []ops.ScopeThere `json:"scopes"`   // that are seen from here, the deepest first
	Newest   []ops.Fact       `json:"newest"`   // facts that were kept last
	Notes    []ops.Document   `json:"notes"`    // and notes that were changed last
	Concerns []upkeep.Concern `json:"concerns"` // what needs attention
	Next     []Step           `json:"next"`     // what to do
}

// A Step is a command that is of use now.
type Step struct {
	Command string `json:"command"`
	Does    string `json:"does"`
}

// initStep is of use in a project that has no memory in files.
var initStep = Step{"strata init", "give this project a memory in files"}

// Empty is the status of a home that is not there yet.
func Empty(home string) Status {
	return Status{
		Home: home, Scopes: []ops.ScopeThere{}, Newest: []ops.Fact{}, Notes: []ops.Document{}, Concerns: []upkeep.Concern{},
		Next: []Step{
			{`strata save "My cat's name is Whiskerino"`, "keep a statement"},
			{`strata recall "what is my cat called?"`, "find it again"},
			{"strata connect", "give your agents this memory"},
			initStep,
			{"strata demo", "watch a conversation being remembered"},
		},
	}
}

// Of is the status of the memory of env.
func Of(ctx context.Context, env *operation.Env) (Status, error) {
	there, err := ops.Run(ctx, env, "scope_show", &operation.None{})
	if err != nil {
		return Status{}, err
	}
	health, err := ops.Run(ctx, env, "health", &operation.None{})
	if err != nil {
		return Status{}, err
	}
	state := there.(ops.ScopeState)
	out := Status{Home: state.Home, Begun: true, Project: state.Root, Agent: state.Agent, Scopes: state.Scopes,
		Concerns: health.(upkeep.Health).Concerns}
	if out.Newest, err = newest(ctx, env); err != nil {
		return Status{}, err
	}
	if out.Notes, err = newestNotes(ctx, env); err != nil {
		return Status{}, err
	}
	out.Next = next(state, len(out.Newest)+len(out.Notes) > 0)
	return out, nil
}

// newest are the facts that were kept last, of all scopes that are seen.
func newest(ctx context.Context, env *operation.Env) ([]ops.Fact, error) {
	list := []ops.Fact{}
	for _, s := range env.View.Scopes {
		here := *env
		here.View = s.View()
		out, err := ops.Run(ctx, &here, "facts", &ops.FactsIn{Limit: shownNewest})
		if err != nil {
			return nil, err
		}
		list = append(list, out.(ops.Facts).Facts...)
	}
	slices.SortStableFunc(list, func(a, b ops.Fact) int { return b.RecordedAt.Compare(a.RecordedAt) })
	return list[:min(len(list), shownNewest)], nil
}

// newestNotes are the notes that were changed last.
func newestNotes(ctx context.Context, env *operation.Env) ([]ops.Document, error) {
	out, err := ops.Run(ctx, env, "note_list", &ops.NoteListIn{Kind: string(strata.DocumentNote), Limit: 100_000})
	if err != nil {
		return nil, err
	}
	list := out.(ops.Documents).Documents
	slices.SortStableFunc(list, func(a, b ops.Document) int { return b.ModifiedAt.Compare(a.ModifiedAt) })
	return list[:min(len(list), shownNewest)], nil
}

// next are the steps from here on.
func next(state ops.ScopeState, something bool) []Step {
	steps := Empty("").Next
	if something {
		steps = []Step{
			{`strata recall "QUESTION"`, "find what answers a question"},
			{"strata fact list", "see all that is kept"},
			{"strata connect", "give your agents this memory"},
			initStep,
		}
	}
	if state.Root == "" || state.Identity == workspace.SourceMarker { // no project, or it has one
		steps = slices.DeleteFunc(steps, func(s Step) bool { return s == initStep })
	}
	return append(steps, Step{"strata --help", "see every command"})
}

// Layout writes the status for people.
func (s Status) Layout(p *output.Page) {
	var r table.Record
	r.Add("home", s.Home)
	r.Add("project", s.Project)
	r.Add("agent", s.Agent)
	if !s.Begun {
		r.Add("holds", "nothing yet")
	}
	for _, t := range s.Scopes {
		r.Add("in "+p.Scope(t.Scope), holds(t))
	}
	p.Record(r)
	if len(s.Newest) > 0 {
		p.Printf("\n%s\n", p.Strong("Kept last"))
		p.Facts(s.Newest)
	}
	if len(s.Notes) > 0 {
		p.Printf("\n%s\n", p.Strong("Noted last"))
		p.Documents(s.Notes)
	}
	if len(s.Concerns) > 0 {
		p.Printf("\n%s\n", p.Strong("Needs attention"))
		for _, c := range s.Concerns[:min(len(s.Concerns), shownConcerns)] {
			p.Printf("%s  %s\n", c.Command, p.Faint(c.Detail))
		}
	}
	title := "Next"
	if !s.Begun {
		title = "Begin with"
	}
	p.Printf("\n%s\n", p.Strong(title))
	t := table.Table{Faint: map[int]bool{1: true}}
	for _, step := range s.Next {
		t.Add(step.Command, step.Does)
	}
	p.Table(t)
}

// holds says what a scope holds.
func holds(t ops.ScopeThere) string {
	text := output.Count(t.Facts, "fact") + ", " + output.Count(t.Notes, "note")
	if t.Sessions > 0 {
		text += ", " + output.Count(t.Sessions, "conversation")
	}
	return text
}
