package main

import (
	"context"
	"os"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/config"
	"github.com/strata-memory/strata/ops"
	"github.com/strata-memory/strata/workspace"
)

// environment opens the memory and resolves what an operation may see and where
// it writes.
func (a *app) environment(ctx context.Context) (*ops.Env, error) {
	mem, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	ws, err := a.workspaceID(ctx, mem)
	if err != nil {
		return nil, err
	}
	agent := a.cfg.Get(config.Agent)
	scope, err := ops.ParseScope(a.cfg.Get(config.Scope), ws, agent)
	if err != nil {
		return nil, err
	}
	env := &ops.Env{
		Engine: mem, View: strata.ViewOf(ws, agent), Scope: scope, Workspace: ws, Agent: agent, Origin: strata.OriginCLI,
	}
	if !scope.IsZero() {
		env.View = scope.View()
	}
	return env, nil
}

// workspaceID finds the id of the workspace at hand; empty if there is none.
func (a *app) workspaceID(ctx context.Context, mem *engine.Engine) (string, error) {
	if a.temp != nil {
		return mem.WorkspaceID(ctx, a.throwAway().Key)
	}
	found, err := a.findWorkspace()
	if err != nil || found.ID != "" || found.Key == "" {
		return found.ID, err
	}
	id, err := mem.WorkspaceID(ctx, found.Key)
	if strata.CodeOf(err) == strata.CodeReadOnly {
		return "", nil // seen for the first time in a home that cannot be written: it has no memory yet
	}
	return id, err
}

// findWorkspace finds the workspace that was named, or the one around the
// working directory.
func (a *app) findWorkspace() (workspace.Found, error) {
	home := a.home()
	if named := a.cfg.Get(config.Workspace); named != "" {
		return workspace.Resolve(named, home)
	}
	dir, err := os.Getwd()
	if err != nil {
		return workspace.Found{}, nil // a working directory that is gone is in no workspace
	}
	return workspace.Find(dir, home)
}

// project is the workspace at hand. One that cannot be found is reported where
// it matters: by workspaceID.
func (a *app) project() workspace.Found {
	if a.temp != nil {
		return a.throwAway()
	}
	found, err := a.findWorkspace()
	if err != nil {
		return workspace.Found{}
	}
	return found
}

// throwAway is the workspace that is gone at the end. It has no identity outside
// of its home.
func (a *app) throwAway() workspace.Found {
	return workspace.Found{Root: a.temp.Workspace, Key: a.temp.Workspace, Source: workspace.SourceDirectory}
}
