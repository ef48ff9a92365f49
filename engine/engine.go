// Package engine is Strata's one write path and one read path.
//
// Every change of memory, from whichever face, is a [strata.Candidate] given
// to [Engine.Write]; every question is a [strata.Query] given to
// [Engine.Query]. Only this package orders side effects: it scans, embeds,
// reads the targets, has the controller decide, applies the decision in one
// transaction and lets the projections follow.
//
// # Guarantees
//
//   - A write that returned is durable: it survives a kill and a power cut.
//   - It is there once, however often a request with the same id is repeated.
//   - A read sees every write committed before it, by any process.
//   - No read returns anything of a scope outside its view.
//   - Bad input is a [strata.Error] and changes nothing.
//
// # Ownership
//
// An Engine owns the store it was opened with and the goroutines it starts;
// [Engine.Close] joins them and closes the store.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/clock"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/base/worker"
	"github.com/strata-memory/strata/internal/documents/checkpoint"
	"github.com/strata-memory/strata/internal/documents/projection"
	"github.com/strata-memory/strata/internal/dream/skills"
	"github.com/strata-memory/strata/internal/dream/summary"
	"github.com/strata-memory/strata/internal/extract/queue"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/models/outage"
	"github.com/strata-memory/strata/internal/models/quota"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// Options configure an engine. The zero value, and nil, are ready to use: no
// vectors, no files, no model.
type Options struct {
	// Embedder makes vectors. Without one, recall runs on words and says so. A
	// home whose vectors are of another model is embedded anew in the
	// background, as with [Engine.UseEmbedder].
	Embedder llm.Embedder
	// KeepModel leaves a home that has vectors with the model it has: Embedder is
	// for a home that has none.
	KeepModel bool
	// Embedders finds the embedder of a model by its name, so that vectors made
	// before still answer; nil is returned for a model that is not at hand. It
	// must not block and is called often for what it does not find. It may be
	// nil itself.
	Embedders func(model string) llm.Embedder
	// Words are the vectors of words that the home has for the built-in embedder;
	// nil means that it has those of the program alone.
	Words WordVectors
	// EmbedTimeout bounds one embedding call of a write or read; a write whose
	// embedding fails goes on and is embedded later. 0 means 2 s. It is not for
	// an [llm.InProcess] embedder, nor is BatchTimeout.
	EmbedTimeout time.Duration
	// BatchTimeout bounds one embedding call in the background, of up to 256
	// texts. 0 means 1 min.
	BatchTimeout time.Duration
	// Tree is the directories of scopes and the files in them, which follow what
	// is decided; nil means there are none: documents are kept and wait for a
	// tree to be written to.
	Tree files.Tree
	// Origins tells how files came to where they lie, by which those are known that came
	// with a repository; nil: none did.
	Origins files.Origins
	// History keeps the versions of the files; nil means there is none.
	History files.History
	// LeaveUnrecorded has Close leave files that changed to the next checkpoint
	// or end of a session, as suits a program that opens memory for one change.
	LeaveUnrecorded bool
	// Transcripts keeps the transcripts of closed sessions; nil means there are
	// none.
	Transcripts files.Transcripts
	// Archives keeps the files of sessions that are archived, as it does transcripts; nil
	// means that none can be.
	Archives files.Transcripts
	// Retention says what is put away in the background.
	Retention Retention
	// Adviser is asked where the rules alone cannot decide; nil means the
	// rules' own default stands.
	Adviser Adviser
	// Model reads the conversations that are taken in, in the background and after the
	// rules; nil means that rules alone do.
	Model llm.Chat
	// ModelWindow is the context of Model in tokens. 0 means 8,192.
	ModelWindow int
	// ModelOnCall leaves what waits for Model to [Engine.ExtractByModel], as suits a
	// program that takes one transcript in: the background does not read.
	ModelOnCall bool
	// ExtractIdle is for how long nothing was appended to a conversation before it is
	// read for its facts without being closed, at most 6 h. 0 means 10 min.
	ExtractIdle time.Duration
	// ModelLimits bound what Model, and the models of [Engine.Metered], are asked of in a
	// day. 0 is no limit.
	ModelLimits ModelLimits
	// AdviseTimeout bounds one question to the adviser. 0 means 5 s.
	AdviseTimeout time.Duration
	// Dreams say when memory consolidates itself. It does at the end of a session.
	Dreams DreamSettings
	// DreamMeanwhile has it look also at opening and every half hour whether a scope
	// is due, as suits a program that keeps memory open.
	DreamMeanwhile bool
	// KeepRecalls is how many recall events a scope keeps. 0 means 10,000.
	KeepRecalls int
	// Logger receives what goes wrong in the background; nil discards it.
	Logger *slog.Logger
	// Notice is told, in a sentence, that files were not waited for; it may be nil.
	Notice func(string)
	// Now is the clock; nil means time.Now. It is asked from several goroutines.
	Now func() time.Time
}

// Adviser answers where a new statement and what is known may or may not
// speak of the same thing. A language model usually does.
type Adviser interface {
	Advise(ctx context.Context, c strata.Candidate, a Ambiguity) (Advice, error)
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	out.EmbedTimeout = cmp.Or(out.EmbedTimeout, 2*time.Second)
	out.BatchTimeout = cmp.Or(out.BatchTimeout, time.Minute)
	out.AdviseTimeout = cmp.Or(out.AdviseTimeout, 5*time.Second)
	out.KeepRecalls = cmp.Or(out.KeepRecalls, 10_000)
	out.ExtractIdle = cmp.Or(out.ExtractIdle, 10*time.Minute)
	out.Logger = cmp.Or(out.Logger, slog.New(slog.DiscardHandler))
	out.Now = clock.Bounded(out.Now)
	if out.Tree == nil {
		out.History = nil // of no files
	}
	return out
}

func (o *Options) validate() error {
	const op = "open engine"
	switch {
	case o.EmbedTimeout < 0:
		return strata.Invalid(op, fmt.Sprintf("EmbedTimeout is %v", o.EmbedTimeout), "use a positive duration, or 0 for 2s")
	case o.BatchTimeout < 0:
		return strata.Invalid(op, fmt.Sprintf("BatchTimeout is %v", o.BatchTimeout), "use a positive duration, or 0 for 1m")
	case o.AdviseTimeout < 0:
		return strata.Invalid(op, fmt.Sprintf("AdviseTimeout is %v", o.AdviseTimeout), "use a positive duration, or 0 for 5s")
	case o.ExtractIdle < 0 || o.ExtractIdle > store.MaxExtractionPause:
		return strata.Invalid(op, fmt.Sprintf("ExtractIdle is %v", o.ExtractIdle), "use a duration up to 6h, or 0 for 10m")
	case o.KeepRecalls < 0:
		return strata.Invalid(op, fmt.Sprintf("KeepRecalls is %d", o.KeepRecalls), "use a positive number, or 0 for 10,000")
	}
	return o.Dreams.Validate()
}

// Engine is an open memory. It is safe for concurrent use.
type Engine struct {
	// The methods of these are those of the engine.
	*Ledger  // keeps sessions
	*Library // finds documents
	*Editor  // composes and moves documents
	*Intake  // takes in what is done to files by hand
	*Journal // says what dreams did

	store store.Store
	opts  Options
	ids   id.Maker

	categories categoryCache
	regrouper  regrouper // looks through categories in the background

	models *embedding.Models // and who makes their vectors

	projector   *projection.Projector
	checkpoints *checkpoint.Recorder // nil without files or a history of them

	embeds      *worker.Worker // fills vectors in that a write could not wait for
	backfills   *worker.Worker // makes the vectors of another model
	projections *worker.Worker // renders files
	scans       *worker.Worker // takes in what was done to files that are watched
	transcripts *sessions.Transcripts
	exports     *worker.Worker // writes the transcripts of closed sessions
	archiver    *sessions.Archiver
	meter       *quota.Meter
	outages     *outage.Watch

	summaries   *summary.Keeper
	drafts      *skills.Keeper
	retention   *worker.Worker // puts old sessions and logs away
	queue       *ExtractionQueue
	extractions *worker.Worker // extracts facts from turns that a killed process left
	readings    *worker.Worker // has a model read what was taken in
	quiet       worker.Task    // looks for conversations that nobody goes on with
	dreams      dreams         // consolidates scopes that are due
	recorder    *recorder

	open      context.Context // ends when the engine is closed
	endOpen   context.CancelFunc
	closeOnce sync.Once
	closeErr  error
}

// transcriptsAtOpen is how many outstanding transcripts Open writes itself; the
// rest follow in the background.
const transcriptsAtOpen = 64

// Open returns an engine over st and takes ownership of it: st is closed with
// the engine, and also when Open fails. Where an earlier process was killed
// before its files followed what it had decided last, they do before Open
// returns, and the transcripts of sessions that it closed are written; if much
// is outstanding, Open begins with it and the background does the rest.
func Open(ctx context.Context, st store.Store, opts *Options) (*Engine, error) {
	e := &Engine{store: st, opts: opts.withDefaults()}
	e.open, e.endOpen = context.WithCancel(context.Background())
	if err := e.opts.validate(); err != nil {
		e.endOpen()
		return nil, errors.Join(err, st.Close())
	}
	e.prepareWork()
	e.outages = outage.New(st, e.opts.Now, e.opts.Logger)
	e.models = embedding.New(st, embedding.Options{
		Words: e.opts.Words, Outages: e.outages,
		Embedder: e.opts.Embedder, KeepModel: e.opts.KeepModel, Find: e.opts.Embedders,
		CallTimeout: e.opts.EmbedTimeout, BatchTimeout: e.opts.BatchTimeout,
		Holder: e.ids.New("engine", e.opts.Now()), Queues: e.embeds, Backfills: e.backfills,
		Logger: e.opts.Logger, Now: e.opts.Now,
	})
	e.meter = quota.New(st, e.opts.ModelLimits, e.opts.Now)
	e.opts.Model = e.Metered(e.opts.Model)
	e.openDocuments()
	e.openLedger()
	e.openEditor()
	if err := e.models.Start(ctx); err != nil {
		e.endOpen()
		return nil, errors.Join(err, st.Close())
	}
	e.recorder = startRecorder(st, e.opts.KeepRecalls, e.opts.Logger)
	e.projections.Start()
	e.scans.Start()
	e.regrouper.start(e)
	e.exports.Start()
	if err := e.transcripts.WriteFirst(ctx, transcriptsAtOpen); err != nil {
		e.opts.Logger.Warn("transcripts of closed sessions are outstanding", "error", err)
	}
	e.retention.Start()
	e.openQueue()
	e.openDreams()
	// Files that follow may hold what a person wrote meanwhile: taking that in is a write
	// like any other, which needs all of the above.
	if err := e.projector.Replay(ctx); err != nil && ctx.Err() == nil {
		e.opts.Logger.Warn("files do not follow yet", "error", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, errors.Join(fmt.Errorf("replay decisions: %w", err), e.Close())
	}
	// For what an earlier process left. Where it left no turns for the rules they do not
	// look in the background: they would read what is said now before whoever says it
	// can be told what became of it.
	if waits, err := e.queue.Waits(ctx, store.ByRules); waits || err != nil {
		e.extractions.Wake()
	}
	e.wakeModel()
	e.quiet.Start(quietCheck, e.lookForQuiet)
	e.exports.Wake()
	if e.opts.DreamMeanwhile {
		e.retention.Wake()
	}
	e.projections.Wake()
	e.embeds.Start()
	e.backfills.Start()
	e.models.Wake()
	return e, nil
}

// prepareWork makes the workers that parts of the engine wake. They are started when all
// parts are there.
func (e *Engine) prepareWork() {
	log := e.opts.Logger
	e.embeds = worker.New(log, "index", e.finishIndex)
	e.backfills = worker.New(log, "re-embed", func(ctx context.Context) error { return e.models.Backfill(ctx) })
	e.projections = worker.Resting(log, "project", func(turn time.Duration) time.Duration { return e.projector.Rest(turn) },
		func(ctx context.Context) error { return e.projector.Turn(ctx) })
	e.scans = worker.New(log, "scan", func(ctx context.Context) error { return e.SyncChanged(ctx) })
	e.exports = worker.New(log, "export", func(ctx context.Context) error { return e.transcripts.WriteOutstanding(ctx) })
	e.retention = worker.New(log, "retain", e.retain)
	e.readings = worker.New(log, "read by model", func(ctx context.Context) error { return e.queue.Background(ctx) })
	e.extractions = worker.New(log, "extract", func(ctx context.Context) error { return e.queue.Outstanding(ctx) })
}

// Now is the time by the engine's clock.
func (e *Engine) Now() time.Time { return e.opts.Now() }

// Close finishes what is under way, lets files follow what was decided here,
// records them in their history, stops the background work and closes the store.
// It is idempotent. Work that cannot be finished now (an embedder that does not
// answer, files of very many decisions) is durable and goes on at the next Open.
func (e *Engine) Close() error {
	e.closeOnce.Do(func() {
		e.endOpen()
		recordErr := e.recorder.close()
		e.quiet.Close()
		e.dreams.finish(e.opts.Logger)
		e.retention.Close()
		e.readings.Close()
		e.extractions.Close()
		e.exports.Close()
		e.scans.Close()
		e.projections.Close()
		e.finishFiles()
		e.regrouper.close()
		e.backfills.Close()
		e.embeds.Close()
		if strata.CodeOf(recordErr) == strata.CodeReadOnly {
			recordErr = nil // a read-only home keeps no record of recalls
		}
		e.closeErr = errors.Join(recordErr, e.store.Close())
	})
	return e.closeErr
}

// Drain waits until everything under way in the background is done: recall
// events are written, every passage has its vector (also of a model that is to
// follow, which then serves), files and transcripts have followed. What only
// another process can do, whose embedder is not at hand here, is not waited for. It
// returns the error that keeps one of them from finishing.
func (e *Engine) Drain(ctx context.Context) error {
	if err := e.recorder.flush(ctx); err != nil {
		return fmt.Errorf("write recall events: %w", err)
	}
	if err := e.extractions.Drain(ctx); err != nil && !errors.Is(err, queue.ErrLater) {
		return fmt.Errorf("extract facts: %w", err)
	}
	if _, err := e.ExtractByModel(ctx, nil); err != nil {
		return fmt.Errorf("extract facts by a model: %w", err)
	}
	if err := e.dreams.drain(ctx); err != nil {
		return fmt.Errorf("dream: %w", err)
	}
	if err := e.retention.Drain(ctx); err != nil {
		return fmt.Errorf("put away what is old: %w", err)
	}
	if err := e.scans.Drain(ctx); err != nil {
		return fmt.Errorf("take in hand edits: %w", err)
	}
	if err := e.projector.All(ctx); err != nil {
		return fmt.Errorf("render files: %w", err)
	}
	if err := e.regrouper.drain(ctx); err != nil {
		return fmt.Errorf("group facts: %w", err)
	}
	if err := e.exports.Drain(ctx); err != nil {
		return fmt.Errorf("write transcripts: %w", err)
	}
	if err := e.embeds.Drain(ctx); err != nil {
		return fmt.Errorf("embed what is waiting: %w", err)
	}
	if err := e.backfills.DrainWith(ctx, e.models.FinishBackfill); err != nil {
		return fmt.Errorf("embed with another model: %w", err)
	}
	return nil
}
