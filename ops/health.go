package ops

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/embedding"
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

// Rows are the scopes, for output line by line.
func (s Scopes) Rows() []any { return rows(s.Scopes) }

func scopes() Operation {
	return Op[None, Scopes]{
		Info: Info{
			Name: "scopes", Summary: "List the scopes that own anything", ReadOnly: true,
			Examples: []Example{{Doc: "list them", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *Env, _ None) (Scopes, error) {
			list, err := env.Engine.Scopes(ctx)
			return Scopes{each(list, func(s strata.Scope) ScopeRow { return ScopeRow{s.Key()} })}, err
		},
	}
}

// Stats counts what scopes own.
type Stats struct {
	Scopes   []ScopeStats `json:"scopes" doc:"one for each scope"`
	Bytes    int64        `json:"bytes" doc:"size of the database file"`
	Embedder string       `json:"embedder,omitempty" doc:"model whose vectors serve"`
	Next     *NextModel   `json:"next_embedder,omitempty" doc:"model that is to follow it, while its vectors are made"`
}

// NextModel is an embedding model on its way.
type NextModel struct {
	Model string `json:"model" doc:"name of the model"`
	Done  int64  `json:"done" doc:"memories that were seen to"`
	Total int64  `json:"total" doc:"memories there were when it was named"`
	Ready bool   `json:"ready" doc:"whether the model is at hand here"`
}

// nextModel is the model on its way; nil if there is none.
func nextModel(r embedding.Report) *NextModel {
	if r.Target == "" {
		return nil
	}
	return &NextModel{Model: r.Target, Done: r.Done, Total: r.Total, Ready: r.TargetReady}
}

// Rows are the scopes, for output line by line.
func (s Stats) Rows() []any { return rows(s.Scopes) }

// ScopeStats counts what one scope owns.
type ScopeStats struct {
	Scope      string `json:"scope" doc:"canonical key"`
	Facts      int64  `json:"facts" doc:"current facts"`
	Retired    int64  `json:"retired" doc:"versions that are no longer current"`
	Categories int64  `json:"categories" doc:"groups of facts"`
	Turns      int64  `json:"turns" doc:"messages"`
	Sessions   int64  `json:"sessions" doc:"conversations"`
	Decisions  int64  `json:"decisions" doc:"what became of requests to change memory"`
	Pending    int64  `json:"pending_files" doc:"decisions whose files are outstanding"`
	Unembedded int64  `json:"pending_vectors" doc:"memories that wait for their vector"`
	Unexported int64  `json:"pending_transcripts" doc:"closed conversations whose transcript is outstanding"`
	Learnings  int64  `json:"learnings" doc:"lessons from failures and corrections"`
	Outcomes   int64  `json:"outcomes" doc:"runs of tools kept"`
	Snapshots  int64  `json:"snapshots" doc:"what conversations were given about memory"`
	Images     int64  `json:"images" doc:"of messages"`
	Tombstones int64  `json:"tombstones" doc:"texts forgotten for good"`
	Recalls    int64  `json:"recalls" doc:"recall events kept"`
	Vectors    int64  `json:"vectors" doc:"of all models"`
	Change     int64  `json:"change" doc:"last change number"`
}

// scopeStatsOf shows the counts of a scope.
func scopeStatsOf(s store.Stats) ScopeStats {
	return ScopeStats{
		Scope: s.Scope.Key(), Facts: s.Facts, Retired: s.Retired, Categories: s.Categories, Turns: s.Turns,
		Sessions: s.Sessions, Decisions: s.Decisions, Pending: s.Pending, Unembedded: s.Unembedded,
		Unexported: s.Unexported, Learnings: s.Learnings, Outcomes: s.Outcomes, Snapshots: s.Snapshots, Images: s.Images,
		Tombstones: s.Tombstones, Recalls: s.Recalls, Vectors: s.Vectors, Change: s.Change,
	}
}

// counted counts what each scope of the home owns, or the one that was named.
func counted(ctx context.Context, env *Env) ([]store.Stats, error) {
	view := strata.View{Scopes: env.scopes()}
	if view.Scopes == nil {
		all, err := env.Engine.Scopes(ctx)
		if err != nil {
			return nil, err
		}
		if view.Scopes = all; len(all) == 0 {
			view = strata.Global().View()
		}
	}
	return env.Engine.Stats(ctx, view)
}

func stats() Operation {
	return Op[None, Stats]{
		Info: Info{
			Name:        "stats",
			Summary:     "Count what memory holds",
			Description: "Counts every scope of the home, or the one that was named.",
			ReadOnly:    true,
			Examples:    []Example{{Doc: "count", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *Env, _ None) (Stats, error) {
			list, err := counted(ctx, env)
			if err != nil {
				return Stats{}, err
			}
			models, err := env.Engine.Embedding(ctx)
			if err != nil {
				return Stats{}, err
			}
			out := Stats{Scopes: each(list, scopeStatsOf), Embedder: models.Serving, Next: nextModel(models)}
			if len(list) > 0 {
				out.Bytes = list[0].Bytes // the file is that of all scopes
			}
			return out, nil
		},
	}
}

// Checkup is what doctor found.
type Checkup struct {
	Problems []Problem  `json:"problems" doc:"what is wrong; empty when all is well"`
	Scopes   int        `json:"scopes" doc:"scopes that were looked at"`
	Facts    int64      `json:"facts" doc:"facts that were looked at"`
	Turns    int64      `json:"turns" doc:"turns that were looked at"`
	Waiting  int64      `json:"waiting" doc:"vectors, files and transcripts that are outstanding: work under way, not damage"`
	Next     *NextModel `json:"next_embedder,omitempty" doc:"embedding model that is to follow, while its vectors are made"`
	// Misplaced facts harm nobody's database; they show where they do not belong.
	Misplaced []Misplaced `json:"misplaced,omitempty" doc:"facts about a project that lie in the global scope, where every project sees them; 100 at most"`
	Copies    []string    `json:"copies,omitempty" doc:"files beside the database that hold it as it was before this version changed its schema; forget removes them"`
}

// Misplaced is a fact that is in another scope than its type belongs to.
type Misplaced struct {
	ID    string `json:"id" doc:"of the fact"`
	Text  string `json:"text" doc:"the statement"`
	Scope string `json:"scope" doc:"where it is"`
	Move  string `json:"move" doc:"command that moves it to the project in whose directory it is run"`
}

// misplaced finds what is about a project and lies in the global scope: kept
// there by earlier versions where there was no repository, or on purpose.
func misplaced(ctx context.Context, env *Env) ([]Misplaced, error) {
	list, err := env.Engine.Facts(ctx, strata.Global().View(), strata.FactFilter{Type: strata.TypeProject, Limit: 100})
	return each(list, func(f strata.Fact) Misplaced {
		return Misplaced{ID: f.ID, Text: f.Text, Scope: f.Scope.Key(), Move: "strata facts " + f.ID + " --move workspace"}
	}), err
}

// Rows are the problems, for output line by line.
func (c Checkup) Rows() []any { return rows(c.Problems) }

// Problem is one thing that is wrong.
type Problem struct {
	Kind   string `json:"kind" doc:"permanent short name"`
	Scope  string `json:"scope,omitempty" doc:"where"`
	Ref    string `json:"ref,omitempty" doc:"id of what is wrong"`
	Detail string `json:"detail" doc:"what is wrong"`
	Repair string `json:"repair,omitempty" doc:"command that mends it; left out where a backup is needed"`
}

// Failure is the error a checkup with problems amounts to; nil without any.
func (c Checkup) Failure() error {
	if len(c.Problems) == 0 {
		return nil
	}
	hint := "follow the repair of each problem"
	for _, p := range c.Problems {
		if p.Repair == "" {
			hint += "; where there is none, restore a backup or export what can be read"
			break
		}
	}
	return &strata.Error{
		Code: strata.CodeCorrupt, Op: "doctor", Hint: hint,
		Message: fmt.Sprintf("found %s", count(len(c.Problems), "problem")),
	}
}

// count writes a number with its noun: "1 problem", "2 problems".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func doctor() Operation {
	return Op[None, Checkup]{
		Info: Info{
			Name:    "doctor",
			Summary: "Look for damage",
			Description: "Checks the database and that everything derived agrees with facts and turns, and gives freed space back. " +
				"It changes no memory. It fails with code corrupt when it finds a problem. Facts about a project in the global scope " +
				"are listed with the command that moves each; they are no problem.",
			ReadOnly: true,
			Examples: []Example{{Doc: "check the home", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *Env, _ None) (Checkup, error) {
			r, err := env.Engine.Doctor(ctx)
			if err != nil {
				return Checkup{}, err
			}
			out := Checkup{
				Problems: each(r.Problems, func(p store.Problem) Problem { return Problem(p) }), Scopes: r.Scopes,
				Facts: r.Facts, Turns: r.Turns, Waiting: r.Waiting, Next: nextModel(r.Embedding), Copies: r.Copies,
			}
			if len(out.Problems) > 0 {
				return out, nil // facts may not be readable
			}
			out.Misplaced, err = misplaced(ctx, env)
			return out, err
		},
	}
}
