package chat

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
)

// Agent holds one conversation at a time. Its methods may be called from
// several goroutines; they take turns, save for [Agent.Usage], [Agent.Report]
// and [Agent.Session], which never wait.
type Agent struct {
	// fixed at creation
	opt     Options
	window  int
	counter token.Counter // of what is fixed in a request
	system  string
	tools   toolbox

	now atomic.Pointer[current]

	mu   sync.Mutex // guards what follows
	said string     // what the assistant said last
}

// current is the session under way.
type current struct {
	talk *engine.Conversation
	mgr  *contextmgr.Manager
}

// New opens the conversation that the options describe, or goes on with it.
func New(ctx context.Context, o Options) (*Agent, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	exact := token.ForModel(o.Model.Model())
	a := &Agent{opt: o, window: o.Window, counter: byteCounter{}}
	if a.window == 0 {
		var err error
		if a.window, err = Window(ctx, o.Model.Model(), o.ContextLength); err != nil {
			return nil, fmt.Errorf("ask for the window of %s: %w", o.Model.Model(), err)
		}
	}
	a.system = strings.TrimSpace(promptSystem)
	if extra := strings.TrimSpace(o.System); extra != "" {
		a.system += "\n\n" + extra
	}
	var err error
	if a.tools, err = newToolbox(o.Tools, a.toolRoom(), a.counter); err != nil {
		return nil, err
	}
	if len(a.tools.leftOut) > 0 || a.snapshotRoom() < a.window/4 { // the window is small
		a.counter = exact
		if a.tools, err = newToolbox(o.Tools, a.toolRoom(), a.counter); err != nil {
			return nil, err
		}
	}
	if len(a.tools.leftOut) > 0 {
		o.OnEvent(ToolsLeftOut{Names: a.tools.leftOut})
	}
	return a, a.open(ctx, o.Talk)
}

// byteCounter counts bytes, of which a token has at least one. What fits by it fits, and
// nobody waits for the table of a tokenizer.
type byteCounter struct{}

func (byteCounter) Count(s string) int { return len(s) }

// budget is what a request may cost: what the context manager makes of the
// window by default.
func (a *Agent) budget() int { return a.window - min(a.window/8, 4096) }

const (
	// frame is what a request holds besides system prompt, tools and snapshot and
	// before the first message, in tokens.
	frame = 48
	// leastSnapshot is a snapshot with its guidance, the beginning of an index and
	// a few facts, in tokens.
	leastSnapshot = 520
)

// fixedRoom is what tools and snapshot may cost: the manager reserves half of the
// budget for what stays the same in every request.
func (a *Agent) fixedRoom() int { return a.budget()/2 - a.counter.Count(a.system) - frame }

// toolRoom is what the definitions of tools may cost.
func (a *Agent) toolRoom() int { return a.fixedRoom() - leastSnapshot }

// snapshotRoom is what the snapshot may cost: a quarter of the window, but no
// more than the tools leave.
func (a *Agent) snapshotRoom() int {
	return max(min(a.window/4, a.fixedRoom()-a.tools.cost), 1)
}

// open opens a session and makes it the one under way.
func (a *Agent) open(ctx context.Context, t sessions.Options) error {
	if t.Limits.Tokens == 0 {
		t.Limits.Tokens = a.snapshotRoom()
	}
	if t.Guidance == "" {
		t.Guidance = snapshot.GuidanceFor(a.tools.offers)
	}
	talk, err := a.opt.Memory.Talk(ctx, t)
	if err != nil {
		return err
	}
	mgr, err := contextmgr.New(ctx, contextmgr.Options{
		Model: a.opt.Model, Small: a.opt.Small, Window: a.window, SmallWindow: a.opt.SmallWindow, Background: true,
		Temperature: a.opt.Temperature,
		System:      a.system, Snapshot: talk.Snapshot().Text,
		Tools: a.tools.offered, MemoryTools: a.tools.reads, SaveTools: a.tools.saves, ExpandTool: a.tools.expand,
		Ledger: talk, Memory: memory{talk, a.opt.Scope}, NoRecall: a.opt.NoRecall,
		OnEvent: func(e contextmgr.Event) { a.opt.OnEvent(e) }, OnDelta: a.opt.OnDelta, Now: a.opt.Now,
	})
	if err != nil {
		return err
	}
	if a.said, err = lastSaid(ctx, talk, mgr.Usage().Last); err != nil {
		return err
	}
	a.now.Store(&current{talk: talk, mgr: mgr})
	return nil
}

// lastSaid is the assistant's part of the last exchange of a session.
func lastSaid(ctx context.Context, talk *engine.Conversation, last int64) (string, error) {
	const look = 16 // the last turns may be calls and their results
	turns, err := talk.Turns(ctx, max(last-look, 0), 0)
	if err != nil {
		return "", fmt.Errorf("read the end of session %s: %w", talk.ID(), err)
	}
	for i := len(turns) - 1; i >= 0; i-- {
		if turns[i].Role == strata.RoleAssistant && strings.TrimSpace(turns[i].Text) != "" {
			return turns[i].Text, nil
		}
	}
	return "", nil
}

// memory is the memory of a conversation, in which everything may go to one
// scope.
type memory struct {
	*engine.Conversation
	scope strata.Scope // zero: where the type belongs
}

// Save writes what was learnt.
func (m memory) Save(ctx context.Context, cs []strata.Candidate) ([]strata.Decision, error) {
	if m.scope.IsZero() {
		return m.Conversation.Save(ctx, cs)
	}
	own := make([]strata.Candidate, len(cs))
	for i, c := range cs {
		c.Scope = m.scope
		own[i] = c
	}
	return m.Conversation.Save(ctx, own)
}

// Session is the id of the session under way.
func (a *Agent) Session() string { return a.now.Load().talk.ID() }

// Conversation is the session under way, for what the agent does not do itself.
func (a *Agent) Conversation() *engine.Conversation { return a.now.Load().talk }

// Shown are the turns of the session under way that the model sees.
func (a *Agent) Shown() []strata.TurnRange { return a.now.Load().mgr.Shown() }

// Usage says how full the window is. It never waits.
func (a *Agent) Usage() contextmgr.Usage { return a.now.Load().mgr.Usage() }

// Flush saves the facts of everything that was said up to now.
func (a *Agent) Flush(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now.Load().mgr.Flush(ctx)
}

// Compact replaces the older turns by a summary now. It returns the zero
// Compacted when there is nothing to gain.
func (a *Agent) Compact(ctx context.Context) (contextmgr.Compacted, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now.Load().mgr.Compact(ctx)
}

// Reload makes a new generation of the snapshot from what memory holds now. The
// model sees it from the user's next message on.
func (a *Agent) Reload(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.now.Load()
	made, err := c.talk.Reload(ctx)
	if err != nil {
		return err
	}
	c.mgr.SetSnapshot(made.Text)
	return nil
}

// Reset saves the facts of what was said, ends the session and begins a new
// one, whose snapshot shows what memory holds now. When the facts cannot be
// saved, the session stays. A session that could be ended but not written out
// is reported by a [Missed]; the memory writes it later.
func (a *Agent) Reset(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.now.Load()
	if err := c.mgr.Flush(ctx); err != nil {
		return fmt.Errorf("save the facts of session %s: %w", c.talk.ID(), err)
	}
	next := a.opt.Talk
	next.Session = ""
	if err := a.open(ctx, next); err != nil {
		return err
	}
	if err := c.talk.Close(ctx); err != nil {
		a.opt.OnEvent(Missed{What: "closing session " + c.talk.ID(), Err: err})
	}
	return nil
}

// Switch saves the facts of what was said, leaves the session open, and goes on
// with another, by its id.
func (a *Agent) Switch(ctx context.Context, session string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.now.Load()
	if err := c.mgr.Flush(ctx); err != nil {
		return fmt.Errorf("save the facts of session %s: %w", c.talk.ID(), err)
	}
	next := a.opt.Talk
	next.Session = session
	return a.open(ctx, next)
}

// Close saves the facts of what was said. The session stays open: a later
// agent goes on with it by its id.
func (a *Agent) Close(ctx context.Context) error { return a.Flush(ctx) }

// FlushSession saves the facts of a session that no agent is in, as after a kill:
// those in turns that no flush has covered yet. The session stays open. Model and
// Small may be nil: then rules extract.
func FlushSession(ctx context.Context, o Options) error {
	if o.Memory == nil || o.Talk.Session == "" {
		return strata.Invalid("flush session", "no memory or no session is named", "set Options.Memory and Options.Talk.Session")
	}
	o = o.withDefaults()
	talk, err := o.Memory.Talk(ctx, o.Talk)
	if err != nil {
		return err
	}
	mgr, err := contextmgr.New(ctx, contextmgr.Options{
		Small: small(o), Window: o.Window, SmallWindow: o.SmallWindow, Background: true, Ledger: talk, Memory: memory{talk, o.Scope},
		MemoryTools: memoryTools(false), SaveTools: memoryTools(true),
		OnEvent: func(e contextmgr.Event) { o.OnEvent(e) }, Now: o.Now,
	})
	if err != nil {
		return err
	}
	return mgr.Flush(ctx)
}

// small is the model for small work; nil without one.
func small(o Options) llm.Chat {
	return llm.Roles{Default: o.Model, Small: o.Small}.ForSmallWork()
}
