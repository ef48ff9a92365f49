package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/client"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/editor"
	"github.com/strata-memory/strata/cmd/strata/internal/heap"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/dream"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/home/ephemeral"
	"github.com/strata-memory/strata/internal/models/quota"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/workspace"
)

// app is one run of the command: its streams, settings and open memory. The run owns the
// memory and closes it at the end.
type app struct {
	stdin  io.Reader
	out    *output.Printer // its format is a guess until configure has read the settings
	getenv func(string) string

	ephemeral, verbose, noServer bool // global flags that are not settings

	running bool // the command's own work has begun
	// readOnly means that the command changes nothing, so it works on a full disk.
	readOnly bool
	// withoutWorkspace means that the command continues without the memory of the
	// workspace if the user would have to be asked whether the current directory is that
	// workspace.
	withoutWorkspace bool
	// disputed is the error that asks for it, if it occurred; see [workspace.IsDisputed].
	disputed error
	// lookLater leaves it to the command itself to record hand edits.
	lookLater bool
	// session means that the command lasts as long as a conversation, and records files
	// in their history at the end. Other commands leave that to checkpoint.
	session bool
	// describe holds functions that fill in the help of commands where that takes time.
	describe map[*cobra.Command]func()
	longHelp bool // show help in full even if it is longer than a screen
	// reads means that the command ingests conversations, which a model then reads if one
	// is configured.
	reads bool
	cfg   config.Config
	// badSettings is the error in config.toml, for a command that works without it.
	badSettings error
	log         *slog.Logger
	temp        *ephemeral.Dir // nil unless --ephemeral-memory
	server      *client.Client // runs the operations; nil if this process does
	mem         *engine.Engine // nil until opened
	// embedServer is the connection to the embedder of mem; nil without one.
	embedServer io.Closer
	models      *chatModels // for small work; nil without
	endBackups  func()      // makes or stops the daily backup; nil without
}

// newApp returns an app that looks variables up in environ ("NAME=value").
func newApp(stdin io.Reader, stdout, stderr io.Writer, environ []string) *app {
	env := make(map[string]string, len(environ))
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		env[name] = value
	}
	getenv := func(name string) string { return env[name] }
	return &app{
		stdin: stdin, getenv: getenv, describe: make(map[*cobra.Command]func()), log: slog.New(slog.DiscardHandler),
		out: &output.Printer{Stdout: stdout, Stderr: stderr, Getenv: getenv, Now: time.Now, Format: output.Table, Color: output.ColorAuto},
	}
}

// addGlobalFlags declares the global flags. configure reads those of settings back.
func (a *app) addGlobalFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	for _, s := range config.Settings() {
		if s.Flag == "" || s.Local {
			continue
		}
		short := ""
		if s.Name == config.Output {
			short = "o"
		}
		flags.StringP(s.Flag, short, "", s.Doc)
	}
	flags.BoolVar(&a.ephemeral, "ephemeral-memory", false, "use a throw-away home and workspace, gone at the end")
	flags.BoolVarP(&a.out.Quiet, "quiet", "q", false, "print results and errors only: no notes, no progress")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "log everything to standard error")
	flags.BoolVar(&a.noServer, "no-server", false, "open the memory here, even if a server of the home runs")
	flags.Var(&choice{&a.out.Color, "when", []string{output.ColorAuto, output.ColorAlways, output.ColorNever}}, "color",
		"print with colors: auto (on a terminal, unless NO_COLOR is set), always or never")
	flags.BoolFunc("no-color", "the same as --color never", func(string) error {
		a.out.Color = output.ColorNever
		return nil
	})
	_ = flags.MarkHidden("no-color") // the former name of a flag, which exists
	a.completeGlobalFlags(root)
}

// configure reads the settings. With --ephemeral-memory it first sweeps up what killed
// runs left behind, and creates the throw-away home.
func (a *app) configure(cmd *cobra.Command) error {
	in := config.Inputs{Flags: make(map[string]string), Getenv: a.getenv, UserHome: a.getenv("HOME")}
	for _, s := range config.Settings() {
		if s.Flag == "" {
			continue
		}
		flag := cmd.Flag(s.Flag)
		if flag == nil || !flag.Changed {
			continue
		}
		if flag.Value.String() == "" {
			return strata.Invalid("", "--"+s.Flag+" is empty", "leave the flag out, or give it a value")
		}
		in.Flags[s.Name] = flag.Value.String()
	}
	if err := cmdline.ExpandPaths(cmd.Flags(), in.Getenv, in.UserHome); err != nil {
		return err
	}
	if a.ephemeral {
		if in.Flags[config.Home] != "" || in.Flags[config.Workspace] != "" {
			return strata.Invalid("", "--ephemeral-memory brings its own home and workspace", "leave --home and --workspace out")
		}
		if err := a.makeEphemeral(); err != nil {
			return err
		}
		in.Flags[config.Home], in.Flags[config.Workspace] = a.temp.Home, a.temp.Workspace
		in.NoFile = true
	}
	cfg, err := config.Load(in)
	if err != nil && worksWithoutSettings(cmd) {
		in.NoFile = true
		if without, flagErr := config.Load(in); flagErr == nil {
			cfg, a.badSettings, err = without, err, nil
		}
	}
	if err != nil {
		return err
	}
	a.cfg, a.out.Format = cfg, cfg.Get(config.Output)
	a.log = a.newLogger()
	if a.badSettings != nil {
		a.notice("the settings cannot be used; the defaults apply instead: " + a.badSettings.Error())
	}
	return nil
}

// worksWithoutSettings reports whether a command maintains a home and so must work even
// if config.toml is damaged.
func worksWithoutSettings(cmd *cobra.Command) bool {
	switch cmd.Name() {
	case "doctor", "reindex", "salvage", "backup", "restore", "export":
		return true
	}
	return false
}

// makeEphemeral creates the throw-away directory. It only logs what cannot be swept,
// which does not concern this run.
func (a *app) makeEphemeral() error {
	parent := a.getenv("TMPDIR")
	if _, err := ephemeral.Sweep(parent); err != nil {
		a.newLogger().Warn("leftovers of killed runs remain", "error", err)
	}
	dir, err := ephemeral.New(parent)
	if err != nil {
		return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Message: "there is no room for a throw-away home",
			Hint: "set TMPDIR to a directory that can be written", Err: err}, "")
	}
	a.temp = dir
	return nil
}

// scratch returns the throw-away home of this run, and creates it if necessary.
func (a *app) scratch() (string, error) {
	if a.temp == nil {
		if err := a.makeEphemeral(); err != nil {
			return "", err
		}
	}
	return a.temp.Home, nil
}

// newLogger returns a logger to standard error, in JSON if the output is JSON.
func (a *app) newLogger() *slog.Logger {
	level := config.Level(a.cfg.Get(config.LogLevel))
	if a.verbose {
		level = slog.LevelDebug
	}
	opts := &slog.HandlerOptions{Level: level}
	if a.out.ForPeople() {
		return slog.New(slog.NewTextHandler(a.out.Stderr, opts))
	}
	return slog.New(slog.NewJSONHandler(a.out.Stderr, opts))
}

// notice tells the user what a command waits for, or that it did not wait. It is silent
// in a session, which has the terminal to itself.
func (a *app) notice(what string) {
	if a.session || !a.out.ForPeople() {
		a.log.Warn(what)
		return
	}
	a.out.Note("%s", what)
}

// editor returns the user's editor. It gets the terminal if interactive.
func (a *app) editor(interactive bool) editor.Editor {
	return editor.Editor{Getenv: a.getenv, Interactive: interactive, Stderr: a.out.Stderr}
}

// home returns the home of this run.
func (a *app) home() string { return a.cfg.Get(config.Home) }

// open opens the memory in the home, unless it is open.
func (a *app) open(ctx context.Context) (*engine.Engine, error) {
	if a.mem != nil {
		return a.mem, nil
	}
	mem, err := a.openAt(ctx, a.home(), a.project())
	if workspace.IsDisputed(err) {
		a.disputed = err
		return a.openAt(ctx, a.home(), a.project())
	}
	return mem, err
}

// openAt opens the memory in a home, with the files of a project. A run has one open
// memory at a time, and closes it at the end.
func (a *app) openAt(ctx context.Context, home string, project workspace.Found) (*engine.Engine, error) {
	if err := a.closeMemory(); err != nil {
		return nil, err
	}
	heap.CollectAsUsual()
	embed, err := a.embedders()
	if err != nil {
		return nil, err
	}
	var model llm.Chat
	if a.reads {
		if model, err = a.smallModel(); err != nil {
			return nil, errors.Join(err, embed.close())
		}
	}
	opened, err := local.OpenWith(ctx, local.Options{
		Home:            home,
		Embedder:        embed.wanted,
		Embedders:       embed.find,
		Project:         project,
		Agent:           a.cfg.Get(config.Agent),
		Links:           filepath.SplitList(a.cfg.Get(config.Links)),
		LookLater:       a.lookLater,
		LeaveUnrecorded: !a.session,
		BusyTimeout:     a.cfg.Duration(config.BusyTimeout),
		EmbedTimeout:    a.cfg.Duration(config.EmbedTimeout),
		Model:           model,
		ModelOnCall:     !a.session,
		ExtractIdle:     a.cfg.Duration(config.ExtractIdle),
		Dreams:          a.dreamSettings(),
		DreamMeanwhile:  a.session,
		Retention:       a.retention(),
		ModelLimits:     quota.Limits{Calls: int64(a.cfg.Int(config.ModelCallsPerDay)), Tokens: int64(a.cfg.Int(config.ModelTokensPerDay))},
		Logger:          a.log,
		Notice:          a.notice,
	})
	if err != nil {
		return nil, errors.Join(err, embed.close())
	}
	a.mem, a.embedServer = opened.Engine(), embed.server
	if a.backsUp() && home == a.home() {
		a.endBackups = func() { a.backUpIfDue(ctx) }
		if a.session {
			a.endBackups = a.backUpMeanwhile(ctx)
		}
	}
	return a.mem, nil
}

// closeMemory closes the memory if it is open.
func (a *app) closeMemory() error {
	if a.mem == nil {
		return nil
	}
	mem := a.mem
	a.mem = nil
	if a.endBackups != nil {
		a.endBackups()
		a.endBackups = nil
	}
	err := mem.Close()
	if a.embedServer != nil {
		err = errors.Join(err, a.embedServer.Close())
		a.embedServer = nil
	}
	if a.models != nil {
		a.models.close()
		a.models = nil
	}
	return err
}

// close closes the memory, then removes a throw-away home. It is idempotent.
func (a *app) close() error {
	err := a.closeMemory()
	if a.server != nil {
		a.server.Close()
		a.server = nil
	}
	if a.temp != nil {
		err = errors.Join(err, a.temp.Close())
		a.temp = nil
	}
	return err
}

// watchFiles records hand edits of files while a command runs, until stop is called. If
// files cannot be watched, the next command finds the edits.
func (a *app) watchFiles(ctx context.Context, env *operation.Env) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	err := env.Engine.Watch(ctx, env.View)
	switch code := strata.CodeOf(err); {
	case code == strata.CodeUnsupported, code == strata.CodeUnavailable:
		a.log.Info("files are not watched: what is done to them by hand is seen the next time", "error", err)
	case err != nil:
		a.log.Warn("files are not watched", "error", err)
	}
	return stop
}

// retention returns the settings for archiving in the background.
func (a *app) retention() engine.Retention {
	return engine.Retention{
		ArchiveAfter: a.cfg.Age(config.ArchiveAfter), DailyAfter: a.cfg.Age(config.DailyArchiveAfter),
		DiskBudget: int64(a.cfg.Int(config.DiskBudgetMiB)) << 20,
	}
}

// dreamSettings returns the settings for dreams. They have been checked.
func (a *app) dreamSettings() dream.Settings {
	s := dream.Settings{
		Disabled: a.cfg.Get(config.Dream) == config.Off,
		Every:    a.cfg.Duration(config.DreamEvery), SkillIdle: a.cfg.Duration(config.DreamSkillIdle),
		Sessions: a.cfg.Int(config.DreamSessions), Facts: a.cfg.Int(config.DreamFacts), MinRecalls: a.cfg.Int(config.DreamMinRecalls),
		MinQuestions: a.cfg.Int(config.DreamMinQuestions), MaxPromotions: a.cfg.Int(config.DreamPromotions),
	}
	if list := a.cfg.Shares(config.DreamMinScore); len(list) == 1 {
		s.MinScore = list[0]
	}
	if w := a.cfg.Shares(config.DreamWeights); len(w) == 6 {
		s.Weights = dream.Weights{Frequency: w[0], Relevance: w[1], Recency: w[2], Diversity: w[3], Consolidation: w[4], Richness: w[5]}
	}
	return s
}
