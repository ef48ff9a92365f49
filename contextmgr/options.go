package contextmgr

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
)

// Options configure a [Manager]. The zero value is a manager without a model,
// a memory or a disk: it counts, assembles and compacts by rules.
type Options struct {
	// Model answers; nil: the caller has a client of their own and uses
	// [Manager.Prompt].
	Model llm.Chat
	// Small extracts and summarizes; nil: Model. Where both are nil, rules do.
	Small llm.Chat
	// SmallWindow is the context of Small in tokens; 0: Window.
	SmallWindow int

	// Window is the model's context in tokens; 0: 8,192. At least [MinBudget]
	// must remain after the reserve.
	Window int
	// Reserve is kept free for the answer, in tokens; 0: an eighth of the
	// window, at most 4,096. All percentages are of the window minus it.
	Reserve int
	// Thresholds say when to act; the zero value is [DefaultThresholds].
	Thresholds Thresholds
	// Counter counts tokens; nil: as the model does where that is known, else by
	// an estimate that learns from what the model reports; without a model as
	// cl100k.
	Counter Counter
	// ImageTokens is what an image costs; 0: by its size, at most 1,600.
	ImageTokens int
	// Temperature of answers; nil: the server's own.
	Temperature *float64

	// System is the system prompt, Snapshot what follows it: frozen memory that
	// changes only by [Manager.SetSnapshot].
	System, Snapshot string
	// Tools the model may call. Whoever calls the manager runs them.
	Tools []llm.Tool
	// MemoryTools are the names of tools that read memory. What they return is
	// memory already and is not extracted again.
	MemoryTools []string
	// SaveTools are the names of tools that write memory. What they were told to
	// save is not extracted again either.
	SaveTools []string
	// ExpandTool is the name of a tool that takes {"from", "to"} and returns
	// those turns, which shortened passages then mention; empty: they only say
	// that the ledger has the whole.
	ExpandTool string

	// Ledger keeps the conversation; nil: in the process, gone with it.
	Ledger Ledger
	// Memory takes and gives facts; nil: none.
	Memory Memory
	// NoRecall switches automatic recall off.
	NoRecall bool
	// RecallTokens caps what is recalled for one turn; 0: 400.
	RecallTokens int
	// RecallLimit is the most memories for one turn; 0: 5.
	RecallLimit int
	// RecallTimeout bounds an automatic recall; 0: 2 s.
	RecallTimeout time.Duration

	// ModelTimeout bounds one call for extraction or a summary; 0: 60 s.
	// Answers are bounded by the caller's context.
	ModelTimeout time.Duration
	// MaxCalls bounds the calls of one flush and of one summary, each; what is
	// left is done by rules. 0: 24.
	MaxCalls int
	// Background has the small model work beside the conversation: rules extract and
	// summarize at once, and what the model makes of the same turns is taken over at a
	// later request. No message waits for it. [Manager.Flush] and [Manager.Compact] do.
	Background bool

	// OnEvent receives what the manager does, in order, from the goroutine that
	// called it. It must not call the manager, save for [Manager.Usage].
	OnEvent func(Event)
	// OnDelta is handed the answer as it arrives; an error from it stops the
	// answer.
	OnDelta func(llm.Delta) error
	// Now is the clock; nil: time.Now.
	Now func() time.Time

	// spawn runs work in the background; nil: in a goroutine. Tests run it when they like.
	spawn func(work func())
}

// Thresholds are shares of the budget (the window minus the reserve), in
// (0,1], ascending.
type Thresholds struct {
	Flush   float64 // extract facts; the conversation stays as it is
	Compact float64 // extract, then replace old turns by a summary
	Warn    float64 // warn the model that the context is nearly full
	Prune   float64 // leave out everything but the first and last groups
}

// DefaultThresholds are 60, 70, 80 and 90 %.
func DefaultThresholds() Thresholds {
	return Thresholds{Flush: 0.60, Compact: 0.70, Warn: 0.80, Prune: 0.90}
}

const (
	defaultWindow = 8192
	// defaultModelTimeout bounds a call for extraction or a summary.
	defaultModelTimeout = time.Minute
	defaultReserve      = 4096 // the most; an answer longer than it is rare
	// MinBudget is the least number of tokens, without the reserve, in which a
	// conversation can be held.
	MinBudget = 1024
	// fixedShare is how much of the budget system prompt, snapshot and tools may
	// take. The room between it and the compaction threshold is what a
	// conversation lives in; with less, every turn would compact.
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

// validate reports the first field that cannot be used; it runs after
// withDefaults.
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

// cl100k is the counter that is used where none is given.
type cl100k struct{}

func (cl100k) Count(text string) int { return token.Count(text) }

// Ledger is the durable record of one conversation. The manager calls it from
// one goroutine at a time.
type Ledger interface {
	// Append adds turns at the end, all or none, and is durable when it returns.
	// It returns them as they are kept: with ID, Session, times and an ascending
	// Seq, secrets redacted. What it returns is what the model will see.
	Append(ctx context.Context, turns []strata.Turn) ([]strata.Turn, error)
	// Turns returns at most limit turns whose Seq is greater than after, in
	// order; limit 0 means all.
	Turns(ctx context.Context, after int64, limit int) ([]strata.Turn, error)
	// LoadState returns what SaveState kept last; nil when there is none.
	LoadState(ctx context.Context) ([]byte, error)
	// SaveState replaces the state, atomically: a reader sees the old or the new.
	SaveState(ctx context.Context, state []byte) error
	// SetStateAside keeps a state that cannot be used apart, for a person to
	// look at, so that LoadState returns nil.
	SetStateAside(ctx context.Context, reason string) error
}

// Forgetting is a [Ledger] of whose turns, or of what was recalled into whose
// conversation, something can be forgotten while it continues. It then refuses
// states with the code forgotten until it was asked.
type Forgetting interface {
	// Forgot reports whether something was forgotten since the conversation was
	// opened or Forgot was called last. Before is the snapshot that the ledger
	// had handed out, after what is left of it.
	Forgot(ctx context.Context) (before, after string, forgot bool, err error)
}

// Recording is a [Ledger] that makes turns and a state durable at once, at about
// the cost of one of them. The manager saves states with answers where it can.
type Recording interface {
	// AppendWithState does what Append and SaveState do, both or neither. The
	// state tells of the conversation before the turns. It may hold a secret, if
	// what two turns said apart is one together, and is then refused: it has a
	// checksum. After an error that refuses what was given (rejected_secret,
	// forgotten, too_large, invalid) or says full, the manager tries the two
	// apart, the state without its secrets.
	AppendWithState(ctx context.Context, turns []strata.Turn, state []byte) ([]strata.Turn, error)
}

// Extracting is a [Ledger] whose turns others read for their facts once the conversation
// is quiet, if it was left without a flush.
type Extracting interface {
	// Extracted is told that the facts of all turns up to one are saved, as rules found
	// them, and a model if byModel is set: they need not be read again.
	Extracted(ctx context.Context, last int64, byModel bool) error
}

// Memory is where facts go and come from.
type Memory interface {
	// Save writes candidates and returns one decision each, in order. The same
	// RequestID a second time changes nothing and returns the stored decision.
	Save(ctx context.Context, cs []strata.Candidate) ([]strata.Decision, error)
	// RelatedFacts returns at most limit current facts that turns may be about, the likeliest
	// first.
	RelatedFacts(ctx context.Context, turns []strata.Turn, limit int) ([]strata.Fact, error)
	// Recall returns what may help with the request, best first. It counts as
	// automatic: nobody asked for it.
	Recall(ctx context.Context, r RecallRequest) ([]strata.Hit, error)
}

// Refreshing is a [Memory] that says what became of facts while a conversation shows
// them.
type Refreshing interface {
	// Current returns what is believed now in the place of facts, by the ids that they
	// were shown with: the fact itself, as it reads now, or the one that took its place.
	// A fact that is not believed any more has no entry.
	Current(ctx context.Context, ids []string) (map[string]strata.Hit, error)
}

// RecallRequest asks memory for what a user's turn may need.
type RecallRequest struct {
	Query  string   // what the user said, shortened to [MaxRecallQuery] bytes
	Turn   int64    // Seq of the user's turn, for the trace
	Tokens int      // the most the texts of all hits may cost
	Limit  int      // the most hits
	Seen   []string // ids that are in the window already
	// Shown are the turns of the conversation that the window shows.
	Shown []strata.TurnRange
}

// MaxRecallQuery is the longest query the manager sends, in bytes. What a user
// wants is at the ends of a long message, so its middle is left out.
const MaxRecallQuery = 4 << 10

// Counter counts the tokens of a text. Its answer must depend on the text
// alone, because costs are kept: what the model reports is learned by the
// manager, for whole requests. It is safe for concurrent use. Of a counter that the
// manager chose, an estimate serves until its table is loaded.
type Counter interface {
	Count(text string) int
}
