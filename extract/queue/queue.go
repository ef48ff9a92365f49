// Package queue extracts facts from the turns that wait for it: of conversations that
// were taken in, and of any session on request.
//
// What waits is in the store, for the rules and for a model each with how far it came,
// so that a killed process loses nothing and the next goes on. Rules read first, at
// once; a model reads on in the background and is shown what they found.
package queue

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/extract"
	"github.com/strata-memory/strata/internal/failpoint"
	"github.com/strata-memory/strata/internal/fence"
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
	// Meant returns at most limit current facts of a view that turns may be about, the
	// likeliest first.
	Meant(ctx context.Context, view strata.View, turns []strata.Turn, limit int) ([]strata.Fact, error)
}

// Model reads turns for what they change in memory.
type Model interface {
	// Parts divides turns into parts, in order, that are read in one go each.
	Parts(turns []strata.Turn) [][]strata.Turn
	// Read returns what turns change in memory, of which known may be meant. Dropped
	// says of each change that was not taken why.
	Read(ctx context.Context, turns []strata.Turn, known []strata.Fact) (found []strata.Candidate, dropped []string, err error)
}

// Options configure a queue. All but Model must be set.
type Options struct {
	Store  store.Store
	Memory Memory
	Model  Model // nil: rules alone
	// Ready is called when the rules have read what a session had waiting for them, and
	// the model may read on. It must not block.
	Ready  func()
	Logger *slog.Logger
}

// Queue extracts facts from turns. It is safe for concurrent use.
type Queue struct {
	store  store.Store
	memory Memory
	model  Model
	ready  func()
	log    *slog.Logger
}

// New returns a queue over a store.
func New(o Options) *Queue {
	return &Queue{store: o.Store, memory: o.Memory, model: o.Model, ready: o.Ready, log: o.Logger}
}

// Extract finds what is worth remembering in the turns of a session, by rules,
// and writes it. Turns that were extracted before yield nothing again. It
// returns the new decisions.
func (q *Queue) Extract(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error) {
	all, last, err := q.extractAfter(ctx, store.Extraction{Scope: scope, Session: session}, 0)
	if err == nil && last == 0 {
		err = strata.NotFound("extract", "session", session)
	}
	return all, err
}

// ExtractNew extracts facts from those turns of a session that wait for it, a page
// at a time. How far it came is kept: after a kill it goes on there.
func (q *Queue) ExtractNew(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error) {
	var all []strata.Decision
	for {
		x, err := store.Read(ctx, q.store, func(r store.Reader) (store.Extraction, error) {
			return r.Extraction(ctx, scope, session, store.ByRules)
		})
		if strata.CodeOf(err) == strata.CodeNotFound {
			q.ready()
			return all, nil
		}
		if err != nil {
			return all, err
		}
		some, last, err := q.extractAfter(ctx, x, page)
		all = append(all, some...)
		if err != nil {
			return all, err
		}
		failpoint.Hit(failpoint.FactsTakenIn)
		if err := q.move(ctx, &x, cmp.Or(last, math.MaxInt64)); err != nil { // what waits without turns is done
			return all, err
		}
	}
}

// Outstanding extracts facts from all turns that wait for the rules, of all
// sessions.
func (q *Queue) Outstanding(ctx context.Context) error {
	for {
		due, err := store.Read(ctx, q.store, func(r store.Reader) ([]store.Extraction, error) {
			return r.Extractions(ctx, store.ExtractionFilter{Extractor: store.ByRules, Limit: page})
		})
		if err != nil || len(due) == 0 {
			return err
		}
		for _, x := range due {
			if _, err := q.ExtractNew(ctx, x.Scope, x.Session); err != nil {
				return fmt.Errorf("extract from session %s: %w", x.Session, err)
			}
		}
	}
}

// Found returns what the rules find in turns of a session in a scope that were not
// decided about before, and writes nothing.
func (q *Queue) Found(ctx context.Context, scope strata.Scope, turns []strata.Turn) ([]strata.Candidate, error) {
	return store.Read(ctx, q.store, func(r store.Reader) ([]strata.Candidate, error) {
		return q.unseen(ctx, r, extract.After(nil, spoken(turns)), scope)
	})
}

// move records how far an extractor has read.
func (q *Queue) move(ctx context.Context, x *store.Extraction, to int64) error {
	x.After = to
	return q.store.Update(ctx, func(w store.Writer) error { return w.MoveExtraction(ctx, *x) })
}

// extractAfter extracts facts from up to limit turns of a session, those after the
// last that was read; limit 0 means all. It returns the new decisions and the number
// of the last of them, 0 if there is none.
func (q *Queue) extractAfter(ctx context.Context, x store.Extraction, limit int) (all []strata.Decision, last int64, err error) {
	fresh, err := store.Read(ctx, q.store, func(r store.Reader) ([]strata.Candidate, error) {
		before, err := lastTurns(ctx, r, x)
		if err != nil {
			return nil, err
		}
		turns, err := r.Turns(ctx, x.Scope, x.Session, store.TurnFilter{After: x.After, Limit: limit, NoImages: true})
		if err != nil || len(turns) == 0 {
			return nil, err
		}
		last = turns[len(turns)-1].Seq
		return q.unseen(ctx, r, extract.After(before, spoken(turns)), x.Scope)
	})
	if err != nil {
		return nil, last, err
	}
	for batch := range slices.Chunk(fresh, page) {
		some, err := q.memory.WriteBatch(ctx, batch)
		if err != nil {
			return all, last, err
		}
		all = append(all, some...)
	}
	return all, last, nil
}

// lastTurns returns what people said last before the turns that are to be read.
func lastTurns(ctx context.Context, r store.Reader, x store.Extraction) ([]strata.Turn, error) {
	if x.After == 0 {
		return nil, nil
	}
	turns, err := r.Turns(ctx, x.Scope, x.Session, store.TurnFilter{After: max(x.After-lookback, 0), Until: x.After, NoImages: true})
	said := spoken(turns)
	return said[max(len(said)-lastSaid, 0):], err
}

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

// unseen gives extracted candidates their request ids, which follow from the
// turns they came from and what they say, and leaves out those that were decided
// before.
func (q *Queue) unseen(ctx context.Context, r store.Reader, cs []strata.Candidate, session strata.Scope) ([]strata.Candidate, error) {
	var out []strata.Candidate
	for _, c := range cs {
		c.RequestID = extract.RequestID("extract:", c)
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
