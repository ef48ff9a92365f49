// Package queue extracts facts from the turns that wait for it: of conversations that
// were taken in, and of any session on request.
//
// What waits is in the store, for the rules and for a model each with how far it came,
// so that a killed process loses nothing and the next goes on. Rules read first, at
// once; a model reads on in the background and is shown what they found.
//
// A model is slow, costs something and does not say the same twice, so that a session is
// read by one worker at a time, of all processes: it claims the session, renews its lease
// while the model works, and whoever lost it writes nothing. Turns that come meanwhile
// are read in the same go. A failed attempt is followed by others after pauses that
// double; then the session is given up, with the reason, until it is wanted again. Rules
// need no lease: what they find follows from the turns alone and is decided about once,
// by its request id, however many read. So no model, process or lease ever delays them.
package queue

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/worker"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/extract/saved"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/store"
)

const (
	// page is how many turns facts are extracted from before they are written.
	page = 500
	// lookback is how many turns before them are searched for what was said last, and
	// lastSaid how many turns of people are read again of these: a correction points
	// back.
	lookback = 64
	lastSaid = 8
)

// Memory is where facts go.
type Memory interface {
	// WriteBatch writes candidates, all or none, and returns one decision each.
	WriteBatch(ctx context.Context, cs []strata.Candidate) ([]strata.Decision, error)
	// Owner returns the scope that a candidate would be written to.
	Owner(c strata.Candidate) (strata.Scope, error)
	// RelatedFacts returns at most limit current facts of a view that turns may be about, the
	// likeliest first.
	RelatedFacts(ctx context.Context, view strata.View, turns []strata.Turn, limit int) ([]strata.Fact, error)
}

// Model reads turns for what they change in memory.
type Model interface {
	// Parts divides turns into parts, in order, that are read in one go each.
	Parts(turns []strata.Turn) [][]strata.Turn
	// Read returns what turns change in memory, of which known may be meant. What was
	// said before them is shown too and says nothing by itself. Dropped says of each
	// change that was not taken why.
	Read(ctx context.Context, before, turns []strata.Turn, known []strata.Fact) (found []strata.Candidate, dropped []string, err error)
}

// Options configure a queue. All but Model, Ledger, Editor and Readings must be set.
type Options struct {
	Store  store.Store
	Memory Memory
	Model  Model // nil: rules alone
	// Ledger learns where the user corrects the agent, and Editor how calls of tools that
	// failed worked then, from the turns that the rules have read; nil: nothing is learned.
	Ledger *sessions.Ledger
	Editor *edit.Editor
	// Readings is woken when the rules have read what a session had waiting for them, and
	// the model may read on ([Queue.Background]); nil: it reads when it is asked to.
	Readings *worker.Worker
	Logger   *slog.Logger
}

// Queue extracts facts from turns. It is safe for concurrent use.
type Queue struct {
	store   store.Store
	memory  Memory
	model   Model
	ledger  *sessions.Ledger
	editor  *edit.Editor
	reading *worker.Worker
	log     *slog.Logger
	lease   time.Duration
}

// New returns a queue over a store.
func New(o Options) *Queue {
	return &Queue{store: o.Store, memory: o.Memory, model: o.Model, ledger: o.Ledger, editor: o.Editor, reading: o.Readings, log: o.Logger, lease: defaultLease}
}

// Extract finds what is worth remembering in the turns of a session, by rules,
// and writes it. Turns that were extracted before yield nothing again. It
// returns the new decisions.
func (q *Queue) Extract(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error) {
	r := reading{Extraction: store.Extraction{Scope: scope, Session: session, Extractor: store.ByRules}}
	last, err := q.readByRules(ctx, &r, 0)
	if err == nil && last == 0 {
		err = strata.NotFound("extract", "session", session)
	}
	if err != nil {
		return r.decisions, err
	}
	r.After = last // what waited for the rules is read with it
	return r.decisions, q.store.Update(ctx, func(w store.Writer) error { return w.MoveExtraction(ctx, r.Extraction) })
}

// ExtractNew extracts facts from those turns of a session that wait for it, a page
// at a time. How far it came is kept: after a kill it goes on there.
func (q *Queue) ExtractNew(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error) {
	x, err := store.Read(ctx, q.store, func(r store.Reader) (store.Extraction, error) {
		return r.Extraction(ctx, scope, session, store.ByRules)
	})
	if strata.CodeOf(err) == strata.CodeNotFound {
		q.reading.Wake()
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := reading{Extraction: x}
	for {
		last, err := q.readByRules(ctx, &r, page)
		if err != nil {
			return r.decisions, err
		}
		failpoint.Hit(failpoint.FactsTakenIn)
		if err := q.move(ctx, &r, last); err != nil {
			return r.decisions, err
		}
		if r.done {
			q.reading.Wake()
			return r.decisions, nil
		}
	}
}

// Outstanding extracts facts from all turns that wait for the rules, of all
// sessions. One whose facts cannot be written is tried again after a pause, and given up
// in the end; the others are read. It returns [ErrLater] if some are left for another
// time.
func (q *Queue) Outstanding(ctx context.Context) error {
	for {
		due, err := q.list(ctx, store.ExtractionFilter{Extractor: store.ByRules, Due: true, Limit: page})
		if err != nil {
			return err
		}
		if len(due) == 0 {
			return q.later(ctx, store.ByRules)
		}
		for _, x := range due {
			_, err := q.ExtractNew(ctx, x.Scope, x.Session)
			if err != nil && (ctx.Err() != nil || passing(err)) {
				return fmt.Errorf("extract from session %s: %w", x.Session, err)
			}
			if err == nil {
				continue
			}
			if err := q.fail(ctx, x, err); err != nil {
				return err
			}
		}
	}
}

// Found returns what the rules find in turns of a session in a scope that were not
// decided about before, and writes nothing.
func (q *Queue) Found(ctx context.Context, scope strata.Scope, turns []strata.Turn) ([]strata.Candidate, error) {
	return store.Read(ctx, q.store, func(r store.Reader) ([]strata.Candidate, error) {
		return q.unseen(ctx, r, saved.In(turns, isSave).Without(extract.After(nil, spoken(turns))), scope)
	})
}

// list lists sessions.
func (q *Queue) list(ctx context.Context, f store.ExtractionFilter) ([]store.Extraction, error) {
	return store.Read(ctx, q.store, func(r store.Reader) ([]store.Extraction, error) { return r.Extractions(ctx, f) })
}

// reading is the reading of one session by one extractor.
type reading struct {
	store.Extraction
	begun     bool  // from and last are known
	from      int64 // the turn after which it began
	last      int64 // the last turn there was then
	decisions []strata.Decision
	done      bool // nothing waits any more
}

// turnsAfter returns up to limit turns that follow the last that was read, 0 for all,
// and what was said last before them.
func (q *Queue) turnsAfter(ctx context.Context, r *reading, limit int) (before, turns []strata.Turn, err error) {
	err = q.store.View(ctx, func(s store.Reader) error {
		if before, err = lastTurns(ctx, s, r.Extraction); err != nil {
			return err
		}
		if turns, err = s.Turns(ctx, r.Scope, r.Session, store.TurnFilter{After: r.After, Limit: limit, NoImages: true}); err != nil || r.begun {
			return err
		}
		session, err := s.Session(ctx, r.Scope, r.Session)
		if strata.CodeOf(err) == strata.CodeNotFound {
			return nil // it has no turns
		}
		r.begun, r.from, r.last = true, r.After, session.Turns
		return err
	})
	return before, turns, err
}

// move records how far an extractor has read. Where nothing waits any more an event tells
// of it in the same transaction.
func (q *Queue) move(ctx context.Context, r *reading, to int64) error {
	x, done := r.Extraction, false
	x.After = max(x.After, to)
	err := q.store.Update(ctx, func(w store.Writer) error {
		if err := w.MoveExtraction(ctx, x); err != nil {
			return err
		}
		_, err := w.Extraction(ctx, x.Scope, x.Session, x.Extractor)
		if done = strata.CodeOf(err) == strata.CodeNotFound; !done {
			return err
		}
		return r.tell(ctx, w, x.After)
	})
	if strata.CodeOf(err) == strata.CodeConflict {
		return errLost
	}
	if err == nil {
		r.After, r.done = x.After, done
		r.Attempts, r.RetryAt, r.LastError = 0, time.Time{}, "" // what went well is no reason to give up
	}
	return err
}

// tell records that a session was read to its end, and that it was widened meanwhile.
func (r *reading) tell(ctx context.Context, w store.Writer, to int64) error {
	if to <= r.from {
		return nil // another read it
	}
	e := strata.Event{Kind: strata.EventExtractionCompleted, Scope: r.Scope, Ref: r.Session,
		Detail: fmt.Sprintf("%s: turns %d to %d, decisions: %d", r.Extractor, r.from+1, to, len(r.decisions))}
	if err := w.AppendEvent(ctx, e); err != nil || to <= r.last {
		return err
	}
	e.Kind = strata.EventExtractionCoalesced
	e.Detail = fmt.Sprintf("%s: the turns %d to %d came while those before were read", r.Extractor, r.last+1, to)
	return w.AppendEvent(ctx, e)
}

// readByRules extracts facts from up to limit turns of a session, those after the
// last that was read; limit 0 means all. It returns the number of the last of them, 0
// if there is none. Where memory refuses all for what one says, the others are written.
func (q *Queue) readByRules(ctx context.Context, r *reading, limit int) (last int64, err error) {
	before, turns, err := q.turnsAfter(ctx, r, limit)
	if err != nil || len(turns) == 0 {
		return 0, err
	}
	said := spoken(turns)
	found := saved.In(turns, isSave).Without(extract.After(before, said))
	fresh, err := store.Read(ctx, q.store, func(s store.Reader) ([]strata.Candidate, error) { return q.unseen(ctx, s, found, r.Scope) })
	if err != nil {
		return 0, err
	}
	for batch := range slices.Chunk(fresh, page) {
		some, err := q.memory.WriteBatch(ctx, batch)
		r.decisions = append(r.decisions, some...)
		if err != nil && !passing(err) && ctx.Err() == nil {
			err = q.write(ctx, r, batch)
		}
		if err != nil {
			return 0, err
		}
	}
	if q.ledger != nil {
		if err := q.ledger.LearnCorrections(ctx, r.Scope, r.Session, before, said); err != nil {
			return 0, err
		}
	}
	last = turns[len(turns)-1].Seq
	if q.editor != nil && slices.ContainsFunc(turns, func(t strata.Turn) bool { return t.Role == strata.RoleTool }) {
		err = q.editor.LearnSkills(ctx, r.Scope, r.Session, r.After, last)
	}
	return last, err
}

// lastTurns returns what people said last before the turns that are to be read.
func lastTurns(ctx context.Context, r store.Reader, x store.Extraction) ([]strata.Turn, error) {
	if x.After == 0 {
		return nil, nil
	}
	turns, err := r.Turns(ctx, x.Scope, x.Session, store.TurnFilter{After: max(x.After-lookback, 0), Until: x.After, NoImages: true})
	return lastOf(spoken(turns)), err
}

// lastOf are the last few of turns that were said.
func lastOf(said []strata.Turn) []strata.Turn { return said[max(len(said)-lastSaid, 0):] }

// spoken returns the turns of people and assistants, without the blocks of memory that
// were shown in them: nothing that was recalled is learned as new.
func spoken(turns []strata.Turn) []strata.Turn {
	var out []strata.Turn
	for _, t := range turns {
		if t.Forgotten || t.Role == strata.RoleTool || t.Role == strata.RoleSystem {
			continue
		}
		t.Text = fence.Without(t.Text)
		out = append(out, t)
	}
	return out
}

// saveTools are the tools of agents that keep what they are told, as package ops names
// them.
var saveTools = []string{"memory_save", "remember"}

// isSave reports whether a tool keeps what it is told. Agents put the name of its server
// before that of a tool: mcp__strata__memory_save.
func isSave(tool string) bool {
	return slices.ContainsFunc(saveTools, func(name string) bool {
		rest, ok := strings.CutSuffix(tool, name)
		return ok && (rest == "" || strings.ContainsAny(rest[len(rest)-1:], "_.:/-"))
	})
}

// unseen gives extracted candidates their request ids, which follow from the
// turns they came from and what they say, and leaves out those that were decided
// before.
func (q *Queue) unseen(ctx context.Context, r store.Reader, cs []strata.Candidate, session strata.Scope) ([]strata.Candidate, error) {
	var out []strata.Candidate
	for _, c := range cs {
		c.RequestID = extract.RequestID(c)
		c.Origin = strata.OriginExtractor
		// A fact learned in a workspace or from an agent goes where its type
		// belongs within that scope.
		c.Workspace, c.Agent = session.Workspace, session.Agent
		owner, err := q.memory.Owner(c)
		if err != nil {
			return nil, fmt.Errorf("extracted from %v: %w", c.Sources, err)
		}
		_, err = r.DecisionByRequest(ctx, owner, c.RequestID)
		if strata.CodeOf(err) == strata.CodeNotFound {
			out = append(out, c)
		} else if err != nil {
			return nil, err
		}
	}
	return out, nil
}
