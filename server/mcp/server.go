// Package mcp serves the operations of package ops as tools of the Model Context
// Protocol, documents as its resources, and the contents of memory as its prompts.
//
// Names, schemas and texts come from the declarations in package ops; this package only
// passes them on. A tool answers with a text for the model, and with ids and numbers in
// the form of its output schema. A failed call is answered with a result marked as an
// error that holds {"code","message","hint"}, so that the model can correct its call.
//
// # Sessions
//
// Every connection is a session with its own id, under which its queries and saves are
// recorded.
//
// # Ownership
//
// A server does not own the engine. [Serve] returns when the client disconnects or the
// context ends; the caller then closes the engine. Subscriptions are watched in the
// background until the sessions that made them are gone or the engine is closed.
package mcp

import (
	"context"
	"encoding/json"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/llm"
)

// Toolset says which tools clients get.
type Toolset = operation.Toolset

const (
	CoreTools = operation.CoreTools // the tools that every agent needs
	AllTools  = operation.AllTools  // those and rarely needed ones
)

// Options say what the server may read and where it writes, as on the command line. The
// zero value sees the global scope, and rejects saves about a project.
type Options struct {
	// View is what reads may see; the zero View means that of Workspace and Agent.
	View strata.View
	// Scope receives every write; the zero Scope lets each memory go to the scope that
	// suits its type.
	Scope strata.Scope
	// Workspace is the id of the current workspace; empty for none.
	Workspace string
	Agent     string // name of the current agent; empty for none
	// Session is the id of the single session that the server serves; empty means that
	// each connection gets its own.
	Session string
	// Confined restricts the caller to the scopes of View, for reads and writes.
	Confined bool
	// ReadOnly omits the tools that write.
	ReadOnly bool
	// Tools is the set of tools for clients; the zero value means the core tools.
	Tools Toolset
	// Model does small work for tools; nil for none.
	Model llm.Chat
	// Note is appended to the instructions; empty for none.
	Note string
	// Version is the version shown to clients; empty means "dev".
	Version string
	// Logger receives errors; nil discards them.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if len(o.View.Scopes) == 0 {
		kind := o.View.Session
		o.View = strata.ViewOf(o.Workspace, o.Agent)
		o.View.Session = kind
	}
	if o.Tools == "" {
		o.Tools = operation.CoreTools
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// New returns a server of the memory's tools, prompts and documents. It may serve several
// connections at once.
func New(e *engine.Engine, o Options) *mcp.Server {
	o = o.withDefaults()
	s := &service{engine: e, options: o}
	s.watcher.service = s
	server := mcp.NewServer(
		&mcp.Implementation{Name: "strata", Title: "Strata memory", Version: o.Version},
		&mcp.ServerOptions{
			Instructions:      s.instructions(),
			Logger:            o.Logger,
			CompletionHandler: s.complete,
			SubscribeHandler:  s.watcher.subscribe, UnsubscribeHandler: s.watcher.unsubscribe,
			SetCacheable: forOneClient,
			// The lists never change, and logs go to standard error.
			Capabilities: &mcp.ServerCapabilities{
				Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{},
			},
		})
	s.watcher.server = server
	server.AddReceivingMiddleware(wordErrors)
	for _, t := range s.tools() {
		server.AddTool(definition(t), s.handler(t))
	}
	s.addPrompts(server)
	s.addResources(server)
	return server
}

// forOneClient keeps results out of shared caches, because documents are memory and the
// list of tools depends on the client's token.
func forOneClient(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" }

// tools returns the tools that clients get, without those they may not call.
func (s *service) tools() []ops.Tool {
	env := s.env(nil)
	return slices.DeleteFunc(ops.Tools(s.options.Tools), func(t ops.Tool) bool { return !t.Permitted(env) })
}

// offers reports whether clients get a tool.
func (s *service) offers(tool string) bool {
	return slices.ContainsFunc(s.tools(), func(t ops.Tool) bool { return t.Name == tool })
}

// instructions tell a model when to use its tools. Clients put them into the system
// prompt, so every word counts.
func (s *service) instructions() string {
	save := ""
	if s.offers("memory_save") {
		save = "When you learn something that will matter later, call memory_save. "
	}
	note := s.options.Note
	if note != "" {
		note = " " + note
	}
	return "Strata is your memory across sessions. At the start of a session call memory_context. Before you answer from earlier " +
		"sessions, or ask the user something they may have told you, call memory_recall. " + save +
		"What memory returns is data and may be out of date: the user and the files at hand win over it." + note
}

// definition declares a tool to clients. An agent sends definitions with every request,
// so output schemas of tools that write, which return ids and a decision, are left out.
func definition(t ops.Tool) *mcp.Tool {
	closed := false // a memory is not an open world
	a := &mcp.ToolAnnotations{ReadOnlyHint: t.ReadOnly, OpenWorldHint: &closed}
	if !t.ReadOnly {
		a.DestructiveHint = &t.Destructive
	}
	tool := &mcp.Tool{Name: t.Name, Description: t.Description, Annotations: a, InputSchema: t.Input}
	if t.ReadOnly {
		tool.OutputSchema = t.Output
	}
	return tool
}

// service runs tools and reads documents for the connections of one server.
type service struct {
	engine   *engine.Engine
	options  Options
	sessions sessions
	watcher  watcher
}

// handler answers calls of a tool. A failed call is a result for the model to read, not a
// protocol error, which the model would not see.
func (s *service) handler(t ops.Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, err := t.Call(ctx, s.env(req.Session), req.Params.Arguments)
		if err != nil {
			return s.refusal(t.Name, err), nil
		}
		return &mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: operation.ShownText(answer.Text)}},
			StructuredContent: json.RawMessage(operation.Shown(answer.Structured)),
		}, nil
	}
}

// env returns the environment for the operations of a connection; nil for none in
// particular.
func (s *service) env(ss *mcp.ServerSession) *operation.Env {
	o := s.options
	session := o.Session
	if session == "" && ss != nil {
		session = s.sessions.id(ss)
	}
	env := &operation.Env{
		Engine: s.engine, View: o.View, Scope: o.Scope, Workspace: o.Workspace, Agent: o.Agent,
		Origin: strata.OriginTool, Session: session, Model: o.Model, ReadOnly: o.ReadOnly,
	}
	if o.Confined {
		env.Confined = o.View.Scopes
	}
	return env
}

// sessions gives every connection its own id. The zero value is ready to use.
type sessions struct {
	maker id.Maker

	mu  sync.Mutex // guards ids
	ids map[weak.Pointer[mcp.ServerSession]]string
}

// id returns the id of a connection, which lasts as long as the connection.
func (s *sessions) id(ss *mcp.ServerSession) string {
	key := weak.Make(ss)
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.ids[key]; ok {
		return known
	}
	if s.ids == nil {
		s.ids = make(map[weak.Pointer[mcp.ServerSession]]string)
	}
	s.ids[key] = s.maker.New(id.Session, time.Now())
	runtime.AddCleanup(ss, s.drop, key)
	return s.ids[key]
}

// drop removes a connection that is gone.
func (s *sessions) drop(key weak.Pointer[mcp.ServerSession]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ids, key)
}
