package upkeep

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/base/workdir"
	"github.com/strata-memory/strata/internal/connect"
	"github.com/strata-memory/strata/internal/home/homedir"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/store"
)

// Stats counts what the scopes own.
type Stats struct {
	Scopes   []ScopeStats `json:"scopes" doc:"one for each scope"`
	Bytes    int64        `json:"bytes" doc:"size of the database file"`
	Archived int          `json:"archived" doc:"sessions whose turns are in compressed files"`
	// ArchiveBytes is what a disk budget prunes first.
	ArchiveBytes int64      `json:"archive_bytes" doc:"size of these files"`
	DiskBudget   int64      `json:"disk_budget,omitempty" doc:"how many bytes the database and these files may take; beyond that the oldest files go, never facts"`
	Embedder     string     `json:"embedder,omitempty" doc:"model whose vectors are used"`
	Next         *NextModel `json:"next_embedder,omitempty" doc:"model that will replace it, while its vectors are made"`
	Model        ModelUse   `json:"model" doc:"use of models today, in UTC, for memory's own work"`
	Days         int        `json:"days" doc:"the window that asked covers"`
}

// ModelUse is the use of models on a day, and its limits.
type ModelUse struct {
	Calls     int64 `json:"calls" doc:"calls that were made"`
	MaxCalls  int64 `json:"max_calls,omitempty" doc:"calls that may be made; left out if there is no limit"`
	Tokens    int64 `json:"tokens" doc:"tokens of requests and answers"`
	MaxTokens int64 `json:"max_tokens,omitempty" doc:"tokens that may be used; left out if there is no limit"`
	Refused   int64 `json:"refused" doc:"calls not made because of these limits"`
}

// StatsIn is the input of stats.
type StatsIn struct {
	Days int `json:"days,omitempty" default:"30" range:"1-36500" doc:"count what was asked in this many days"`
}

// Tag is a concept tag.
type Tag struct {
	Tag   string `json:"tag" doc:"the concept"`
	Facts int64  `json:"facts" doc:"current facts about it"`
}

// topTags is how many tags are listed.
const topTags = 10

// NextModel is the embedding model that is to replace the current one.
type NextModel struct {
	Model string `json:"model" doc:"name of the model"`
	Done  int64  `json:"done" doc:"memories that are done"`
	Total int64  `json:"total" doc:"memories there were when the model was chosen"`
	Ready bool   `json:"ready" doc:"whether the model is available here"`
}

// nextModel returns the embedding model being switched to, or nil.
func nextModel(r embedding.Report) *NextModel {
	if r.Target == "" {
		return nil
	}
	return &NextModel{Model: r.Target, Done: r.Done, Total: r.Total, Ready: r.TargetReady}
}

// Rows returns the scopes, for output line by line.
func (s Stats) Rows() []any { return operation.Rows(s.Scopes) }

// ScopeStats counts what one scope owns.
type ScopeStats struct {
	Scope      string `json:"scope" doc:"canonical key"`
	Facts      int64  `json:"facts" doc:"current facts"`
	Retired    int64  `json:"retired" doc:"versions that are no longer current"`
	Categories int64  `json:"categories" doc:"groups of facts"`
	Turns      int64  `json:"turns" doc:"messages"`
	Sessions   int64  `json:"sessions" doc:"conversations"`
	Decisions  int64  `json:"decisions" doc:"what became of requests to change memory"`
	Pending    int64  `json:"pending_files" doc:"decisions whose files are not written yet"`
	Unembedded int64  `json:"pending_vectors" doc:"memories that wait for their vector"`
	Unexported int64  `json:"pending_transcripts" doc:"closed conversations whose transcript is not written yet"`
	Learnings  int64  `json:"learnings" doc:"learnings from failures and corrections"`
	Outcomes   int64  `json:"outcomes" doc:"runs of tools kept"`
	Snapshots  int64  `json:"snapshots" doc:"what conversations were told about memory"`
	Images     int64  `json:"images" doc:"images of messages"`
	Tombstones int64  `json:"tombstones" doc:"facts and files forgotten for good"`
	Recalls    int64  `json:"recalls" doc:"recall events kept"`
	Vectors    int64  `json:"vectors" doc:"vectors of all models"`
	Change     int64  `json:"change" doc:"last change number"`
	Promotions int64  `json:"promotions" doc:"facts that dreams put into MEMORY.md and that are still there"`
	Asked      int    `json:"asked" doc:"hits shown to somebody who asked, in the window"`
	Tags       []Tag  `json:"tags" doc:"concept tags of current facts, the most frequent first; 10 at most"`
	// LastDream is when the scope last dreamed.
	LastDream *time.Time `json:"last_dream,omitempty" doc:"when it last dreamed"`
}

// scopeStatsOf converts the counts of a scope to their output form.
func scopeStatsOf(s store.Stats) ScopeStats {
	return ScopeStats{
		Scope: s.Scope.Key(), Facts: s.Facts, Retired: s.Retired, Categories: s.Categories, Turns: s.Turns,
		Sessions: s.Sessions, Decisions: s.Decisions, Pending: s.Pending, Unembedded: s.Unembedded,
		Unexported: s.Unexported, Learnings: s.Learnings, Outcomes: s.Outcomes, Snapshots: s.Snapshots, Images: s.Images,
		Tombstones: s.Tombstones, Recalls: s.Recalls, Vectors: s.Vectors, Change: s.Change,
		Promotions: s.Promotions,
	}
}

// addUse adds how the scope is used.
func (s *ScopeStats) addUse(ctx context.Context, env *operation.Env, scope strata.Scope, days int) error {
	list, err := env.Engine.Use(ctx, scope.View(), time.Duration(days)*24*time.Hour, topTags)
	for _, u := range list {
		s.Asked, s.LastDream = u.Recalls, u.LastDream
		s.Tags = operation.Each(u.Tags, func(c store.TagCount) Tag { return Tag{c.Tag, c.Facts} })
	}
	return err
}

// counted counts what each scope of the home owns, or only the named one.
func counted(ctx context.Context, env *operation.Env) ([]store.Stats, error) {
	view, err := env.Everything(ctx)
	if err != nil {
		return nil, err
	}
	return env.Engine.Stats(ctx, view)
}

func stats() operation.Operation {
	return operation.Op[StatsIn, Stats]{
		Info: operation.Info{
			Name:    "stats",
			Summary: "Count what memory holds",
			Description: "Counts what every scope of the home, or the named one, holds, what was asked lately, its concepts, and what dreams put into " +
				"MEMORY.md.",
			ReadOnly:  true,
			WholeHome: true,
			Examples:  []operation.Example{{Doc: "count", Input: `{}`}, {Doc: "with what was asked in a week", Input: `{"days": 7}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in StatsIn) (Stats, error) {
			list, err := counted(ctx, env)
			if err != nil {
				return Stats{}, err
			}
			models, err := env.Engine.Embedding(ctx)
			if err != nil {
				return Stats{}, err
			}
			out := Stats{Scopes: operation.Each(list, scopeStatsOf), Embedder: models.Serving, Next: nextModel(models), Days: in.Days}
			for i, s := range list {
				if err := out.Scopes[i].addUse(ctx, env, s.Scope, in.Days); err != nil {
					return Stats{}, err
				}
			}
			disk, err := env.Engine.DiskUse(ctx)
			if err != nil {
				return Stats{}, err
			}
			use, err := env.Engine.ModelUse(ctx)
			if err != nil {
				return Stats{}, err
			}
			out.Model = ModelUse{Calls: use.Calls, MaxCalls: use.Limits.Calls, Tokens: use.Tokens, MaxTokens: use.Limits.Tokens, Refused: use.Refused}
			out.Archived, out.ArchiveBytes, out.DiskBudget = disk.Sessions, disk.Archives, disk.Budget
			if len(list) > 0 {
				out.Bytes = list[0].Bytes // all scopes share one file
			}
			return out, nil
		},
	}
}

// Checkup is the result of doctor.
type Checkup struct {
	Problems []Problem  `json:"problems" doc:"what is wrong; empty when all is well"`
	Scopes   int        `json:"scopes" doc:"scopes that were looked at"`
	Facts    int64      `json:"facts" doc:"facts that were looked at"`
	Turns    int64      `json:"turns" doc:"turns that were looked at"`
	Waiting  int64      `json:"waiting" doc:"vectors, files and transcripts still to be made: work under way, not damage"`
	Next     *NextModel `json:"next_embedder,omitempty" doc:"embedding model that will take over, while its vectors are made"`
	// Misplaced facts are no damage to the database; they appear where they do not
	// belong.
	Misplaced []Misplaced `json:"misplaced,omitempty" doc:"facts about a project in the global scope, where every project sees them; 100 at most"`
	Copies    []string    `json:"copies,omitempty" doc:"copies of the database beside it, from before this version changed its schema, and automatic backups; forget removes them"`
	Foreign   int         `json:"foreign,omitempty" doc:"files that came with a repository and are not trusted; strata trust shows those of the current project"`
	GivenUp   []Waiting   `json:"given_up,omitempty" doc:"sessions from which facts could not be extracted; strata extractor retry reads them again; 100 at most"`
	// Loose files and unfinished restores are not damage either.
	Loose      []LooseFile `json:"loose,omitempty" doc:"files and directories of the home and the workspace that other users may access; 1,000 at most"`
	Mended     bool        `json:"mended,omitempty" doc:"other users' permissions were removed, and so were unfinished restores"`
	Unfinished []string    `json:"unfinished,omitempty" doc:"directories beside the home that killed restores left"`
	// Agents are not part of memory; their problems keep it from being used.
	Agents []Agent `json:"agents,omitempty" doc:"agents whose configuration has an entry for Strata"`
	// Workspace notes what is unusual about the current directory, and is no damage
	// either.
	Workspace []string `json:"workspace,omitempty" doc:"what to know about the current directory, such as a .git that leads to a repository that does not know it"`
}

// Agent is a program whose configuration has an entry of Strata.
type Agent struct {
	Client string `json:"client" doc:"name by which strata connect knows it"`
	Name   string `json:"name" doc:"name for people"`
	File   string `json:"file" doc:"its configuration"`
	Fault  string `json:"fault,omitempty" doc:"why it cannot reach this memory; left out if it can"`
	Repair string `json:"repair,omitempty" doc:"command that repairs it"`
}

// connected checks the agents that this machine's user has connected.
func connected(home string) []Agent {
	sys, err := connect.ThisSystem()
	if err != nil || home == "" {
		return nil // the user's directory or the home is unknown
	}
	return operation.Each(connect.Check(sys, home), func(c connect.Connection) Agent {
		a := Agent{Client: c.Client.ID, Name: c.Client.Name, File: c.File, Fault: c.Fault}
		if c.Again {
			a.Repair = "strata connect " + c.Client.ID
		}
		return a
	})
}

// DoctorIn says what doctor does besides checking.
type DoctorIn struct {
	Repair bool `json:"repair,omitempty" doc:"remove other users' permissions on files of memory and what killed restores left, and acknowledge a database that was begun anew"`
}

// LooseFile is a file or directory that other users have access to.
type LooseFile struct {
	Path string `json:"path" doc:"where it is"`
	Mode string `json:"mode" doc:"its permissions, in octal"`
	Want string `json:"want" doc:"permissions that it should have"`
}

// mostLoose bounds the list of loose files.
const mostLoose = 1000

// outside checks the files of the home and the workspace, and fixes what it finds if
// repair is set. It returns an error if something cannot be fixed.
func (c *Checkup) outside(place operation.Place, repair bool) error {
	const op = "doctor"
	if place.Home == "" {
		return nil // the front end does not know the directory
	}
	loose, err := findLoose(place.Home)
	if files := filepath.Join(place.Root, ".strata"); err == nil && place.Root != "" && files != filepath.Clean(place.Home) {
		var more []looseFile
		more, err = findLoose(files)
		loose = append(loose, more...)
	}
	if err != nil {
		return &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: "the files of memory cannot be listed", Err: err}
	}
	c.Loose = operation.Each(loose[:min(len(loose), mostLoose)], func(f looseFile) LooseFile {
		return LooseFile{Path: f.Path, Mode: fmt.Sprintf("%04o", f.Mode), Want: fmt.Sprintf("%04o", f.own())}
	})
	home, err := filepath.EvalSymlinks(place.Home)
	if err != nil {
		return nil // a home that does not exist has nothing beside it
	}
	if repair {
		err = homedir.ForgetBegun(home)
	}
	parent, prefix := workdir.OfRestore(home)
	c.Unfinished, _ = workdir.Left(parent, prefix) // the parent directory may not be readable
	if !repair || err == nil && len(loose)+len(c.Unfinished) == 0 {
		return nil
	}
	_, mendErr := mendLoose(loose)
	if err = errors.Join(err, mendErr, workdir.Sweep(parent, prefix)); err != nil {
		return diskfault.Explain(&strata.Error{Code: strata.CodeDenied, Op: op, Message: "not all files of memory can be repaired", Err: err,
			Hint: "run it as their owner"}, place.Home)
	}
	c.Mended = true
	return nil
}

// Misplaced is a fact in another scope than its type calls for.
type Misplaced struct {
	ID    string `json:"id" doc:"id of the fact"`
	Text  string `json:"text" doc:"the statement"`
	Scope string `json:"scope" doc:"where it is"`
	Move  string `json:"move" doc:"command that moves it to the project, run in the project's directory"`
}

// misplaced finds facts about a project in the global scope: stored there on purpose, or
// by earlier versions outside of a repository.
func misplaced(ctx context.Context, env *operation.Env) ([]Misplaced, error) {
	list, err := env.Engine.Facts(ctx, strata.Global().View(), strata.FactFilter{Type: strata.TypeProject, Limit: 100})
	return operation.Each(list, func(f strata.Fact) Misplaced {
		return Misplaced{ID: f.ID, Text: f.Text, Scope: f.Scope.Key(), Move: "strata fact list " + f.ID + " --move workspace"}
	}), err
}

// Rows returns the problems, for output line by line.
func (c Checkup) Rows() []any { return operation.Rows(c.Problems) }

// Problem is one thing that is wrong.
type Problem struct {
	Kind   string `json:"kind" doc:"permanent short name"`
	Scope  string `json:"scope,omitempty" doc:"where"`
	Ref    string `json:"ref,omitempty" doc:"id of what is wrong"`
	Detail string `json:"detail" doc:"what is wrong"`
	Repair string `json:"repair,omitempty" doc:"command that repairs it; left out if it takes a backup"`
}

// Failure returns an error if the checkup found problems, and nil otherwise.
func (c Checkup) Failure() error {
	if len(c.Problems) == 0 {
		return nil
	}
	hint := "run the repair of each problem"
	for _, p := range c.Problems {
		if p.Repair == "" {
			hint += "; if it has none, restore a backup or export what can be read"
			break
		}
	}
	return &strata.Error{
		Code: strata.CodeCorrupt, Op: "doctor", Hint: hint,
		Message: fmt.Sprintf("found %s", count(len(c.Problems), "problem")),
	}
}

// count formats a number with its noun: "1 problem", "2 problems".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func doctor() operation.Operation {
	return operation.Op[DoctorIn, Checkup]{
		Info: operation.Info{
			Name:    "doctor",
			Summary: "Look for damage",
			Description: "Reads every page and row of the database, compares them with their checksums, and checks that everything derived agrees with facts " +
				"and turns. It changes no memory; if all is well, it gives freed space back. If something is damaged, it says what and how to repair " +
				"it, and fails with code corrupt. It also lists what does not count as a problem: facts about a project in the global scope, with the" +
				" command that moves each; files that other users may access, which repair changes; and agents whose configuration has an entry for " +
				"Strata, with what keeps it from working.",
			ChangesWith: "repair",
			WholeHome:   true,
			Examples:    []operation.Example{{Doc: "check the home", Input: `{}`}, {Doc: "remove other users' permissions on its files", Input: `{"repair": true}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in DoctorIn) (Checkup, error) {
			r, err := env.Engine.Doctor(ctx, env.Progress)
			if err != nil {
				return Checkup{}, err
			}
			out := Checkup{
				Problems: Problems(r.Problems), Scopes: r.Scopes,
				Facts: r.Facts, Turns: r.Turns, Waiting: r.Waiting, Next: nextModel(r.Embedding), Copies: r.Copies,
			}
			if err := out.outside(env.Place, in.Repair); err != nil {
				return out, err
			}
			out.Agents, out.Workspace = connected(env.Place.Home), env.Place.Notes
			if len(out.Problems) > 0 {
				return out, nil // the facts may not be readable
			}
			if out.Misplaced, err = misplaced(ctx, env); err != nil {
				return out, err
			}
			foreign, err := notTrusted(ctx, env, env.View)
			if err != nil {
				return out, err
			}
			for _, c := range foreign {
				out.Foreign += c.Count
			}
			given, err := env.Engine.Extractor().Pending(ctx, store.ExtractionFilter{Dead: true})
			if len(given) > 0 {
				out.GivenUp = operation.Each(given, waitingOf)
			}
			return out, err
		},
	}
}
