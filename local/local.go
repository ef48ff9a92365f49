// Package local opens the embedded default: the SQLite store and the built-in embedder,
// without a server or network. Most programs use it to open a memory.
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
	// Home is the directory that holds everything; empty means DefaultHome. It is created
	// if needed, readable only by its owner.
	Home string
	// Workspaces are the directories of the available workspaces, by id. The files of a
	// workspace's scopes go to its .strata if it has one, otherwise into the home.
	Workspaces map[string]string
	// Project is the current workspace, as returned by [workspace.Find]; the zero Found
	// means none. It need not be in Workspaces.
	Project workspace.Found
	// Agent is the current agent; empty means none.
	Agent string
	// Links are outside directories that a link at the top of a directory of files, such
	// as notes/ of a project, may point to; see [workspace.Tree.AllowLinks].
	Links []string
	// LeaveUnrecorded makes Close leave changed files to the next checkpoint or end of a
	// session; see [engine.Options].
	LeaveUnrecorded bool
	// LookLater leaves changes that people made to files since the last look to a later
	// call of Sync.
	LookLater bool
	// Author is the author of commits in the history of files, as "name <mail>"; {agent}
	// in it is replaced by the agent. Empty means "{agent} <agent@localhost>".
	Author string
	// Embedder makes vectors instead of the built-in one. If the vectors of the home are
	// from another model, the home is embedded again in the background while the old
	// vectors serve. With nil, a home keeps the model it has, and a new one gets the
	// built-in embedder. The result of builtin.New stands for the built-in embedder with
	// the words that the home has.
	Embedder llm.Embedder
	// Embedders returns the embedder of the named model, so that existing vectors stay
	// useful, or nil. The built-in ones are always found. May be nil.
	Embedders func(model string) llm.Embedder
	// Model reads recorded conversations for facts after the rules have; nil means rules
	// alone. ModelWindow is its context size in tokens. ModelOnCall makes it read only on
	// request. See [engine.Options].
	Model       llm.Chat
	ModelWindow int
	ModelOnCall bool
	// ExtractIdle is how long a conversation must be idle before it is read for facts. 0
	// means 10 min.
	ExtractIdle time.Duration
	// ModelLimits bound the daily use of models for memory's own work.
	ModelLimits engine.ModelLimits
	// Dreams say when memory consolidates itself. DreamMeanwhile makes it check for that
	// not only at the end of a session. See [engine.Options].
	Dreams         engine.DreamSettings
	DreamMeanwhile bool
	// Retention says what is archived or pruned in the background.
	Retention engine.Retention
	// BusyTimeout is how long a write waits for other processes. 0 means 10 s.
	BusyTimeout time.Duration
	// EmbedTimeout bounds one embedding call. 0 means 2 s.
	EmbedTimeout time.Duration
	// Logger receives errors of background work; nil discards them.
	Logger *slog.Logger
	// Notice is called with a sentence that says what is being waited for if a wait takes
	// more than a second, or that files being written by another process were not waited
	// for. It is called from any goroutine, and may be nil.
	Notice func(string)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// DefaultHome returns $STRATA_HOME, or .strata in the user's home directory.
func DefaultHome() (string, error) { return homedir.Default() }

// Database returns the path of the database inside a home.
func Database(home string) string { return filepath.Join(home, "strata.db") }

// Open opens the memory in home; empty means DefaultHome.
func Open(ctx context.Context, home string) (*Home, error) {
	return OpenWith(ctx, Options{Home: home})
}

// embedder returns the embedder of the named model, or nil. It looks at the home's own
// words, its earlier words, this program and its earlier versions, then asks the caller's
// Embedders.
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

// OpenWith opens the memory that o describes. Before it returns, it records the changes
// that people made to the files of the global scope, of Project and of Agent since the
// last look. Files that still have to follow a decision are updated in the background. It
// logs files that cannot be read and goes on without them.
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
