package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/home/homedir"
	"github.com/strata-memory/strata/internal/ops/upkeep"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
)

// seeToDamage does the part of doctor and reindex that must happen before memory is
// opened, because a damaged home cannot be opened, or must not be written to. done
// reports whether that was everything.
func (a *app) seeToDamage(ctx context.Context, name string) (done bool, err error) {
	if name != "doctor" && name != "reindex" {
		return false, nil
	}
	progress := a.out.Progress(name)
	defer progress.Finish()
	report := func(done, total int64) {
		if total >= manyPages && done < total {
			progress.Report(done, total)
		}
	}
	if name == "reindex" {
		mended, err := local.Mend(ctx, a.home(), report)
		if strata.CodeOf(err) == strata.CodeNotFound || strata.CodeOf(err) == strata.CodeReadOnly {
			return false, nil
		}
		if mended {
			a.out.Note("the database was damaged; derived data is made anew, and nothing else was lost")
		}
		return false, err
	}
	problems, err := local.Examine(ctx, a.home(), report)
	if strata.CodeOf(err) == strata.CodeNotFound && homedir.LostDatabase(a.home()) {
		problems, err = []store.Problem{noDatabase(a.home())}, nil
	}
	if strata.CodeOf(err) == strata.CodeNotFound {
		if _, statErr := os.Stat(local.Database(a.home())); statErr == nil {
			a.out.Note("the creation of this home was interrupted before anything was stored; finishing it")
		}
		return false, nil // a new home is sound
	}
	if err != nil || len(problems) == 0 {
		return false, err
	}
	progress.Finish()
	out := upkeep.Checkup{Problems: append(upkeep.Problems(problems), a.settingsProblems()...)}
	return true, a.out.Print(out)
}

// noDatabase returns the problem of a home whose database is gone.
func noDatabase(home string) store.Problem {
	return store.Problem{Kind: "no_database", Ref: local.Database(home), Repair: "strata restore FILE --replace",
		Detail: "the database is gone or empty, but files of a memory are left; without a backup, the next command begins a new database and takes in notes and other files"}
}

// settingsProblems returns the problems of config.toml, for a command that works without
// it.
func (a *app) settingsProblems() []upkeep.Problem {
	if a.badSettings == nil {
		return nil
	}
	path := filepath.Join(a.home(), config.FileName)
	return []upkeep.Problem{{Kind: "damaged_settings", Ref: path, Detail: a.badSettings.Error(), Repair: "mv " + path + " " + path + ".damaged"}}
}

// manyPages is the number of database pages from which progress is shown.
const manyPages = 10_000

// salvageOutput is the output of strata salvage.
type salvageOutput struct {
	Home     string           `json:"home"`               // the new home
	Rows     map[string]int64 `json:"rows"`               // rows that were kept, by table
	Restored int64            `json:"restored,omitempty"` // rows that were reconstructed
	Files    int64            `json:"files"`              // files that were copied
	Passages int64            `json:"passages"`           // passages that were indexed
	Lost     []store.Problem  `json:"lost"`               // what could not be read or kept
	Unread   []string         `json:"unread,omitempty"`   // files that could not be read
	Problems []store.Problem  `json:"problems"`           // of the new home
}

// String returns the report for people.
func (s salvageOutput) String() string {
	lost := problemTexts(s.Lost)
	for _, name := range s.Unread {
		lost = append(lost, "file "+name+" cannot be read")
	}
	if len(lost) == 0 {
		lost = []string{"nothing"}
	}
	return fmt.Sprintf("salvaged  %s: %s, %s, %s indexed\n", terminal.Clean(s.Home), output.Count(rowsOf(s.Rows), "row"), output.Count(s.Files, "file"),
		output.Count(s.Passages, "passage")) + homeText(s.Rows, "lost", lost, s.Problems)
}

// Failure returns an error if the new home has problems.
func (s salvageOutput) Failure() error { return homeFailure("salvage", s.Home, s.Problems) }

// newSalvageCommand returns the command salvage, which creates a new home from a damaged
// one without opening memory.
func newSalvageCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "salvage NEWHOME",
		Short: "Make a new home from all that can be read of a damaged one",
		Long: "Make a new home from all that can be read of a damaged one.\n\n" +
			"Reads the home row by row, around the damaged parts, and writes what it finds into NEWHOME, a directory that does not\n" +
			"exist yet: the database, with the same ids, and all other files. It makes derived data anew and checks the new home.\n" +
			"Then it lists what is lost. It only reads the old home; move that away once the new one is right.\n\n" +
			"With -o json it prints an object with home, rows, restored, files, passages, lost, unread, problems.",
		Example: "  # save what can be saved\n  strata salvage ~/strata-new\n  # from another home\n  strata salvage --home /backup/home ~/strata-new",
		GroupID: groupMaintain,
		Args:    cmdline.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := a.salvage(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.out.Print(out)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
}

func (a *app) salvage(ctx context.Context, newHome string) (salvageOutput, error) {
	progress := a.out.Progress("salvage")
	defer progress.Finish()
	s, err := backup.Salvage(ctx, a.home(), newHome, progress.Report)
	return salvageOutput{Home: s.Home, Rows: s.Rows, Restored: s.Restored, Files: s.Files, Passages: s.Passages,
		Lost: append([]store.Problem{}, s.LeftOut...), Unread: s.Unread, Problems: append([]store.Problem{}, s.Problems...)}, err
}
