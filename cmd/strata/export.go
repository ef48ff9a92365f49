package main

import (
	"context"
	"fmt"
	"io"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/internal/backup/transfer"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/upkeep"
	"github.com/strata-memory/strata/store"
)

// exportWhole writes an export that works without open memory: a full one, and any export
// of a damaged home, which skips what cannot be read. It returns done false if the export
// is of neither kind.
func (c *opCommand) exportWhole(ctx context.Context, w io.Writer) (done bool, out upkeep.Exported, err error) {
	a := c.app
	if c.full && a.cfg.Get(config.Scope) != "" {
		return false, out, strata.Invalid("export", "--full exports all scopes", "leave out --scope or --full")
	}
	progress := a.out.Progress("export")
	defer progress.Finish()
	sound, err := backup.Sound(ctx, a.home(), func(done, total int64) {
		if total >= manyPages && done < total {
			progress.Report(done, total)
		}
	})
	if err != nil || sound && !c.full {
		return false, out, err
	}
	var written transfer.Exported
	if sound {
		written, err = backup.ExportFull(ctx, a.home(), w, progress.Report)
	} else {
		written, err = backup.ExportDamaged(ctx, a.home(), c.full, func(st store.Store) ([]strata.Scope, error) { return a.scopesIn(ctx, st) }, w, progress.Report)
	}
	out = upkeep.NewExported(written)
	out.Full = c.full
	return true, out, err
}

// scopesIn returns the named scope, resolved in a store; nil if none was named.
func (a *app) scopesIn(ctx context.Context, st store.Store) ([]strata.Scope, error) {
	named := a.cfg.Get(config.Scope)
	if named == "" {
		return nil, nil
	}
	found, err := a.findWorkspace()
	if err == nil && found.ID == "" && found.Key != "" {
		found.ID, err = store.Read(ctx, st, func(r store.Reader) (string, error) { return store.KnownWorkspace(ctx, r, found.Keys()...) })
	}
	if err != nil {
		return nil, err
	}
	scope, err := operation.ParseScope(named, found.ID, a.cfg.Get(config.Agent))
	return []strata.Scope{scope}, err
}

// importedHome is the output of an import of a full export.
type importedHome struct {
	Home     string           `json:"home"`
	Rows     map[string]int64 `json:"rows"` // by table
	Files    int64            `json:"files"`
	Passages int64            `json:"passages"` // passages that were indexed
	LeftOut  []store.Problem  `json:"left_out"` // missing from the new home
	Problems []store.Problem  `json:"problems"` // of the new home
	DryRun   bool             `json:"dry_run,omitempty"`
}

// String returns the report for people.
func (i importedHome) String() string {
	verb := "imported"
	if i.DryRun {
		verb = "would import"
	}
	return fmt.Sprintf("%s  %s: %s, %s\n", verb, terminal.Clean(i.Home), output.Count(rowsOf(i.Rows), "row"), output.Count(i.Files, "file")) +
		homeText(i.Rows, "left out", problemTexts(i.LeftOut), i.Problems)
}

// Failure returns an error if the import is incomplete.
func (i importedHome) Failure() error {
	if len(i.Problems) == 0 && len(i.LeftOut) > 0 {
		return &strata.Error{Code: strata.CodeIncomplete, Op: opImport, Message: "the new home lacks what the export left out or what is damaged in it",
			Hint: "the list above names it; import a complete export into another home, or restore a backup"}
	}
	return homeFailure(opImport, i.Home, i.Problems)
}

// importFull creates a home from a full export.
func (c *opCommand) importFull(ctx context.Context, in io.Reader) error {
	a := c.app
	dryRun, _ := c.field("dry_run")
	dry := dryRun.Get(c.in) == true
	progress := a.out.Progress("import")
	defer progress.Finish()
	l, err := backup.Import(ctx, backup.ImportOptions{Home: a.home(), DryRun: dry, Progress: progress.Report}, in)
	progress.Finish()
	if err != nil {
		return err
	}
	return a.out.Print(importedHome{Home: a.home(), Rows: l.Rows, Files: l.Files, Passages: l.Passages, DryRun: dry,
		LeftOut: append([]store.Problem{}, l.LeftOut...), Problems: append([]store.Problem{}, l.Problems...)})
}
