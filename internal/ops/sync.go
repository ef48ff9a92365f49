package ops

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/handedit"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// Synced reports what was found in the files of the current scopes.
type Synced struct {
	Scopes  int           `json:"scopes" doc:"scopes that have a directory here"`
	Added   int64         `json:"added" doc:"new files"`
	Updated int64         `json:"updated" doc:"files that were edited"`
	Deleted int64         `json:"deleted" doc:"files that are gone"`
	Changes []HandEdit    `json:"changes" doc:"what was changed by hand since the last look"`
	Skipped []SkippedFile `json:"skipped,omitempty" doc:"files that memory cannot take in as they are"`
	Away    []SkippedFile `json:"away,omitempty" doc:"directories that cannot be read, or whose files are all gone at once; nothing there counts as deleted"`
	DryRun  bool          `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// Rows returns the changes, for output line by line.
func (s Synced) Rows() []any { return operation.Rows(s.Changes) }

// HandEdit is a change that somebody made to a file.
type HandEdit struct {
	Decision   strata.Op `json:"decision" doc:"add, update or delete"`
	DecisionID string    `json:"decision_id,omitempty" doc:"the decision, for decision and revert; left out with dry_run"`
	Scope      string    `json:"scope" doc:"who owns it"`
	Path       string    `json:"path" doc:"path of the file"`
	Problem    string    `json:"problem,omitempty" doc:"what is wrong with the file as it is now"`
	Renamed    string    `json:"renamed_from,omitempty" doc:"path of the file before it was renamed"`
}

// SkippedFile is a file or directory that was skipped.
type SkippedFile struct {
	Scope  string `json:"scope" doc:"who owns it"`
	Path   string `json:"path,omitempty" doc:"path of the file; left out for the directory of the scope"`
	Reason string `json:"reason" doc:"why"`
}

// skippedOf converts skipped files to their output form.
func skippedOf(list []documents.File) []SkippedFile {
	var out []SkippedFile
	for _, f := range list {
		out = append(out, SkippedFile{Scope: f.Scope.Key(), Path: f.Path, Reason: f.Reason})
	}
	return out
}

// syncedOf converts a report to its output form.
func syncedOf(r handedit.Report) Synced {
	return Synced{
		Scopes: r.Scopes, Added: r.Added, Updated: r.Updated, Deleted: r.Deleted,
		Skipped: skippedOf(r.Skipped), Away: skippedOf(r.Away),
		Changes: operation.Each(r.Changes, func(c handedit.Change) HandEdit {
			return HandEdit{Decision: c.Op, DecisionID: c.Decision, Scope: c.Scope.Key(), Path: c.Path, Problem: c.Reason, Renamed: c.RenamedFrom}
		}),
	}
}

// SyncIn is the input of sync.
type SyncIn struct {
	DryRun bool `json:"dry_run,omitempty" doc:"say what would be taken in and change nothing"`
}

func syncOp() operation.Operation {
	return operation.Op[SyncIn, Synced]{
		Info: operation.Info{
			Name: "sync", Summary: "Take in changes made to files by hand",
			Description: "Looks for new files, edits and deletions in the directories of the scopes in view, and names files that cannot be taken in. Each " +
				"change becomes a decision that can be listed and reverted. Every command takes such changes in when it begins; this one shows them.",
			Examples: []operation.Example{
				{Doc: "look", Input: `{}`},
				{Doc: "see what it would take in", Input: `{"dry_run": true}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in SyncIn) (Synced, error) {
			look := env.Engine.Sync
			if in.DryRun {
				look = env.Engine.PreviewSync
			}
			r, err := look(ctx, env.View)
			if err != nil {
				return Synced{}, err
			}
			out := syncedOf(r)
			out.DryRun = in.DryRun
			return out, nil
		},
	}
}
