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

// Agent runs one conversation at a time. Its methods may be called from several
// goroutines and run one at a time, except [Agent.Usage], [Agent.Report] and
// [Agent.Session], which never wait.
type Agent struct {
	// fixed at creation
	opt     Options
	window  int
	counter token.Counter // for the fixed parts of a request
	system  string
	tools   toolbox

	now atomic.Pointer[current]

	mu   sync.Mutex // guards the fields below
	said string     // what the assistant last said
}

// current is the session in progress.
type current struct {
	talk *engine.Conversation
	mgr  *contextmgr.Manager
}

// New starts or continues the conversation that the options describe.
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

// byteCounter counts bytes. A token has at least one, so what fits by this count really
// fits, and nobody waits for the table of a tokenizer.
type byteCounter struct{}

func (byteCounter) Count(s string) int { return len(s) }

// budget returns the maximum cost of a request, which is the context manager's default
// for the window.
func (a *Agent) budget() int { return a.window - min(a.window/8, 4096) }

const (
	// frame is the cost of a request before the first message, besides system prompt,
	// tools and snapshot, in tokens.
	frame = 48
	// leastSnapshot is the cost of a snapshot with its guidance, the start of an index
	// and a few facts, in tokens.
	leastSnapshot = 520
)

// fixedRoom returns what tools and snapshot may cost: the manager reserves half of the
// budget for the parts that are the same in every request.
func (a *Agent) fixedRoom() int { return a.budget()/2 - a.counter.Count(a.system) - frame }

// toolRoom returns what the tool definitions may cost.
func (a *Agent) toolRoom() int { return a.fixedRoom() - leastSnapshot }

// snapshotRoom returns what the snapshot may cost: a quarter of the window, but no more
// than the tools leave.
func (a *Agent) snapshotRoom() int {
	return max(min(a.window/4, a.fixedRoom()-a.tools.cost), 1)
}

// open opens a session and makes it the current one.
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

// lastSaid returns the assistant's last text near the end of a session.
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

// memory is the memory of a conversation, with a scope that may override where facts go.
type memory struct {
	*engine.Conversation
	scope strata.Scope // zero: the scope that suits the type
}

// Save writes what was learned.
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

// Session returns the id of the current session.
func (a *Agent) Session() string { return a.now.Load().talk.ID() }

// Conversation returns the current session, for what the agent does not do itself.
func (a *Agent) Conversation() *engine.Conversation { return a.now.Load().talk }

// Shown returns the turns of the current session that the model sees.
func (a *Agent) Shown() []strata.TurnRange { return a.now.Load().mgr.Shown() }

// Usage returns how full the window is. It never waits.
func (a *Agent) Usage() contextmgr.Usage { return a.now.Load().mgr.Usage() }

// Flush saves the facts of everything said so far.
func (a *Agent) Flush(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now.Load().mgr.Flush(ctx)
}

// Compact replaces the older turns by a summary now. It returns the zero Compacted if
// that gains nothing.
func (a *Agent) Compact(ctx context.Context) (contextmgr.Compacted, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now.Load().mgr.Compact(ctx)
}

// Reload makes a new generation of the snapshot from the current memory. The model sees
// it from the user's next message on.
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

// Reset saves the facts of the conversation, ends the session and starts a new one, whose
// snapshot shows the current memory. If the facts cannot be saved, the session stays. If
// it can be ended but not written out, a [Missed] reports that, and the memory writes it
// later.
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

// Switch saves the facts of the conversation, leaves its session open, and continues
// another session, by its id.
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

// Close saves the facts of the conversation. The session stays open: a later agent can
// continue it by its id.
func (a *Agent) Close(ctx context.Context) error { return a.Flush(ctx) }

// FlushSession saves the facts of a session that no agent uses, as after a kill, from the
// turns that no flush has covered. The session stays open. Model and Small may be nil:
// then rules extract.
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

// small returns the model for small work; nil if there is none.
func small(o Options) llm.Chat {
	return llm.Roles{Default: o.Model, Small: o.Small}.ForSmallWork()
}
