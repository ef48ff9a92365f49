package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/client"
	"github.com/strata-memory/strata/cmd/strata/internal/remote"
	"github.com/strata-memory/strata/internal/home/attach"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/home/endpoint"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
	"github.com/strata-memory/strata/workspace"
)

// goesThrough reports whether a command works through the server of the home if one runs.
// An operation that maintains the home opens it, and so does one whose input JSON cannot
// represent.
func goesThrough(op operation.Operation) bool {
	info := op.About()
	switch info.Family {
	case "backup", "embedder", "extractor", "sessions":
		return false
	}
	if info.Reads != "" || info.Writes != "" || groupOf(info) == groupMaintain {
		return false
	}
	_, out := op.Types()
	return info.Name != "dream_trigger" && info.Name != "dream_retry" && schema.Whole(out)
}

// through returns an environment in which the server of the home runs operations. It
// returns nil if this process has to open the memory: no server seems to run, none is
// wanted, or something must be repaired first. If the server turns out to accept nothing,
// the memory is opened after all.
func (a *app) through() *operation.Env {
	caller, ok := a.caller(strata.OriginCLI)
	if !ok {
		return nil
	}
	a.server = client.Attached(caller.Home, caller.String())
	return remote.Env(a.server, a.environmentOf, a.log)
}

// caller describes this run of the command to the server of the home; ok is false if the
// server must not be called.
func (a *app) caller(origin strata.Origin) (attach.Caller, bool) {
	if a.noServer || a.temp != nil || a.cfg.Get(config.Server) == config.Off || config.Level(a.cfg.Get(config.LogLevel)) < slog.LevelWarn || a.verbose {
		return attach.Caller{}, false // the log of the work is wanted here, so do the work here
	}
	if _, err := os.Lstat(endpoint.Socket(a.home())); err != nil {
		return attach.Caller{}, false
	}
	project, err := a.soundProject()
	if err != nil {
		return attach.Caller{}, false
	}
	return attach.Caller{
		Home: a.home(), Build: buildIdentity(), Settings: a.settingsDigest(), Project: project,
		Agent: a.cfg.Get(config.Agent), Scope: a.cfg.Get(config.Scope), Origin: string(origin),
	}, true
}

// errUnsound means that the memory must be opened to repair the workspace before it is
// used.
var errUnsound = errors.New("the workspace is not as it should be")

// soundProject returns the current workspace. If something is wrong with it, it returns
// an error, and opening the memory repairs or reports the problem.
func (a *app) soundProject() (attach.Project, error) {
	dir := a.cfg.Get(config.Workspace)
	if dir == "" {
		dir, _ = os.Getwd()
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		_, err := workspace.Recover(dir, a.home(), func(string) (string, error) { return "", errUnsound })
		if err != nil {
			return attach.Project{}, err
		}
	}
	found, err := a.findWorkspace()
	if err != nil || found.Source == workspace.SourceID {
		return attach.Project{}, errors.Join(err, errUnsound)
	}
	p := attach.Project{ID: found.ID, Root: found.Root, Source: found.Source, Key: found.Key, Keys: found.Keys()}
	if found.Source == workspace.SourceMarker {
		p.Keys = workspace.Keys(found.Root)
	}
	return p, nil
}

// settingsDigest returns a digest of the settings with which a memory is opened. It
// leaves out settings that concern single commands.
func (a *app) settingsDigest() string {
	own := []string{
		config.Home, config.Workspace, config.Agent, config.Scope, config.Output, config.MaxResults, config.LogLevel,
		config.NoIngest, config.Server, config.HookServer,
	}
	h := sha256.New()
	for _, v := range a.cfg.Values() {
		if !slices.Contains(own, v.Name) {
			fmt.Fprintf(h, "%s=%q\n", v.Name, v.Value)
		}
	}
	fmt.Fprintf(h, "key=%q\n", a.getenv(a.cfg.Get(config.APIKeyEnv)))
	return hex.EncodeToString(h.Sum(nil))
}

// attachedEnv returns the environment for operations of another run of this command: the
// one that it would have by itself, in the memory that is open here.
func (a *app) attachedEnv(ctx context.Context, here *operation.Env, c attach.Caller) (*operation.Env, error) {
	if c.Build != buildIdentity() || c.Settings != a.settingsDigest() || !sameHome(c.Home, a.home()) {
		return nil, &strata.Error{Code: strata.CodeUnsupported, Message: "the server has another version, home or settings"}
	}
	mem, ws := here.Engine, c.Project.ID
	if err := a.admit(ctx, mem, workspace.Found{ID: ws, Root: c.Project.Root, Source: c.Project.Source}); err != nil {
		return nil, err // the command reports it
	}
	if ws == "" && len(c.Project.Keys) > 0 {
		known, err := mem.WorkspaceID(ctx, c.Project.Keys...)
		if err != nil {
			return nil, err
		}
		ws = known
	} else if ws != "" {
		a.recordKeys(ctx, mem, ws, c.Project.Root, c.Project.Keys)
	}
	if ws != "" && c.Project.Root != "" {
		mem.Attach(ws, c.Project.Root)
	}
	scope, err := operation.ParseScope(c.Scope, ws, c.Agent)
	if err != nil {
		return nil, err
	}
	if scope.Workspace != "" && scope.Workspace != ws {
		return nil, operation.UnknownWorkspace(scope.Workspace) // or the command finds it to be a known one
	}
	env := envOf(mem, ws, c.Agent, scope, strata.Origin(c.Origin))
	env.Place = operation.Place{Root: c.Project.Root, Source: c.Project.Source, Key: c.Project.Key, Home: here.Place.Home}
	env.Model, env.Session = here.Model, c.Session
	return env, nil
}

// lookFor records hand edits of files before another run of this command works, as
// opening the memory does.
func (a *app) lookFor(ctx context.Context, env *operation.Env) {
	if _, err := env.Engine.SyncSettled(ctx, strata.ViewOf(env.Workspace, env.Agent)); err != nil {
		a.log.Warn("what was done to files by hand is not taken in yet", "error", err)
	}
}

// sameHome reports whether two paths lead to the same home. A directory that was moved
// while it was being served does not.
func sameHome(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// buildIdentity identifies this build of the program. Version and commit do not tell
// builds of a modified checkout apart, so it includes the file.
func buildIdentity() string {
	v := buildVersion()
	file := ""
	if self, err := os.Executable(); err == nil && (v.Commit == "" || v.Dirty) {
		if info, err := os.Stat(self); err == nil {
			file = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
	}
	return fmt.Sprintf("%s %s %t %s %s", v.Version, v.Commit, v.Dirty, v.Go, file)
}
