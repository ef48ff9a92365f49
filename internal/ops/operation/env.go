package operation

import (
	"context"
	"io"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text/timeexpr"
	"github.com/strata-memory/strata/llm"
)

// Env is what the front end that runs an operation gives to its handler. It does not
// change while the operation runs.
type Env struct {
	Engine *engine.Engine
	// Remote, if not nil, runs operations in place of Engine, which may then be nil. The
	// input has been checked.
	Remote func(ctx context.Context, op Operation, in any) (any, error)
	// View is what reads can see.
	View strata.View
	// Scope is the scope that the caller named for everything. The zero Scope means that
	// none was named: a write goes where its type belongs, and operations on the whole
	// home cover all of it.
	Scope strata.Scope
	// Confined are the scopes that the caller may read and write; nil means all. Whatever
	// an operation reads or writes for the caller is in View or Scope, or checked by
	// [Env.Target].
	Confined []strata.Scope
	// ReadOnly means that the caller must not change memory.
	ReadOnly bool
	// Workspace is the id of the current workspace; empty without one.
	Workspace string
	Agent     string // name of the current agent; empty without one
	// Place says where the workspace and the home are; zero if the front end does not
	// know.
	Place Place
	// Session is the caller's own session, if the front end knows it: queries and saves
	// that name no session belong to it.
	Session string
	// Shown are the turns of Session that the caller still sees.
	Shown  []strata.TurnRange
	Origin strata.Origin
	// Model does small work for operations with [Info.AsksModel]; nil if there is none.
	Model llm.Chat
	// Owner returns the scope that owns a conversation held in a directory; false if the
	// project there ingests none. Nil means the current scope.
	Owner func(ctx context.Context, dir string) (strata.Scope, bool, error)
	// Backups are the backups of the home; nil if the front end keeps none.
	Backups Backups
	// In is the input stream of an operation with [Info.Reads], Out the output stream of
	// one with [Info.Writes].
	In  io.Reader
	Out io.Writer
	// InTime is when the content of In was last modified; zero if unknown.
	InTime time.Time
	// Progress, if not nil, is called during long work with the number of items done and
	// the total, which is 0 if unknown.
	Progress func(done, total int64)
}

// Place says where the caller is, as the front end determined it.
type Place struct {
	Root   string // directory of the current workspace; empty without one
	Source string // what identifies the workspace, such as workspace.toml or git
	Key    string // key under which the home records its id; empty if its own files do
	Home   string // directory of the home
	Notes  []string
}

// Advance calls Progress if there is one.
func (e *Env) Advance(done, total int64) {
	if e.Progress != nil {
		e.Progress(done, total)
	}
}

// MainScope returns the scope to use where a single one is needed: the named one, else
// that of the workspace, else the global one. What a conversation teaches goes there, and
// its directory has a history of its own.
func (e *Env) MainScope() strata.Scope {
	switch {
	case !e.Scope.IsZero():
		return e.Scope
	case e.Workspace != "":
		return strata.InWorkspace(e.Workspace)
	}
	return strata.Global()
}

// Scopes returns the scopes that an operation on the whole home covers: the named one, or
// nil for all.
func (e *Env) Scopes() []strata.Scope {
	if e.Scope.IsZero() {
		return nil
	}
	return []strata.Scope{e.Scope}
}

// Everything returns the view of [Env.Scopes]: the named scope, or all scopes of the
// home. For a home without any it is the global scope.
func (e *Env) Everything(ctx context.Context) (strata.View, error) {
	scopes := e.Scopes()
	if scopes == nil {
		var err error
		if scopes, err = e.Engine.Scopes(ctx); err != nil {
			return strata.View{}, err
		}
	}
	if len(scopes) == 0 {
		return strata.Global().View(), nil
	}
	return strata.View{Scopes: scopes}, nil
}

// ParseTime parses a time as a person writes it, see [timeexpr.Parse]: RFC 3339, a date,
// or words such as "last week", which mean its first moment. Empty text is the zero time.
func (e *Env) ParseTime(field, s string) (time.Time, error) {
	r, err := e.parseSpan(field, s)
	return r.From.UTC(), err
}

// ParseEnd is ParseTime for the end of a period: it includes the whole date, week or
// month.
func (e *Env) ParseEnd(field, s string) (time.Time, error) {
	r, err := e.parseSpan(field, s)
	return r.To.UTC(), err
}

func (e *Env) parseSpan(field, s string) (timeexpr.Range, error) {
	if s == "" {
		return timeexpr.Range{}, nil
	}
	if r, ok := timeexpr.Parse(s, e.Engine.Now()); ok {
		return r, nil
	}
	return timeexpr.Range{}, strata.Invalid("read "+field, field+" is not a time: "+Clip(s),
		"write it as yesterday, last week, 3 days ago, 2026-03-01 or 2026-03-01T15:04:05Z")
}

// OptionalTime is ParseTime, but returns nil for empty text.
func (e *Env) OptionalTime(field, s string) (*time.Time, error) {
	t, err := e.ParseTime(field, s)
	if err != nil || t.IsZero() {
		return nil, err
	}
	return &t, nil
}

// Each converts a list item by item. It never returns nil, so that JSON has [] rather
// than null for an empty list.
func Each[T, U any](list []T, convert func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = convert(v)
	}
	return out
}

// Rows returns a list as values for output line by line.
func Rows[T any](list []T) []any { return Each(list, func(v T) any { return v }) }

// Clip shortens a value to one short line for an error message.
func Clip(v string) string { return fence.Neutral(v, 40) }

// Echo returns a value of the input for repetition in an answer: on one line and bounded.
func Echo(v string) string { return fence.Cut(fence.Line(v), 200) }

// Toolset says which agents get an operation as a tool, or which tools an agent gets.
// Every additional tool costs a small model attention.
type Toolset string

// The toolsets.
const (
	NoTools   Toolset = ""     // only for people and programs
	CoreTools Toolset = "core" // the tools that every agent gets
	AllTools  Toolset = "all"  // those, and tools that few agents need
)

// Toolsets returns the toolsets that an agent can be given.
func Toolsets() []string { return []string{string(CoreTools), string(AllTools)} }

// ParseToolset parses the name of a toolset.
func ParseToolset(name string) (Toolset, error) {
	switch set := Toolset(name); set {
	case CoreTools, AllTools:
		return set, nil
	}
	return NoTools, strata.Invalid("", "no such set of tools: \""+Clip(name)+"\"", "use core or all")
}

// Has reports whether a toolset includes another.
func (s Toolset) Has(other Toolset) bool {
	return other != NoTools && (s == other || s == AllTools)
}

// Backups are the backups that a home keeps of itself, in a directory of its own. The
// caller has no say in where they are and how many are kept.
type Backups interface {
	// List returns the existing backups, newest first.
	List() ([]Backup, error)
	// Make creates a backup. Progress is in bytes.
	Make(ctx context.Context, progress func(done, total int64)) (Backup, error)
}

// Backup is a copy of a whole home in one file.
type Backup struct {
	File    string    `json:"file" doc:"where it is"`
	Time    time.Time `json:"time" doc:"when it began"`
	Size    int64     `json:"size" doc:"bytes of the file"`
	Removed []string  `json:"removed,omitempty" doc:"older backups removed for it"`
}
