// Package engine is the single write path and the single read path of Strata.
//
// Every change of memory is a [strata.Candidate] given to [Engine.Write]; every question
// is a [strata.Query] given to [Engine.Query]. Only this package orders side effects: it
// scans and embeds a candidate, reads the facts it may affect, has the controller decide,
// applies the decision in one transaction and then updates the projections.
//
// # Guarantees
//
//   - A write is durable once it returns: it survives a kill and a power failure.
//   - Repeating a request with the same id does not repeat the write.
//   - A read sees every write committed before it, by any process.
//   - No read returns anything from a scope outside its view.
//   - Bad input returns a [strata.Error] and changes nothing.
//
// # Authority and index
//
// Facts, turns, decisions and tombstones in the store are the authority, and so are the
// files of scopes for what people write in them. Passages, words and vectors are derived:
// [Engine.Reindex] rebuilds them to the same answers. Every change of a passage has a
// number that only grows, and a removal leaves a record, so that caches catch up inside a
// read transaction.
//
// Background work is a table first: passages without vectors, sessions whose facts are
// outstanding, files and transcripts to be written, and dreams survive a kill.
//
// # Ownership
//
// An Engine owns its store and the goroutines it starts; [Engine.Close] waits for the
// goroutines and closes the store.
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

// Options configure an engine. The zero value and nil are valid: no vectors, no files, no
// model.
type Options struct {
	// Embedder makes vectors. Without one, recall works on words alone and says so. If
	// the home has vectors of another model, it is embedded again in the background, as
	// with [Engine.UseEmbedder].
	Embedder llm.Embedder
	// KeepModel keeps the model of a home that has vectors. Embedder is then used only
	// for a home that has none.
	KeepModel bool
	// Embedders returns the embedder of the named model, so that existing vectors stay
	// useful, or nil if it is not available. It must not block, and is called often for
	// models it does not find. It may be nil.
	Embedders func(model string) llm.Embedder
	// Words are the home's own word vectors for the built-in embedder; nil means that the
	// home has only those of the program.
	Words WordVectors
	// EmbedTimeout bounds one embedding call of a write or read. A write whose embedding
	// fails continues and is embedded later. 0 means 2 s. Neither this nor BatchTimeout
	// applies to an [llm.InProcess] embedder.
	EmbedTimeout time.Duration
	// BatchTimeout bounds one embedding call in the background, of up to 256
	// texts. 0 means 1 min.
	BatchTimeout time.Duration
	// Tree holds the directories of scopes and their files, which are updated after
	// decisions. nil means there are no files: documents are kept until a tree exists to
	// write them to.
	Tree files.Tree
	// Origins tells where files came from, which identifies those that came with a
	// repository; nil means that none did.
	Origins files.Origins
	// History keeps the versions of the files; nil means there is none.
	History files.History
	// LeaveUnrecorded makes Close leave changed files to the next checkpoint or end of a
	// session. It suits a program that opens memory for one change.
	LeaveUnrecorded bool
	// Transcripts keeps the transcripts of closed sessions; nil means there are
	// none.
	Transcripts files.Transcripts
	// Archives stores the files of archived sessions; nil means that sessions cannot be
	// archived.
	Archives files.Transcripts
	// Retention says what is archived or pruned in the background.
	Retention Retention
	// Adviser is asked when the rules cannot decide; nil means that the default of the
	// rules applies.
	Adviser Adviser
	// Model reads recorded conversations for facts in the background, after the rules
	// have; nil means rules alone.
	Model llm.Chat
	// ModelWindow is the context size of Model in tokens. 0 means 8,192.
	ModelWindow int
	// ModelOnCall makes Model read only when [Engine.ExtractByModel] is called, not in
	// the background. It suits a program that imports one transcript.
	ModelOnCall bool
	// ExtractIdle is how long an open conversation must be idle before it is read for
	// facts, at most 6 h. 0 means 10 min.
	ExtractIdle time.Duration
	// ModelLimits bound the daily use of Model and of the models of [Engine.Metered]. 0
	// means no limit.
	ModelLimits ModelLimits
	// AdviseTimeout bounds one question to the adviser. 0 means 5 s.
	AdviseTimeout time.Duration
	// Dreams say when memory consolidates itself, which happens at the end of a session.
	Dreams DreamSettings
	// DreamMeanwhile makes the engine also check when it opens, and every half hour,
	// whether a scope is due. It suits a program that keeps memory open.
	DreamMeanwhile bool
	// KeepRecalls is the number of recall events kept for each scope. 0 means 10,000.
	KeepRecalls int
	// Logger receives errors of background work; nil discards them.
	Logger *slog.Logger
	// Notice is called with a sentence when files were not waited for; it may be nil.
	Notice func(string)
	// Now is the clock; nil means time.Now. It is called from several goroutines.
	Now func() time.Time
}

// Adviser decides ambiguous cases, in which a new statement and known facts may or may
// not be about the same thing. It is usually a language model.
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
		out.History = nil // there are no files to keep versions of
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
	// The engine has the methods of these parts.
	*Ledger  // keeps sessions
	*Library // finds documents
	*Editor  // composes and moves documents
	*Intake  // records hand edits of files
	*Journal // reports on dreams

	store store.Store
	opts  Options
	ids   id.Maker

	categories categoryCache
	regrouper  regrouper // regroups categories in the background

	models *embedding.Models // with their embedders

	projector   *projection.Projector
	checkpoints *checkpoint.Recorder // nil without files or a history

	embeds      *worker.Worker // makes vectors that a write did not wait for
	backfills   *worker.Worker // makes the vectors of another model
	projections *worker.Worker // renders files
	scans       *worker.Worker // records changes to watched files
	transcripts *sessions.Transcripts
	exports     *worker.Worker // writes the transcripts of closed sessions
	archiver    *sessions.Archiver
	meter       *quota.Meter
	outages     *outage.Watch

	summaries   *summary.Keeper
	drafts      *skills.Keeper
	retention   *worker.Worker // archives and prunes old sessions and logs
	queue       *ExtractionQueue
	extractions *worker.Worker // extracts facts from turns that a killed process left
	readings    *worker.Worker // has a model read recorded turns
	quiet       worker.Task    // looks for idle conversations
	dreams      dreams         // consolidates scopes that are due
	recorder    *recorder

	open      context.Context // ends when the engine is closed
	endOpen   context.CancelFunc
	closeOnce sync.Once
	closeErr  error
}

// transcriptsAtOpen is how many outstanding transcripts Open writes before it returns;
// the rest follow in the background.
const transcriptsAtOpen = 64

// Open returns an engine over st and takes ownership of it: st is closed with the engine,
// and also if Open fails. If an earlier process was killed before it had updated files
// for its decisions and written the transcripts of closed sessions, Open does so before
// it returns. If much is outstanding, the background does the rest.
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
	// Updating files may record what a person wrote in them meanwhile. That is a write
	// like any other and needs all of the above.
	if err := e.projector.Replay(ctx); err != nil && ctx.Err() == nil {
		e.opts.Logger.Warn("files do not follow yet", "error", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, errors.Join(fmt.Errorf("replay decisions: %w", err), e.Close())
	}
	// Extract from turns that an earlier process left. Without such turns, do not start:
	// the background would read new turns before their speaker can be told what became of
	// them.
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

// prepareWork creates the workers that parts of the engine wake. They are started once
// all parts exist.
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

// Now returns the time of the engine's clock.
func (e *Engine) Now() time.Time { return e.opts.Now() }

// Close finishes work in progress, updates and records the files changed by decisions of
// this engine, stops the background work and closes the store. Calling it again returns
// the same result. Work that cannot be finished now, such as with an embedder that does
// not answer or files of very many decisions, is durable and continues at the next Open.
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

// Drain waits until all background work is done: recall events, files and transcripts are
// written, and every passage has its vector, including that of a model about to take
// over. It does not wait for what only another process can do because its embedder is not
// available here. It returns the first error that keeps work from finishing.
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
