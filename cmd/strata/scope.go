package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/workspace"
)

// environment opens the memory and determines what an operation may read and where it
// writes.
func (a *app) environment(ctx context.Context) (*operation.Env, error) {
	recovered, err := a.recoverWorkspace(ctx)
	if err == nil && recovered.ID != "" && recovered.Aside == "" {
		err = a.restoreLost(ctx, recovered)
	}
	if err != nil {
		return nil, err
	}
	mem, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	ws, err := a.workspaceID(ctx, mem)
	if a.withoutWorkspace && workspace.IsDisputed(err) {
		a.disputed, err = err, nil
		a.notice(a.disputedNote())
	}
	if err != nil {
		return nil, err
	}
	a.recordIdentity(ctx, mem)
	agent := a.cfg.Get(config.Agent)
	scope, err := operation.ParseScope(a.cfg.Get(config.Scope), ws, agent)
	if err != nil {
		return nil, err
	}
	if a.project().Source == workspace.SourceID {
		err = a.checkWorkspace(ctx, mem, ws)
	}
	if err == nil && scope.Workspace != ws {
		err = a.checkWorkspace(ctx, mem, scope.Workspace)
	}
	if err != nil {
		return nil, err
	}
	env := envOf(mem, ws, agent, scope, strata.OriginCLI)
	env.Place, env.Owner, env.Backups = a.place(recovered), a.ownerOf(mem), a.backups()
	return env, nil
}

// environmentOf is environment, with what a particular operation needs.
func (a *app) environmentOf(ctx context.Context, info operation.Info) (*operation.Env, error) {
	env, err := a.environment(ctx)
	if err == nil && info.AsksModel {
		env.Model, err = a.smallModel()
	}
	return env, err
}

// envOf returns an environment that determines what an operation reads and where it
// writes: in a workspace and as an agent, or in the named scope.
func envOf(mem *engine.Engine, ws, agent string, scope strata.Scope, origin strata.Origin) *operation.Env {
	env := &operation.Env{Engine: mem, View: strata.ViewOf(ws, agent), Scope: scope, Workspace: ws, Agent: agent, Origin: origin}
	if !scope.IsZero() {
		env.View = scope.View()
	}
	return env
}

// checkWorkspace returns not_found for a named workspace that the home does not know: it
// has neither memory of it nor the location of its files.
func (a *app) checkWorkspace(ctx context.Context, mem *engine.Engine, id string) error {
	if id == "" {
		return nil
	}
	known, err := mem.Scopes(ctx)
	if err != nil || slices.ContainsFunc(known, func(s strata.Scope) bool { return s.Workspace == id }) || workspace.IsKnown(a.home(), id) {
		return err
	}
	return operation.UnknownWorkspace(id)
}

// place says where the workspace and the home are.
func (a *app) place(r workspace.Recovered) operation.Place {
	found := a.project()
	p := operation.Place{Root: found.Root, Source: found.Source, Key: found.Key, Home: a.home()}
	if r.ID != "" {
		p.Notes = []string{r.Problem + ": the identity of the workspace was recovered from the home"}
		if r.Aside != "" {
			p.Notes[0] += "; the damaged file is kept as " + r.Aside
		}
	}
	if repository := workspace.StrayGit(found); repository != "" {
		p.Notes = append(p.Notes, "the .git of "+found.Root+" leads to "+repository+", which does not know this directory, so the directory has a memory of its own; "+
			"if it is a moved worktree, run git worktree repair in the repository with the path of this directory")
	}
	return p
}

// recordIdentity records in the home the identity of a workspace that was moved or came
// from elsewhere, so that it can be recovered at its new place too. If that fails,
// nothing is lost yet.
func (a *app) recordIdentity(ctx context.Context, mem *engine.Engine) {
	found := a.project()
	if found.Source != workspace.SourceMarker || found.ID == "" {
		return
	}
	a.recordKeys(ctx, mem, found.ID, found.Root, workspace.Keys(found.Root))
}

// recordKeys records in the home the keys by which a workspace is known.
func (a *app) recordKeys(ctx context.Context, mem *engine.Engine, id, root string, keys []string) {
	var missing []string
	for _, key := range keys {
		if known, err := mem.KnownWorkspace(ctx, key); err == nil && known == "" {
			missing = append(missing, key)
		}
	}
	if len(missing) == 0 {
		return
	}
	if _, err := mem.KeepWorkspace(ctx, id, missing...); err != nil {
		a.log.Debug("the home does not keep the identity of the workspace", "root", root, "error", err)
	}
}

// recoverWorkspace restores the identity of the current workspace if the file that held
// it is missing or damaged and the home knows it.
func (a *app) recoverWorkspace(ctx context.Context) (workspace.Recovered, error) {
	dir := a.cfg.Get(config.Workspace)
	if dir == "" {
		dir, _ = os.Getwd()
	}
	return a.recoverWorkspaceAt(ctx, dir)
}

// recoverWorkspaceAt is recoverWorkspace for the workspace around a directory.
func (a *app) recoverWorkspaceAt(ctx context.Context, dir string) (workspace.Recovered, error) {
	if info, err := os.Stat(dir); a.temp != nil || err != nil || !info.IsDir() {
		return workspace.Recovered{}, nil // there is an id, or nothing to recover
	}
	opened := false
	known := func(key string) (string, error) {
		if _, err := os.Stat(local.Database(a.home())); err != nil {
			return "", nil
		}
		if !opened {
			// Open without the files of the workspace, which is not known yet.
			if _, err := a.openAt(ctx, a.home(), workspace.Found{}); err != nil {
				return "", err
			}
			opened = true
		}
		return a.mem.KnownWorkspace(ctx, key)
	}
	recovered, err := workspace.Recover(dir, a.home(), known)
	if opened {
		err = errors.Join(err, a.closeMemory())
	}
	switch code := strata.CodeOf(err); {
	case recovered.ID != "":
		a.out.Note("%s", a.place(recovered).Notes[0])
	case err != nil && (code == strata.CodeReadOnly || code == strata.CodeFull):
		return recovered, err
	}
	// Other errors are reported when the workspace is looked up.
	return recovered, nil
}

// restoreLost restores files that were lost along with the identity of a workspace,
// before they can count as deleted by hand.
func (a *app) restoreLost(ctx context.Context, r workspace.Recovered) error {
	_, lost, err := a.knownProject(ctx, r.Root, initOptions{dryRun: true, lost: true})
	if err != nil || len(lost) == 0 {
		return err
	}
	made, err := workspace.Init(r.Root, a.home(), workspace.InitOptions{Documents: lost})
	if err == nil {
		a.out.Note("files lost with it were written back from the database: %s", strings.Join(made.Restored, ", "))
	}
	return err
}

// workspaceID returns the id of the current workspace; empty if there is none.
func (a *app) workspaceID(ctx context.Context, mem *engine.Engine) (string, error) {
	if a.temp != nil {
		return mem.WorkspaceID(ctx, a.throwAway().Key)
	}
	if a.disputed != nil {
		return "", a.disputed
	}
	found, err := a.findWorkspace()
	if err == nil {
		err = a.admit(ctx, mem, found)
	}
	if err != nil {
		return "", err
	}
	if found.ID != "" || found.Key == "" {
		return found.ID, nil
	}
	id, err := mem.WorkspaceID(ctx, found.Keys()...)
	if code := strata.CodeOf(err); code == strata.CodeReadOnly || code == strata.CodeFull && a.readOnly {
		return "", nil // new to a home that cannot be written to: it has no memory yet
	}
	return id, err
}

// admit is [workspace.Admit] with the open memory.
func (a *app) admit(ctx context.Context, mem *engine.Engine, found workspace.Found) error {
	return workspace.Admit(found, a.home(), func(id string, keys ...string) (bool, error) {
		return mem.AdmitsWorkspace(ctx, id, keys...)
	})
}

// disputedNote tells agents that the memory of a workspace is left out; empty if none is.
// It does not name the directory, whose name could be crafted to instruct an agent.
func (a *app) disputedNote() string {
	if a.disputed == nil {
		return ""
	}
	return "Memory of this project is left out: the directory has the id of a workspace that is known in another place. " +
		"The user decides which it is: strata init --identity same (the same project) or strata init --identity new (another one)."
}

// findWorkspace finds the named workspace, or the one around the working directory.
func (a *app) findWorkspace() (workspace.Found, error) {
	home := a.home()
	if named := a.cfg.Get(config.Workspace); named != "" {
		return workspace.Resolve(named, home)
	}
	dir, err := os.Getwd()
	if err != nil {
		return workspace.Found{}, nil // a deleted working directory is in no workspace
	}
	return workspace.Find(dir, home)
}

// project returns the current workspace, and the zero value after an error. workspaceID
// reports the error where it matters.
func (a *app) project() workspace.Found {
	if a.disputed != nil {
		return workspace.Found{}
	}
	if a.temp != nil {
		return a.throwAway()
	}
	found, err := a.findWorkspace()
	if err != nil {
		return workspace.Found{}
	}
	return found
}

// throwAway returns the workspace of the throw-away directory. It has no identity outside
// its home.
func (a *app) throwAway() workspace.Found {
	return workspace.Found{Root: a.temp.Workspace, Key: a.temp.Workspace, Source: workspace.SourceDirectory}
}

// ownerOf returns a function that finds the scope of a conversation by the directory in
// which it was held: that of the workspace around it. The function returns false for a
// project that ingests no conversations.
func (a *app) ownerOf(mem *engine.Engine) func(ctx context.Context, dir string) (strata.Scope, bool, error) {
	type owner struct {
		scope strata.Scope
		ok    bool
	}
	known := make(map[string]owner) // a directory of transcripts has few distinct projects
	return func(ctx context.Context, dir string) (strata.Scope, bool, error) {
		if o, ok := known[dir]; ok {
			return o.scope, o.ok, nil
		}
		o := owner{scope: strata.Global(), ok: true}
		found, err := workspace.FindPast(dir, a.home())
		if err == nil {
			err = a.admit(ctx, mem, found)
		}
		if workspace.IsDisputed(err) {
			o.ok = false // the user has to say first whose it is
		}
		if err == nil && !found.IsZero() {
			id := found.ID
			if id == "" {
				if id, err = mem.WorkspaceID(ctx, found.Keys()...); err != nil {
					return strata.Scope{}, false, err
				}
			}
			o.scope, o.ok = strata.InWorkspace(id), !found.NoIngest
		}
		o.ok = o.ok && !a.excludes(dir)
		known[dir] = o
		return o.scope, o.ok, nil
	}
}

// excludes reports whether the setting no_ingest lists a directory or one above it.
func (a *app) excludes(dir string) bool {
	for _, out := range filepath.SplitList(a.cfg.Get(config.NoIngest)) {
		if rest, ok := strings.CutPrefix(filepath.Clean(dir), filepath.Clean(out)); ok && (rest == "" || rest[0] == filepath.Separator) {
			return true
		}
	}
	return false
}
