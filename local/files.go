package local

import (
	"context"
	"errors"
	"log/slog"
	"maps"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/home/homedir"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/workspace"
)

// tellBegun reports, through Notice and in the home, that a new database replaces one
// that was lost.
func (o *Options) tellBegun() error {
	if o.Notice != nil {
		o.Notice("the database of " + o.Home + " is gone: a new one is begun beside the files that are left; to restore a backup instead: strata restore FILE --replace")
	}
	if err := homedir.MarkBegun(o.Home); err != nil {
		return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "open store", Message: "the home cannot be written",
			Hint: "see that it is a directory", Err: err}, o.Home)
	}
	return nil
}

// place finds the id of the project and adds the project to the available workspaces. A
// home that sees the project for the first time makes up an id. If the home cannot be
// written or its disk is full, it has no memory of the project yet, and the id stays
// empty. The error of [workspace.Admit] means that nothing proves that the project is the
// one its id belongs to.
func (o *Options) place(ctx context.Context, st store.Store) error {
	err := workspace.Admit(o.Project, o.Home, func(id string, keys ...string) (bool, error) {
		return store.Read(ctx, st, func(r store.Reader) (bool, error) { return store.AdmitsWorkspace(ctx, r, id, keys...) })
	})
	if err != nil {
		return err
	}
	if o.Project.ID == "" {
		known, err := store.WorkspaceID(ctx, st, o.Project.Keys()...)
		if code := strata.CodeOf(err); err != nil && code != strata.CodeReadOnly && code != strata.CodeFull {
			return err
		}
		o.Project.ID = known
	}
	if o.Project.ID == "" || o.Project.Root == "" {
		return nil
	}
	o.Workspaces = maps.Clone(o.Workspaces)
	if o.Workspaces == nil {
		o.Workspaces = make(map[string]string)
	}
	o.Workspaces[o.Project.ID] = o.Project.Root
	return nil
}

// rootOf returns a function that finds the directory with the history of a scope. An
// agent in a workspace shares the history of the workspace.
func rootOf(tree *workspace.Tree) func(strata.Scope) (string, bool) {
	return func(scope strata.Scope) (string, bool) {
		if scope.Workspace != "" {
			scope = strata.InWorkspace(scope.Workspace)
		}
		return tree.Directory(scope)
	}
}

// look records the changes that people made to the available files since the last look.
func (o *Options) look(ctx context.Context, mem *engine.Engine) error {
	log := o.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	report, err := mem.SyncSettled(ctx, strata.ViewOf(o.Project.ID, o.Agent))
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), mem.Close())
	}
	if err != nil {
		log.Warn("what was done to files by hand is not taken in yet", "error", err)
	}
	for _, a := range report.Away {
		log.Warn("the files of a scope are not at hand", "scope", a.Scope.Key(), "reason", a.Reason)
	}
	for _, s := range report.Skipped {
		log.Debug("a file is no document", "scope", s.Scope.Key(), "path", s.Path, "reason", s.Reason)
	}
	return nil
}
