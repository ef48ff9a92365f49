package upkeep

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/queue"
	"github.com/strata-memory/strata/internal/home/homedir"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/store"
)

// Health lists what needs somebody's attention.
type Health struct {
	Concerns []Concern `json:"concerns" doc:"what needs attention; empty when nothing does"`
}

// Rows returns the concerns, for output line by line.
func (h Health) Rows() []any { return operation.Rows(h.Concerns) }

// Concern is one thing that needs attention.
type Concern struct {
	Kind    string `json:"kind" doc:"questions, given_up, dream_failed, set_aside, model_failed, misplaced, not_trusted, backup_old or database_begun"`
	Scope   string `json:"scope,omitempty" doc:"where; left out if it concerns the whole home"`
	Count   int    `json:"count" doc:"how many"`
	Detail  string `json:"detail" doc:"what it is"`
	Command string `json:"command" doc:"command that shows or settles it"`
}

// Bounds of what health reports.
const (
	mostConcerns = 1000
	// asideFor is how long something that was set aside is reported.
	asideFor = 30 * 24 * time.Hour
	// outageFor is how long the failure of a model that was not called since is reported.
	outageFor = 7 * 24 * time.Hour
	// backupAge is the age at which the newest automatic backup is too old: a daily one
	// was missed.
	backupAge = 48 * time.Hour
)

func health() operation.Operation {
	return operation.Op[operation.None, Health]{
		Info: operation.Info{
			Name: "health", Summary: "Sum up what needs attention", ReadOnly: true,
			Description: "Lists open questions, sessions that were given up, dreams that failed, what was set aside in the last 30 days because it could not " +
				"be used, models that do not answer, facts about a project in the global scope, files that came with a repository and are not " +
				"trusted, backups that are too old, and a database that was begun anew because the old one was gone, each with the command to run " +
				"next. It takes an instant; doctor reads every page and looks for damage.",
			Examples: []operation.Example{{Doc: "sum it up", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (Health, error) {
			out := Health{Concerns: append([]Concern{}, databaseBegun(env.Place.Home)...)}
			view, err := env.Everything(ctx)
			if err != nil {
				return out, err
			}
			for _, look := range []func(context.Context, *operation.Env, strata.View) ([]Concern, error){
				questionsOpen, extractionsGivenUp, dreamsFailed, setAside, modelsFailed, projectFactsInGlobal, notTrusted, backupsOld,
			} {
				found, err := look(ctx, env, view)
				if err != nil {
					return out, err
				}
				out.Concerns = append(out.Concerns, found...)
			}
			return out, nil
		},
	}
}

// databaseBegun reports whether the database replaced a lost one.
func databaseBegun(home string) []Concern {
	at := homedir.Begun(home)
	if home == "" || at.IsZero() {
		return []Concern{}
	}
	return []Concern{{Kind: "database_begun", Count: 1, Command: "strata restore FILE --replace",
		Detail: "the database was gone, and a new one was begun on " + at.Format(time.DateOnly) + " beside the files that were left; without a backup, strata doctor --repair settles it"}}
}

// perScope groups a list by scope and returns one concern per scope that has items, in
// the order of the view.
func perScope[T any](view strata.View, list []T, scopeOf func(T) strata.Scope, concern func(some []T) Concern) (out []Concern) {
	for _, s := range view.Scopes {
		var some []T
		for _, x := range list {
			if scopeOf(x) == s {
				some = append(some, x)
			}
		}
		if len(some) > 0 {
			c := concern(some)
			c.Scope, c.Count = s.Key(), len(some)
			out = append(out, c)
		}
	}
	return out
}

// notTrusted finds files that came with a repository.
func notTrusted(ctx context.Context, env *operation.Env, view strata.View) ([]Concern, error) {
	list, err := env.Engine.Documents(ctx, view, strata.DocumentFilter{Foreign: true, System: true, Shadowed: true, Limit: mostConcerns})
	return perScope(view, list, func(d strata.Document) strata.Scope { return d.Scope }, func(some []strata.Document) Concern {
		return Concern{Kind: "not_trusted", Detail: count(len(some), "file") + " that you have not trusted came with a repository", Command: "strata trust"}
	}), err
}

func questionsOpen(ctx context.Context, env *operation.Env, view strata.View) ([]Concern, error) {
	list, err := env.Engine.Questions(ctx, view, mostConcerns)
	return perScope(view, list, func(q strata.Question) strata.Scope { return q.Scope }, func(some []strata.Question) Concern {
		return Concern{Kind: "questions", Detail: "waiting for your answer: " + count(len(some), "contradiction"), Command: "strata questions"}
	}), err
}

func extractionsGivenUp(ctx context.Context, env *operation.Env, view strata.View) ([]Concern, error) {
	list, err := env.Engine.Extractor().Pending(ctx, store.ExtractionFilter{Scopes: view.Scopes, Dead: true, Limit: mostConcerns})
	return perScope(view, list, func(p queue.Pending) strata.Scope { return p.Scope }, func(some []queue.Pending) Concern {
		return Concern{Kind: "given_up", Detail: "no facts could be extracted from " + count(len(some), "session") + ": " + some[0].LastError, Command: "strata extractor retry"}
	}), err
}

func dreamsFailed(ctx context.Context, env *operation.Env, view strata.View) (out []Concern, err error) {
	list, err := env.Engine.DreamStates(ctx, view)
	for _, s := range list {
		if s.Last != nil && s.Last.Failure != "" {
			out = append(out, Concern{Kind: "dream_failed", Scope: s.Scope.Key(), Count: 1, Detail: "the last dream failed: " + s.Last.Failure,
				Command: "strata dream retry " + s.Last.ID})
		}
	}
	return out, err
}

func setAside(ctx context.Context, env *operation.Env, view strata.View) ([]Concern, error) {
	list, _, err := env.Engine.Events(ctx, view, store.EventFilter{
		Kinds: []string{strata.EventSetAside, strata.EventStateSetAside, strata.EventTranscriptSetAside},
		Since: env.Engine.Now().Add(-asideFor), Limit: mostConcerns,
	})
	return perScope(view, list, func(e strata.Event) strata.Scope { return e.Scope }, func(some []strata.Event) Concern {
		return Concern{Kind: "set_aside", Detail: "what could not be used was set aside: " + some[len(some)-1].Kind + " of " + some[len(some)-1].Ref, Command: "strata doctor"}
	}), err
}

func modelsFailed(ctx context.Context, env *operation.Env, _ strata.View) (out []Concern, err error) {
	list, err := env.Engine.ModelOutages(ctx)
	now := env.Engine.Now()
	for _, o := range list {
		if now.Sub(o.Last) < outageFor {
			out = append(out, Concern{Kind: "model_failed", Count: 1, Command: "strata events -k model",
				Detail: fmt.Sprintf("model %s has not answered since %s: %s", o.Model, o.Since.Format("2006-01-02 15:04 MST"), o.Code)})
		}
	}
	return out, err
}

func projectFactsInGlobal(ctx context.Context, env *operation.Env, view strata.View) ([]Concern, error) {
	list, err := misplaced(ctx, env)
	return perScope(view, list, func(Misplaced) strata.Scope { return strata.Global() }, func(some []Misplaced) Concern {
		return Concern{Kind: "misplaced", Detail: "about one project, but every project sees it: " + some[0].Text, Command: some[0].Move}
	}), err
}

// backupsOld checks the age of automatic backups. A home that has none reports nothing,
// because nobody asked for any.
func backupsOld(_ context.Context, env *operation.Env, _ strata.View) ([]Concern, error) {
	if env.Backups == nil {
		return nil, nil // the front end keeps none
	}
	list, err := env.Backups.List()
	if err != nil || len(list) == 0 {
		return nil, err
	}
	age := env.Engine.Now().Sub(list[0].Time)
	if age < backupAge {
		return nil, nil
	}
	return []Concern{{Kind: "backup_old", Count: len(list), Detail: fmt.Sprintf("the newest backup is %d days old", int(age/(24*time.Hour))), Command: "strata backup"}}, nil
}
