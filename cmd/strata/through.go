package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/attach"
	"github.com/strata-memory/strata/internal/config"
	"github.com/strata-memory/strata/internal/endpoint"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/ops/operation"
	"github.com/strata-memory/strata/ops/schema"
	"github.com/strata-memory/strata/workspace"
)

// goesThrough reports whether a command works through the server of the home where one
// runs. What looks after the home opens it, and what JSON does not hold whole stays here.
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

// through is the environment of operations that the server of the home runs; nil where
// this process has to open the memory: no server seems to run, none is wanted, or
// something is to be mended first. Where the server turns out to take nothing, the memory
// is opened after all.
func (a *app) through() *operation.Env {
	caller, ok := a.caller(strata.OriginCLI)
	if !ok {
		return nil
	}
	r := &remote{app: a, server: attach.NewServer(caller)}
	r.env = &operation.Env{Origin: strata.OriginCLI, Agent: caller.Agent, Remote: r.run}
	a.server = r.server
	return r.env
}

// caller is this run of the command for the server of the home; false where none is to be
// asked.
func (a *app) caller(origin strata.Origin) (attach.Caller, bool) {
	if a.noServer || a.temp != nil || a.cfg.Get(config.Server) == config.Off || config.Level(a.cfg.Get(config.LogLevel)) < slog.LevelWarn || a.verbose {
		return attach.Caller{}, false // who wants the log of the work wants the work here
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

// errUnsound is that a workspace needs the memory to be opened before it is used.
var errUnsound = errors.New("the workspace is not as it should be")

// soundProject is the workspace at hand. What is wrong with it is mended, or reported, by
// who opens the memory.
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

// settingsDigest stands for the settings that a memory is opened with. Others are of
// single commands.
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

// remote runs operations by way of a server.
type remote struct {
	app    *app
	server *attach.Server
	env    *operation.Env // that of the command
	local  *operation.Env // of the memory that was opened after all; nil before
}

// run runs an operation, in this process where the server does not.
func (r *remote) run(ctx context.Context, op operation.Operation, in any) (any, error) {
	if r.local != nil {
		return r.runHere(ctx, op, in)
	}
	again := repeatable(op, in)
	data, err := encodeInput(op, in)
	if err != nil {
		return nil, err
	}
	data, err = r.server.Call(ctx, op.About().Name, data, r.env.Progress)
	switch {
	case errors.Is(err, attach.ErrNotServed), errors.Is(err, attach.ErrLost) && again:
		r.app.log.Debug("the server does not answer; the memory is opened", "error", err)
		return r.runHere(ctx, op, in)
	case errors.Is(err, attach.ErrLost):
		return nil, &strata.Error{Code: strata.CodeUnavailable, Op: op.About().Name, Message: "the server ended before it answered: it may have been done",
			Hint: "look with strata decisions before you ask again"}
	case err != nil:
		return nil, err
	}
	_, t := op.Types()
	out := reflect.New(t)
	if err := json.Unmarshal(data, out.Interface()); err != nil {
		return nil, &strata.Error{Code: strata.CodeInternal, Op: op.About().Name, Message: "the server answers something else", Err: err}
	}
	return out.Elem().Interface(), nil
}

// runHere runs an operation on the memory, which it opens.
func (r *remote) runHere(ctx context.Context, op operation.Operation, in any) (any, error) {
	if r.local == nil {
		env, err := r.app.environment(ctx)
		if err != nil {
			return nil, err
		}
		if op.About().AsksModel {
			if env.Model, err = r.app.smallModel(); err != nil {
				return nil, err
			}
		}
		r.local = env
	}
	r.local.Progress = r.env.Progress
	return op.Run(ctx, r.local, in)
}

// repeatable reports whether a call may be made again when its answer was lost. A write
// that takes a request id gets one, so that the second call finds what the first one did.
func repeatable(op operation.Operation, in any) bool {
	if op.About().ReadOnly {
		return true
	}
	keyed := false
	for _, f := range op.Inputs() {
		switch {
		case f.Name == "dry_run" && f.Get(in) == true:
			return true
		case f.Name == "request_id":
			if keyed = true; f.Get(in) == "" {
				var ids id.Maker
				_ = f.Set(in, ids.New("cli", time.Now())) // a text takes any
			}
		}
	}
	return keyed
}

// encodeInput writes all fields of an input, also those that have a default which differs.
func encodeInput(op operation.Operation, in any) ([]byte, error) {
	fields := make(map[string]any)
	for _, f := range op.Inputs() {
		fields[f.Name] = f.Get(in)
	}
	return schema.Marshal(fields)
}

// attachedEnv is what operations of another run of this command work with: what they would
// by themselves, in the memory that is open here.
func (a *app) attachedEnv(ctx context.Context, here *operation.Env, c attach.Caller) (*operation.Env, error) {
	if c.Build != buildIdentity() || c.Settings != a.settingsDigest() || !sameHome(c.Home, a.home()) {
		return nil, &strata.Error{Code: strata.CodeUnsupported, Message: "the server is of another version, home or settings"}
	}
	mem, ws := here.Engine, c.Project.ID
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
		return nil, operation.UnknownWorkspace(scope.Workspace) // or a known one: the command looks
	}
	env := envOf(mem, ws, c.Agent, scope, strata.Origin(c.Origin))
	env.Place = operation.Place{Root: c.Project.Root, Source: c.Project.Source, Key: c.Project.Key, Home: here.Place.Home}
	env.Model = here.Model
	if _, err := mem.SyncSettled(ctx, strata.ViewOf(ws, c.Agent)); err != nil {
		a.log.Warn("what was done to files by hand is not taken in yet", "error", err)
	}
	return env, ctx.Err()
}

// sameHome reports whether two paths lead to one home. A directory that was moved while it
// was served does not.
func sameHome(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// buildIdentity tells one program from another. Version and commit say nothing of what was
// built from a checkout that differed, so the file counts too.
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
