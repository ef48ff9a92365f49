// Package status summarizes the current state: which memory is in use, what it holds,
// what was saved last, and what to do next.
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
	shownNewest   = 3 // newest facts, and newest notes
	shownConcerns = 3 // things that need attention
)

// A Status is the output of strata without arguments.
type Status struct {
	Home     string           `json:"home"`              // directory that holds the memory
	Begun    bool             `json:"begun"`             // whether the directory holds a memory
	Project  string           `json:"project,omitempty"` // directory of the current project
	Agent    string           `json:"agent,omitempty"`
	Scopes   []ops.ScopeThere `json:"scopes"`   // scopes in view, deepest first
	Newest   []ops.Fact       `json:"newest"`   // facts saved last
	Notes    []ops.Document   `json:"notes"`    // notes changed last
	Concerns []upkeep.Concern `json:"concerns"` // what needs attention
	Next     []Step           `json:"next"`     // what to do next
}

// A Step is a command that is useful now.
type Step struct {
	Command string `json:"command"`
	Does    string `json:"does"`
}

// initStep is useful in a project without memory files.
var initStep = Step{"strata init", "give this project a memory in files"}

// Empty returns the status of a home that does not exist yet.
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

// Of returns the status of the memory of env.
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

// newest returns the facts saved last in all scopes in view.
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

// newestNotes returns the notes changed last.
func newestNotes(ctx context.Context, env *operation.Env) ([]ops.Document, error) {
	out, err := ops.Run(ctx, env, "note_list", &ops.NoteListIn{Kind: string(strata.DocumentNote), Limit: 100_000})
	if err != nil {
		return nil, err
	}
	list := out.(ops.Documents).Documents
	slices.SortStableFunc(list, func(a, b ops.Document) int { return b.ModifiedAt.Compare(a.ModifiedAt) })
	return list[:min(len(list), shownNewest)], nil
}

// next returns the commands that are useful next.
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
	if state.Root == "" || state.Identity == workspace.SourceMarker { // there is no project, or it already has files
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

// holds says what a scope contains.
func holds(t ops.ScopeThere) string {
	text := output.Count(t.Facts, "fact") + ", " + output.Count(t.Notes, "note")
	if t.Sessions > 0 {
		text += ", " + output.Count(t.Sessions, "conversation")
	}
	return text
}
