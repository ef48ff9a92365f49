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

// Env is what the front end that runs an operation gives to its handler. It is
// fixed while the operation runs.
type Env struct {
	Engine *engine.Engine
	// Remote, if it is not nil, runs operations in the place of Engine, which may be nil
	// then. The input was checked.
	Remote func(ctx context.Context, op Operation, in any) (any, error)
	// View is what reads may see.
	View strata.View
	// Scope is the scope the caller named for everything. The zero Scope means
	// that none was named: a write goes where its type belongs, and operations
	// on the whole home take all of it.
	Scope strata.Scope
	// Confined are the scopes that the caller may see and write; nil means all. Whatever is
	// read or written for him is in View or Scope, or asked of [Env.Target].
	Confined []strata.Scope
	// ReadOnly says that the caller may change no memory.
	ReadOnly bool
	// Workspace is the id of the workspace at hand; empty without one.
	Workspace string
	Agent     string // name of the agent at hand; empty without one
	// Place says where the workspace and the home are; zero where the front end does
	// not know.
	Place Place
	// Session is the caller's own session, where the front end knows it: what is
	// asked and saved without naming a session belongs to it.
	Session string
	// Shown are the turns of Session that whoever asks sees already.
	Shown  []strata.TurnRange
	Origin strata.Origin
	// Model does small work for operations with [Info.AsksModel]; nil where there is none.
	Model llm.Chat
	// Owner returns the scope of a conversation that was held in a directory; false
	// where its project takes none in. Nil means the scope at hand.
	Owner func(ctx context.Context, dir string) (strata.Scope, bool, error)
	// Backups are those of the home; nil where the front end does not keep any.
	Backups Backups
	// In is what an operation with [Info.Reads] reads, Out what one with
	// [Info.Writes] writes to.
	In  io.Reader
	Out io.Writer
	// InTime is when what In reads was written last; zero where that is not known.
	InTime time.Time
	// Progress, if it is not nil, is called during long work with the number of
	// items that are done and the total, which is 0 when unknown.
	Progress func(done, total int64)
}

// Place is where the caller is, as the front end found it.
type Place struct {
	Root   string // directory of the workspace at hand; empty without one
	Source string // what its identity rests on, such as workspace.toml or git
	Key    string // under which the home records its id; empty where its own files do
	Home   string // directory of the home
	Notes  []string
}

// Advance calls Progress if there is one.
func (e *Env) Advance(done, total int64) {
	if e.Progress != nil {
		e.Progress(done, total)
	}
}

// MainScope is the scope that is meant where one is needed: the one that was
// named, else that of the workspace, else the global one. A conversation learns
// in it, and its directory has a history of its own.
func (e *Env) MainScope() strata.Scope {
	switch {
	case !e.Scope.IsZero():
		return e.Scope
	case e.Workspace != "":
		return strata.InWorkspace(e.Workspace)
	}
	return strata.Global()
}

// Scopes are the scopes an operation on the whole home works on: the one that
// was named, or nil for all.
func (e *Env) Scopes() []strata.Scope {
	if e.Scope.IsZero() {
		return nil
	}
	return []strata.Scope{e.Scope}
}

// Everything is the view of [Env.Scopes]: of the scope that was named, or of all that the
// home has. A home without any is seen as an empty global one.
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

// ParseTime reads a time written by a person, as [timeexpr.Parse] does: RFC 3339, a date
// or words such as "last week", of which the first moment is meant. Empty text is the zero
// time.
func (e *Env) ParseTime(field, s string) (time.Time, error) {
	r, err := e.parseSpan(field, s)
	return r.From.UTC(), err
}

// ParseEnd is ParseTime for the end of something: a date, a week or a month counts whole.
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
	return timeexpr.Range{}, strata.Invalid("read "+field, field+" is no time: "+Clip(s),
		"write it as yesterday, last week, 3 days ago, 2026-03-01 or 2026-03-01T15:04:05Z")
}

// OptionalTime is ParseTime with nil for empty text.
func (e *Env) OptionalTime(field, s string) (*time.Time, error) {
	t, err := e.ParseTime(field, s)
	if err != nil || t.IsZero() {
		return nil, err
	}
	return &t, nil
}

// Each converts a list item by item. An empty list becomes an empty one, which
// JSON writes as [] and not as null.
func Each[T, U any](list []T, convert func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = convert(v)
	}
	return out
}

// Rows returns a list as values for output line by line.
func Rows[T any](list []T) []any { return Each(list, func(v T) any { return v }) }

// Clip shortens a value for an error message, and puts it on one line.
func Clip(v string) string { return fence.Neutral(v, 40) }

// Echo is a value of the input as an answer repeats it: on one line, and not without end.
func Echo(v string) string { return fence.Cut(fence.Line(v), 200) }

// Toolset says which agents have an operation as a tool, or which tools an agent has.
// Each tool more costs a small model attention.
type Toolset string

// The sets of tools.
const (
	NoTools   Toolset = ""     // of an operation: it is for people and programs
	CoreTools Toolset = "core" // those that every agent has
	AllTools  Toolset = "all"  // those and the ones that few need
)

// Toolsets are the sets an agent can be given.
func Toolsets() []string { return []string{string(CoreTools), string(AllTools)} }

// ParseToolset reads the name of a set.
func ParseToolset(name string) (Toolset, error) {
	switch set := Toolset(name); set {
	case CoreTools, AllTools:
		return set, nil
	}
	return NoTools, strata.Invalid("", "no such set of tools: \""+Clip(name)+"\"", "use core or all")
}

// Has reports whether a set has the tools of another.
func (s Toolset) Has(other Toolset) bool {
	return other != NoTools && (s == other || s == AllTools)
}

// Backups are those that a home keeps of itself, in a directory of its own. Where they lie
// and how many stay is not for the caller to say.
type Backups interface {
	// List returns those that are there, the newest first.
	List() ([]Backup, error)
	// Make makes one. Progress is in bytes.
	Make(ctx context.Context, progress func(done, total int64)) (Backup, error)
}

// Backup is a copy of a whole home in one file.
type Backup struct {
	File    string    `json:"file" doc:"where it is"`
	Time    time.Time `json:"time" doc:"when it began"`
	Size    int64     `json:"size" doc:"bytes of the file"`
	Removed []string  `json:"removed,omitempty" doc:"older backups that gave way to it"`
}
