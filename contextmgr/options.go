package contextmgr

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
)

// Options configure a [Manager]. The zero value is a manager without a model, memory or
// disk: it counts, assembles and compacts by rules.
type Options struct {
	// Model answers; nil means that the caller has its own client and uses
	// [Manager.Prompt].
	Model llm.Chat
	// Small extracts facts and summarizes; nil means Model. If both are nil, rules do.
	Small llm.Chat
	// SmallWindow is the context size of Small in tokens; 0 means Window.
	SmallWindow int

	// Window is the context size of the model in tokens; 0 means 8,192. At least
	// [MinBudget] must remain after the reserve.
	Window int
	// Reserve is the number of tokens kept free for the answer; 0 means an eighth of the
	// window, at most 4,096. All percentages are of the window minus the reserve.
	Reserve int
	// Thresholds say when to act; the zero value means [DefaultThresholds].
	Thresholds Thresholds
	// Counter counts tokens. nil means the model's own way if known, otherwise an
	// estimate that learns from what the model reports; without a model, cl100k.
	Counter Counter
	// ImageTokens is the cost of an image; 0 means by its size, at most 1,600.
	ImageTokens int
	// Temperature is the temperature for answers; nil means the server's default.
	Temperature *float64

	// System is the system prompt. Snapshot follows it: memory that changes only by
	// [Manager.SetSnapshot].
	System, Snapshot string
	// Tools are the tools that the model may call. The caller runs them.
	Tools []llm.Tool
	// MemoryTools names the tools that read memory. Facts are not extracted from their
	// results, which are already in memory.
	MemoryTools []string
	// SaveTools names the tools that write memory. Facts that they were told to save are
	// not extracted again.
	SaveTools []string
	// ExpandTool is the name of a tool that takes {"from", "to"} and returns those turns.
	// Shortened passages mention it; if it is empty, they only say that the ledger has
	// the whole.
	ExpandTool string

	// Ledger keeps the conversation; nil means in the process only.
	Ledger Ledger
	// Memory stores and recalls facts; nil means none.
	Memory Memory
	// NoRecall disables automatic recall.
	NoRecall bool
	// RecallTokens bounds the memory recalled for one turn; 0 means 400.
	RecallTokens int
	// RecallLimit is the maximum number of memories for one turn; 0 means 5.
	RecallLimit int
	// RecallTimeout bounds an automatic recall; 0 means 2 s.
	RecallTimeout time.Duration

	// ModelTimeout bounds one call for extraction or a summary; 0 means 60 s. The
	// caller's context bounds answers.
	ModelTimeout time.Duration
	// MaxCalls bounds the model calls of each flush and each summary; rules do the rest.
	// 0 means 24.
	MaxCalls int
	// Background makes the small model work in the background: rules extract and
	// summarize at once, and a later request takes over what the model makes of the same
	// turns. Only [Manager.Flush] and [Manager.Compact] wait for the model.
	Background bool

	// OnEvent receives events in order, in the goroutine that called the manager. It must
	// not call the manager, except [Manager.Usage].
	OnEvent func(Event)
	// OnDelta receives the answer as it arrives; if it returns an error, the answer
	// stops.
	OnDelta func(llm.Delta) error
	// Now is the clock; nil means time.Now.
	Now func() time.Time

	// spawn runs background work; nil means a new goroutine. Tests use it to control when
	// the work runs.
	spawn func(work func())
}

// Thresholds are ascending shares of the budget (the window minus the reserve), in (0,1].
type Thresholds struct {
	Flush   float64 // extract facts; the conversation stays as it is
	Compact float64 // extract facts, then replace old turns by a summary
	Warn    float64 // warn the model that the context is nearly full
	Prune   float64 // leave out everything but the first and last groups
}

// DefaultThresholds returns 60, 70, 80 and 90 %.
func DefaultThresholds() Thresholds {
	return Thresholds{Flush: 0.60, Compact: 0.70, Warn: 0.80, Prune: 0.90}
}

const (
	defaultWindow = 8192
	// defaultModelTimeout bounds a call for extraction or a summary.
	defaultModelTimeout = time.Minute
	defaultReserve      = 4096 // the maximum; longer answers are rare
	// MinBudget is the smallest budget, in tokens without the reserve, that can hold a
	// conversation.
	MinBudget = 1024
	// fixedShare is the share of the budget that system prompt, snapshot and tools may
	// take. The conversation lives between it and the compaction threshold; with less
	// room, every turn would compact.
	fixedShare = 0.5
)

func (o Options) withDefaults() Options {
	if o.Small == nil {
		o.Small = o.Model
	}
	setDefault(&o.Window, defaultWindow)
	setDefault(&o.Reserve, min(o.Window/8, defaultReserve))
	setDefault(&o.SmallWindow, o.Window)
	setDefault(&o.Thresholds, DefaultThresholds())
	setDefault(&o.RecallTokens, 400)
	setDefault(&o.RecallLimit, 5)
	setDefault(&o.RecallTimeout, 2*time.Second)
	setDefault(&o.ModelTimeout, defaultModelTimeout)
	setDefault(&o.MaxCalls, 24)
	switch {
	case o.Counter != nil:
	case o.Model != nil:
		o.Counter = token.ForModel(o.Model.Model())
	default:
		o.Counter = cl100k{}
	}
	if o.Ledger == nil {
		o.Ledger = &memoryLedger{now: o.clock()}
	}
	if o.OnEvent == nil {
		o.OnEvent = func(Event) {}
	}
	if o.spawn == nil {
		o.spawn = func(work func()) { go work() }
	}
	o.Now = o.clock()
	return o
}

func (o Options) clock() func() time.Time {
	if o.Now != nil {
		return o.Now
	}
	return time.Now
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// validate returns an error for the first invalid field; it runs after withDefaults.
func (o Options) validate() error {
	for _, f := range []struct {
		name  string
		value int
		least int
	}{
		{"Reserve", o.Reserve, 1}, {"Window minus Reserve", o.Window - o.Reserve, MinBudget},
		{"SmallWindow", o.SmallWindow, MinBudget}, {"ImageTokens", o.ImageTokens, 0},
		{"RecallTokens", o.RecallTokens, 1}, {"RecallLimit", o.RecallLimit, 1}, {"MaxCalls", o.MaxCalls, 1},
		{"RecallTimeout", int(o.RecallTimeout), 1}, {"ModelTimeout", int(o.ModelTimeout), 1},
	} {
		if f.value < f.least {
			return invalidOption(fmt.Sprintf("%s is %d; the least is %d", f.name, f.value, f.least))
		}
	}
	t := o.Thresholds
	if !(0 < t.Flush && t.Flush <= t.Compact && t.Compact <= t.Warn && t.Warn <= t.Prune && t.Prune <= 1) {
		return invalidOption(fmt.Sprintf("the thresholds %v do not ascend within 0 to 1", t))
	}
	return nil
}

func invalidOption(message string) error {
	return strata.Invalid("open context manager", message, "correct the options")
}

// cl100k is the default counter without a model.
type cl100k struct{}

func (cl100k) Count(text string) int { return token.Count(text) }

// Ledger is the durable record of one conversation. The manager calls it from
// one goroutine at a time.
type Ledger interface {
	// Append adds turns at the end, all or none. They are durable when it returns. It
	// returns them as stored, with ID, Session, times and an ascending Seq, and with
	// secrets redacted. The model sees what Append returns.
	Append(ctx context.Context, turns []strata.Turn) ([]strata.Turn, error)
	// Turns returns at most limit turns whose Seq is greater than after, in
	// order; limit 0 means all.
	Turns(ctx context.Context, after int64, limit int) ([]strata.Turn, error)
	// LoadState returns what SaveState last saved; nil if there is none.
	LoadState(ctx context.Context) ([]byte, error)
	// SaveState replaces the state atomically: a reader sees the old or the new one.
	SaveState(ctx context.Context, state []byte) error
	// SetStateAside puts away a state that is not usable, for a person to look at, so
	// that LoadState returns nil.
	SetStateAside(ctx context.Context, reason string) error
}

// Forgetting is a [Ledger] whose turns, or memory recalled into whose conversation, can
// be forgotten while the conversation continues. Once something was forgotten, it refuses
// states with the code forgotten until Forgot is called.
type Forgetting interface {
	// Forgot reports whether anything was forgotten since the conversation was opened or
	// since the last call. before is the snapshot that the ledger handed out, after is
	// what is left of it.
	Forgot(ctx context.Context) (before, after string, forgot bool, err error)
}

// Recording is a [Ledger] that makes turns and a state durable together, at about the
// cost of one of them. If the ledger implements it, the manager saves states with
// answers.
type Recording interface {
	// AppendWithState does the work of Append and SaveState, both or neither. The state
	// is that of the conversation before the turns. A secret split between two turns may
	// come together in the state, which is then refused, because its checksum rules out
	// redaction. After an error that refuses the arguments (rejected_secret, forgotten,
	// too_large, invalid) or says full, the manager calls the two separately, with
	// secrets redacted from the state.
	AppendWithState(ctx context.Context, turns []strata.Turn, state []byte) ([]strata.Turn, error)
}

// Extracting is a [Ledger] from which others extract facts once a conversation that was
// not flushed goes quiet.
type Extracting interface {
	// Extracted says that the facts of all turns up to last are saved, as found by rules
	// and, if byModel is set, by a model. These turns need not be read again.
	Extracted(ctx context.Context, last int64, byModel bool) error
}

// Memory stores and recalls facts.
type Memory interface {
	// Save writes candidates and returns one decision each, in order. Repeating a
	// RequestID changes nothing and returns the stored decision.
	Save(ctx context.Context, cs []strata.Candidate) ([]strata.Decision, error)
	// RelatedFacts returns at most limit current facts that turns may be about, the most
	// likely first.
	RelatedFacts(ctx context.Context, turns []strata.Turn, limit int) ([]strata.Fact, error)
	// Recall returns memories that may help with the request, best first. It counts as
	// automatic, since nobody asked for it.
	Recall(ctx context.Context, r RecallRequest) ([]strata.Hit, error)
}

// Refreshing is a [Memory] that reports changes to facts while a conversation shows them.
type Refreshing interface {
	// Current returns the current version of facts by the ids they were shown with: the
	// fact itself, or the one that replaced it. A fact that is no longer current has no
	// entry.
	Current(ctx context.Context, ids []string) (map[string]strata.Hit, error)
}

// RecallRequest asks memory for what may help with a user's turn.
type RecallRequest struct {
	Query  string   // what the user said, shortened to [MaxRecallQuery] bytes
	Turn   int64    // Seq of the user's turn, for the trace
	Tokens int      // maximum cost of the texts of all hits
	Limit  int      // maximum number of hits
	Seen   []string // ids already in the window
	// Shown are the turns of the conversation that the window shows.
	Shown []strata.TurnRange
}

// MaxRecallQuery is the longest query that the manager sends, in bytes. The middle of a
// longer message is left out, since what a user wants is usually at the ends.
const MaxRecallQuery = 4 << 10

// Counter counts the tokens of a text. The result must depend only on the text, because
// the manager keeps it; the manager itself learns from what the model reports for whole
// requests. A Counter must be safe for concurrent use. If the manager chose it, an
// estimate serves until its table is loaded.
type Counter interface {
	Count(text string) int
}
