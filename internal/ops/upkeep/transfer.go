package upkeep

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/backup/transfer"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/store"
)

// Reindexed reports what was rebuilt.
type Reindexed struct {
	Scopes   int   `json:"scopes" doc:"scopes whose index was rebuilt"`
	Passages int64 `json:"passages" doc:"facts, turns and sections of files that were indexed"`
	Vectors  int64 `json:"vectors" doc:"vectors that were made"`
	Waiting  int64 `json:"waiting" doc:"memories whose vectors are still to be made; they keep their old ones"`
}

func reindex() operation.Operation {
	return operation.Op[operation.None, Reindexed]{
		Info: operation.Info{
			Name:    "reindex",
			Summary: "Rebuild the index from facts, turns and files",
			Description: "Rebuilds derived data (words, vectors, categories' vectors) in every scope of the home or in the named one. A vector stays until " +
				"another takes its place. No memory is lost, and recall keeps working.",
			WholeHome: true,
			Examples:  []operation.Example{{Doc: "rebuild", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (Reindexed, error) {
			report, err := env.Engine.Reindex(ctx, env.Scopes(), env.Advance)
			if err != nil {
				return Reindexed(report), err
			}
			return Reindexed(report), env.Engine.Regroup(ctx, env.Scopes()...)
		},
	}
}

// Exported reports what was written.
type Exported struct {
	Scopes    int   `json:"scopes" doc:"scopes that were written"`
	Sessions  int64 `json:"sessions" doc:"conversations"`
	Turns     int64 `json:"turns" doc:"messages"`
	Facts     int64 `json:"facts" doc:"versions of facts"`
	Decisions int64 `json:"decisions" doc:"decisions"`
	Learnings int64 `json:"learnings" doc:"learnings and runs of tools"`
	Documents int64 `json:"documents" doc:"files"`
	// Full means that the export is of a whole home.
	Full    bool      `json:"full,omitempty" doc:"with --full: true"`
	Files   int64     `json:"files,omitempty" doc:"with --full: files of the home"`
	Vectors int64     `json:"vectors,omitempty" doc:"with --full: vectors"`
	LeftOut []Problem `json:"left_out,omitempty" doc:"what could not be read and is not in the export"`
}

// NewExported converts the result of an export to its output form.
func NewExported(e transfer.Exported) Exported {
	rows := e.Rows
	return Exported{Scopes: int(rows["scope"]), Sessions: rows["session"], Turns: rows["turn"], Facts: rows["fact"], Decisions: rows["decision"],
		Learnings: rows["learning"] + rows["tool_outcome"], Documents: rows["document"], Files: e.Files, Vectors: rows["vector"],
		LeftOut: Problems(e.LeftOut)}
}

// Problems converts problems to their output form.
func Problems(list []store.Problem) []Problem {
	return operation.Each(list, func(p store.Problem) Problem { return Problem(p) })
}

// Failure returns an error if something was left out of the export, and nil if it is
// complete.
func (e Exported) Failure() error {
	if len(e.LeftOut) == 0 {
		return nil
	}
	return &strata.Error{Code: strata.CodeIncomplete, Op: "export", Message: "the export lacks " + count(len(e.LeftOut), "thing") + " that could not be read",
		Hint: "strata doctor says what is damaged; restore a backup, or run strata salvage NEWHOME"}
}

func export() operation.Operation {
	return operation.Op[operation.None, Exported]{
		Info: operation.Info{
			Name:    "export",
			Summary: "Write memory as JSON lines",
			Description: "Writes every scope of the home, or the named one, in the format of docs/formats/export.md: sessions, turns, learnings, all versions " +
				"of facts, files, decisions. It writes one consistent state, even while others save. With --full, strata export writes everything " +
				"that is in a home. What is damaged is left out and named in left_out, and the call fails with code incomplete.",
			ReadOnly: true,
			Writes:   "the JSON lines",
			Examples: []operation.Example{{Doc: "write to standard output", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (Exported, error) {
			report, err := env.Engine.Export(ctx, env.Scopes(), env.Out)
			return NewExported(report), err
		},
	}
}

// ImportIn is the input of import.
type ImportIn struct {
	DryRun bool `json:"dry_run,omitempty" doc:"read and check everything and change nothing"`
}

// Imported reports the outcome of an import.
type Imported struct {
	Facts     int64 `json:"facts" doc:"facts that were added, updated or took another's place"`
	Known     int64 `json:"known" doc:"what was there already"`
	Rejected  int64 `json:"rejected" doc:"facts and files that hold a secret"`
	Turns     int64 `json:"turns" doc:"messages that were added"`
	Learnings int64 `json:"learnings" doc:"learnings and runs of tools that were added"`
	Documents int64 `json:"documents" doc:"files that were added or changed"`
	Skipped   int64 `json:"skipped" doc:"former versions and decisions: history stays where it was made"`
	LeftOut   int64 `json:"left_out,omitempty" doc:"what the export says could not be read where it was made"`
	DryRun    bool  `json:"dry_run,omitempty" doc:"nothing was changed"`
}

func importOp() operation.Operation {
	return operation.Op[ImportIn, Imported]{
		Info: operation.Info{
			Name:    "import",
			Summary: "Read memory written by export",
			Description: "Adds the facts, conversations and learnings of an export to the scopes they were exported from. It leaves alone what is already " +
				"known, so an import can be repeated. What was forgotten here does not come back. The output of strata export --full becomes a home " +
				"with the same ids, if there is none yet.",
			Reads:     "the JSON lines",
			WholeHome: true,
			Examples: []operation.Example{
				{Doc: "check a file first", Input: `{"dry_run": true}`},
				{Doc: "import it", Input: `{}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in ImportIn) (Imported, error) {
			report, err := env.Engine.Import(ctx, env.In, transfer.Options{
				DryRun: in.DryRun, Progress: env.Advance,
			})
			return Imported{
				Facts: report.Facts, Known: report.Known, Rejected: report.Rejected, Turns: report.Turns,
				Learnings: report.Learnings, Documents: report.Documents, Skipped: report.Skipped, LeftOut: report.LeftOut, DryRun: in.DryRun,
			}, err
		},
	}
}

const familyBackup = "backup"

// BackupOperations are the operations that list the backups of a home and make one.
func BackupOperations() []operation.Operation {
	return []operation.Operation{backupList(), backupNow()}
}

// Backups are the backups that a home keeps.
type Backups struct {
	Backups []operation.Backup `json:"backups" doc:"the newest first"`
}

// Rows returns the backups, for output line by line.
func (b Backups) Rows() []any { return operation.Rows(b.Backups) }

func backupList() operation.Operation {
	return operation.Op[operation.None, Backups]{
		Info: operation.Info{
			Name: "backup_list", Family: familyBackup, Summary: "List the backups that the home keeps", ReadOnly: true,
			Description: "Lists the backups in the directory backups of the home. The home does not know backups written elsewhere.",
			WholeHome:   true,
			Examples:    []operation.Example{{Doc: "list them", Input: `{}`}},
		},
		Handle: func(_ context.Context, env *operation.Env, _ operation.None) (Backups, error) {
			if env.Backups == nil {
				return Backups{}, noBackups()
			}
			list, err := env.Backups.List()
			return Backups{append([]operation.Backup{}, list...)}, err
		},
	}
}

func backupNow() operation.Operation {
	return operation.Op[operation.None, operation.Backup]{
		Info: operation.Info{
			Name: "backup_now", Family: familyBackup, Summary: "Back the home up into its own directory",
			Description: "Writes the whole home into one file in its directory backups, while the home is in use, and reads the file back. The settings " +
				"backup_keep and backup_max_mib say how many stay; older ones are removed. restore turns one into a home again.",
			WholeHome: true,
			Examples:  []operation.Example{{Doc: "make one", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (operation.Backup, error) {
			if env.Backups == nil {
				return operation.Backup{}, noBackups()
			}
			return env.Backups.Make(ctx, env.Advance)
		},
	}
}

func noBackups() error {
	return &strata.Error{Code: strata.CodeUnsupported, Op: "backup", Message: "this memory keeps no backups of itself",
		Hint: "open the home with the program strata, or copy it with strata backup FILE"}
}
