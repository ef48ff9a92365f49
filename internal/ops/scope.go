package ops

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/store"
)

// Scopes lists scopes.
type Scopes struct {
	Scopes []ScopeRow `json:"scopes" doc:"every scope of the home that owns anything"`
}

// ScopeRow is a scope that owns something.
type ScopeRow struct {
	Scope string `json:"scope" doc:"canonical key, as accepted by --scope"`
}

// Rows returns the scopes, for output line by line.
func (s Scopes) Rows() []any { return operation.Rows(s.Scopes) }

func scopes() operation.Operation {
	return operation.Op[operation.None, Scopes]{
		Info: operation.Info{
			Name: "scopes", Summary: "List the scopes that own anything", ReadOnly: true,
			Examples: []operation.Example{{Doc: "list them", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (Scopes, error) {
			list, err := env.Engine.Scopes(ctx)
			list = slices.DeleteFunc(list, func(s strata.Scope) bool { return !env.Allows(s) })
			return Scopes{operation.Each(list, func(s strata.Scope) ScopeRow { return ScopeRow{s.Key()} })}, err
		},
	}
}

// ScopeState says where the caller is and what memory holds there.
type ScopeState struct {
	Workspace string       `json:"workspace,omitempty" doc:"id of the current workspace; left out without one"`
	Root      string       `json:"root,omitempty" doc:"directory of the workspace"`
	Identity  string       `json:"identity,omitempty" doc:"where the id comes from: workspace.toml, git, directory or id"`
	Key       string       `json:"key,omitempty" doc:"the key under which the home keeps the id; left out if the workspace keeps the id itself"`
	Agent     string       `json:"agent,omitempty" doc:"agent of the caller"`
	Home      string       `json:"home,omitempty" doc:"directory of the home"`
	Scopes    []ScopeThere `json:"scopes" doc:"visible scopes, deepest first"`
	Notes     []string     `json:"notes,omitempty" doc:"what a reader should know"`
}

// Rows returns the scopes, for output line by line.
func (s ScopeState) Rows() []any { return operation.Rows(s.Scopes) }

// ScopeThere is a scope with its directory and what it holds.
type ScopeThere struct {
	Scope     string        `json:"scope" doc:"canonical key"`
	Directory string        `json:"directory,omitempty" doc:"where its files are; left out if they have no place here"`
	Facts     int64         `json:"facts" doc:"current facts"`
	Documents int64         `json:"documents" doc:"files, including those of the system"`
	Notes     int64         `json:"notes" doc:"visible notes"`
	Shadowed  int64         `json:"shadowed,omitempty" doc:"notes that a deeper scope hides"`
	Proposals int64         `json:"proposals,omitempty" doc:"notes that wait in _inbox to be accepted"`
	Broken    int64         `json:"broken,omitempty" doc:"files with something wrong"`
	Foreign   int64         `json:"foreign,omitempty" doc:"files that came with a repository and are not trusted"`
	Turns     int64         `json:"turns" doc:"messages"`
	Sessions  int64         `json:"sessions" doc:"conversations"`
	Pending   int64         `json:"pending_files" doc:"decisions whose files are not written yet"`
	Commit    string        `json:"commit,omitempty" doc:"newest commit of its directory, 7 digits"`
	Subject   string        `json:"subject,omitempty" doc:"subject of that commit"`
	History   string        `json:"history,omitempty" doc:"what is wrong with the history, or that there is none"`
	Skipped   []SkippedFile `json:"skipped,omitempty" doc:"files that memory cannot take in as they are"`
	Away      string        `json:"away,omitempty" doc:"why the directory cannot be read"`
}

func scopeShow() operation.Operation {
	return operation.Op[operation.None, ScopeState]{
		Info: operation.Info{
			Name: "scope_show", Family: "scope", Summary: "Show where memory is kept here, and what it holds",
			Description: "Shows the current workspace and where its identity comes from, and for each visible scope: the directory, what it holds, what is " +
				"pending, and the state of its history.",
			ReadOnly: true,
			Examples: []operation.Example{{Doc: "show it", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (ScopeState, error) {
			out := ScopeState{
				Workspace: env.Workspace, Agent: env.Agent, Root: env.Place.Root, Identity: env.Place.Source, Key: env.Place.Key,
				Home: env.Place.Home, Notes: env.Place.Notes, Scopes: []ScopeThere{},
			}
			counts, err := env.Engine.Stats(ctx, env.View)
			if err != nil {
				return out, err
			}
			found, err := env.Engine.Sync(ctx, env.View)
			switch strata.CodeOf(err) {
			case "", strata.CodeReadOnly, strata.CodeFull, strata.CodeUnavailable: // show what is known
			default:
				return out, err
			}
			synced := syncedOf(found)
			documents, err := env.Engine.Documents(ctx, env.View, strata.DocumentFilter{System: true, Shadowed: true, Limit: 100_000})
			if err != nil {
				return out, err
			}
			for _, s := range env.View.Scopes {
				there := scopeThere(s, counts, documents)
				if env.Confined == nil {
					there.Directory, _ = env.Engine.Directory(s)
				}
				there.lookAtHistory(ctx, env, s)
				for _, f := range synced.Skipped {
					if f.Scope == there.Scope {
						there.Skipped = append(there.Skipped, f)
					}
				}
				if i := slices.IndexFunc(synced.Away, func(f SkippedFile) bool { return f.Scope == there.Scope }); i >= 0 {
					there.Away = synced.Away[i].Reason
				}
				out.Scopes = append(out.Scopes, there)
			}
			return out, nil
		},
	}
}

// scopeThere counts the content of a scope.
func scopeThere(s strata.Scope, counts []store.Stats, list []strata.Document) ScopeThere {
	out := ScopeThere{Scope: s.Key()}
	for _, c := range counts {
		if c.Scope == s {
			out.Facts, out.Turns, out.Sessions, out.Pending, out.Documents = c.Facts, c.Turns, c.Sessions, c.Pending, c.Documents
		}
	}
	for _, d := range list {
		if d.Scope != s {
			continue
		}
		switch {
		case documents.IsProposal(d.Path):
			out.Proposals++
		case d.Kind == strata.DocumentNote && d.Shadowed.IsZero():
			out.Notes++
		case d.Kind == strata.DocumentNote:
			out.Shadowed++
		}
		if d.Problem != "" {
			out.Broken++
		}
		if d.Foreign {
			out.Foreign++
		}
	}
	return out
}

// lookAtHistory fills in the newest commit in a scope's directory, or why there is none.
func (t *ScopeThere) lookAtHistory(ctx context.Context, env *operation.Env, s strata.Scope) {
	log, err := env.Engine.History(ctx, s, 1, false)
	switch code := strata.CodeOf(err); {
	case code == strata.CodeNotFound || code == strata.CodeUnavailable || err == nil && len(log.Commits) == 0 && log.Note == "":
		t.History = "nothing recorded yet"
	case code == strata.CodeUnsupported:
		t.History = "none is kept"
	case err != nil:
		t.History = err.Error()
	default:
		t.History = log.Note
		if len(log.Commits) > 0 {
			t.Commit, t.Subject = short(log.Commits[0].ID), log.Commits[0].Subject
		}
	}
}
