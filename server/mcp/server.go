// Package mcp serves operations of package ops as tools of the Model Context
// Protocol, documents as its resources, and what memory holds as its prompts.
//
// Names, schemas and texts come from the declarations in package ops; this
// package only carries them. A tool answers with a text for the model and with ids
// and figures by its output schema. What goes wrong is an answer that
// is marked as an error and holds {"code","message","hint"}, so that the model
// can correct its call.
//
// # Sessions
//
// Every connection is a session with an id of its own, under which what is asked
// and saved through it is recorded.
//
// # Ownership
//
// A server does not own the engine. [Serve] returns when the client is gone or
// its context ends; the caller then closes the engine. Subscriptions are watched in the
// background until the sessions that made them are gone, or the engine is closed.
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
	CoreTools = operation.CoreTools // those that every agent has
	AllTools  = operation.AllTools  // those and the ones that few need
)

// Options say what the server may see and where it writes, as for a command
// line. The zero value sees the global scope, and refuses what the caller says is
// of a project.
type Options struct {
	// View is what reads may see; the zero View is the one of Workspace and
	// Agent.
	View strata.View
	// Scope takes every write; the zero Scope lets each go where its type
	// belongs.
	Scope strata.Scope
	// Workspace is the id of the workspace at hand; empty without one.
	Workspace string
	Agent     string // name of the agent at hand; empty without one
	// Session is the id of the one session that the server serves; empty means that each
	// connection gets an id of its own.
	Session string
	// Confined says that the caller may see and write the scopes of View and no others.
	Confined bool
	// ReadOnly leaves out the tools that write.
	ReadOnly bool
	// Tools are those that clients get; the zero value means the core ones.
	Tools Toolset
	// Model does small work for tools; nil where there is none.
	Model llm.Chat
	// Note is a line that the instructions end with; empty for none.
	Note string
	// Version is what clients are shown; empty means "dev".
	Version string
	// Logger receives what goes wrong; nil discards it.
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

// forOneClient keeps results out of shared caches: documents are memory, and
// which tools there are depends on the token that a client shows.
func forOneClient(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" }

// tools are those that clients get: of what they may not call they are told nothing.
func (s *service) tools() []ops.Tool {
	env := s.env(nil)
	return slices.DeleteFunc(ops.Tools(s.options.Tools), func(t ops.Tool) bool { return !t.Permitted(env) })
}

// offers reports whether clients get a tool.
func (s *service) offers(tool string) bool {
	return slices.ContainsFunc(s.tools(), func(t ops.Tool) bool { return t.Name == tool })
}

// instructions say to a model when to use the tools it gets. Clients put them into the
// system prompt, so every word counts.
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

// definition declares a tool to clients. Definitions go with every request of an agent: what
// tools answer that write, ids and a decision, is for the answer and the documents to say.
func definition(t ops.Tool) *mcp.Tool {
	closed := false // a memory is no open world
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

// handler answers calls of a tool. A failed call is a result that the model
// reads, not an error of the protocol, which it would not see.
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

// env is what the operations of a connection work with; nil is none in particular.
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

// sessions gives every connection an id of its own. The zero value is ready.
type sessions struct {
	maker id.Maker

	mu  sync.Mutex // guards ids
	ids map[weak.Pointer[mcp.ServerSession]]string
}

// id returns the id of a connection. It is forgotten with the connection.
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

// drop forgets a connection that is gone.
func (s *sessions) drop(key weak.Pointer[mcp.ServerSession]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ids, key)
}
