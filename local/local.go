// Package local wires the embedded default: the SQLite store, the built-in
// embedder, no server, no network. It is what most programs open.
//
//	mem, err := local.Open(ctx, "")
//	if err != nil { ... }
//	defer mem.Close()
package local

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/history"
	"github.com/strata-memory/strata/internal/home/homedir"
	"github.com/strata-memory/strata/internal/models/wordfile"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/workspace"
)

// Options configure a local memory. The zero value opens the default home.
type Options struct {
	// Home is the directory that holds everything; empty means DefaultHome. It
	// is made if it is not there, readable by its owner only.
	Home string
	// Workspaces are the directories of the available workspaces, by id. Where
	// one has a .strata, files of its scopes go there, and else into the home.
	Workspaces map[string]string
	// Project is the workspace that one works in, as [workspace.Find] returned
	// it; the zero Found is none. It is available, too.
	Project workspace.Found
	// Agent is the agent that one works as; empty is none.
	Agent string
	// Links are directories outside to which a link at the top of a directory of
	// files may lead, such as notes/ of a project; see [workspace.Tree.AllowLinks].
	Links []string
	// LeaveUnrecorded has Close leave files that changed to the next checkpoint
	// or end of a session; see [engine.Options].
	LeaveUnrecorded bool
	// LookLater leaves what people did to files since the last look for a call of
	// Sync.
	LookLater bool
	// Author is who commits to the history of files, as "name <mail>"; {agent}
	// in it is replaced by the agent. Empty means "{agent} <agent@localhost>".
	Author string
	// Embedder makes vectors instead of the built-in one. A home whose vectors
	// are of another model is embedded again in the background while those
	// serve. nil leaves a home with the model it has; a new one gets the
	// built-in embedder. What builtin.New returned stands for the built-in
	// embedder with the words that the home has.
	Embedder llm.Embedder
	// Embedders finds the embedder of a model by its name, so that vectors made
	// before still answer. The built-in one is always found. May be nil.
	Embedders func(model string) llm.Embedder
	// Model reads the conversations that are taken in, after the rules, and ModelWindow
	// is its context in tokens; nil: rules alone. ModelOnCall leaves that to a call. See
	// [engine.Options].
	Model       llm.Chat
	ModelWindow int
	ModelOnCall bool
	// ExtractIdle is for how long nothing was appended to a conversation before it is
	// read for its facts. 0 means 10 min.
	ExtractIdle time.Duration
	// ModelLimits bound what models are asked of in a day for memory's own work.
	ModelLimits engine.ModelLimits
	// Dreams say when memory consolidates itself, and DreamMeanwhile has it look for that
	// not only at the end of a session. See [engine.Options].
	Dreams         engine.DreamSettings
	DreamMeanwhile bool
	// Retention says what is put away in the background.
	Retention engine.Retention
	// BusyTimeout is how long a write waits for other processes. 0 means 10 s.
	BusyTimeout time.Duration
	// EmbedTimeout bounds one embedding call. 0 means 2 s.
	EmbedTimeout time.Duration
	// Logger receives what goes wrong in the background; nil discards it.
	Logger *slog.Logger
	// Notice is told, in a sentence, what is waited for when that takes more than a
	// second, and that files which another process writes were not waited for. It is
	// called from any goroutine, and may be nil.
	Notice func(string)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// DefaultHome is $STRATA_HOME, or .strata in the user's home directory.
func DefaultHome() (string, error) { return homedir.Default() }

// Database is the path of the database inside a home.
func Database(home string) string { return filepath.Join(home, "strata.db") }

// Open opens the memory in home; empty means DefaultHome.
func Open(ctx context.Context, home string) (*Home, error) {
	return OpenWith(ctx, Options{Home: home})
}

// embedder finds the embedder of a model by its name: of the home's own words, of those it
// had, of the program and its earlier versions, then of the caller; nil if there is none.
func (o Options) embedder(words *wordfile.Home, model string) llm.Embedder {
	if own := words.Embedder(); model == own.Model() {
		return own
	}
	if earlier := words.Of(model); earlier != nil {
		return earlier
	}
	if earlier := builtin.Named(model); earlier != nil {
		return earlier
	}
	if o.Embedders == nil {
		return nil
	}
	return o.Embedders(model)
}

// OpenWith opens the memory that the options describe. What people did to the
// files of the global scope, of Project and of Agent since the last look is
// recorded before it returns, but for files that are still to follow a decision:
// they do in the background. Files that cannot be read keep nobody from the
// rest: that is logged.
func OpenWith(ctx context.Context, o Options) (*Home, error) {
	if o.Home == "" {
		home, err := DefaultHome()
		if err != nil {
			return nil, err
		}
		o.Home = home
	}
	lost := homedir.LostDatabase(o.Home)
	st, err := sqlite.Open(ctx, Database(o.Home), &sqlite.Options{BusyTimeout: o.BusyTimeout, Waiting: o.Notice, Now: o.Now})
	if err != nil {
		return nil, err
	}
	if lost {
		err = o.tellBegun()
	}
	if err = errors.Join(err, o.place(ctx, st)); err != nil {
		return nil, errors.Join(err, st.Close())
	}
	words := wordfile.In(o.Home, cmp.Or(o.Logger, slog.New(slog.DiscardHandler)))
	keep := o.Embedder == nil
	if own, ok := o.Embedder.(*builtin.Embedder); keep || ok && own.Model() == builtin.Model {
		o.Embedder = words.Embedder()
	}
	tree := workspace.NewTree(o.Home, o.Workspaces)
	tree.AllowLinks(o.Links...)
	tree.TellWaits(o.Notice)
	mem, err := engine.Open(ctx, st, &engine.Options{
		Embedder:        o.Embedder,
		KeepModel:       keep,
		Embedders:       func(model string) llm.Embedder { return o.embedder(words, model) },
		Words:           words,
		Tree:            tree,
		Origins:         history.NewOrigins(tree),
		LeaveUnrecorded: o.LeaveUnrecorded,
		History:         history.New(rootOf(tree), &history.Options{Author: o.Author}),
		Transcripts:     workspace.NewTranscripts(o.Home, o.Workspaces),
		Archives:        workspace.NewArchives(o.Home),
		Retention:       o.Retention,
		EmbedTimeout:    o.EmbedTimeout,
		Model:           o.Model,
		ModelWindow:     o.ModelWindow,
		ModelOnCall:     o.ModelOnCall,
		ExtractIdle:     o.ExtractIdle,
		ModelLimits:     o.ModelLimits,
		Dreams:          o.Dreams,
		DreamMeanwhile:  o.DreamMeanwhile,
		Logger:          o.Logger,
		Notice:          o.Notice,
		Now:             o.Now,
	})
	if err != nil {
		return nil, err
	}
	if !o.LookLater {
		if err := o.look(ctx, mem); err != nil {
			return nil, err
		}
	}
	return &Home{mem}, nil
}
