package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/extract"
	"github.com/strata-memory/strata/internal/failpoint"
	"github.com/strata-memory/strata/internal/fence"
	"github.com/strata-memory/strata/store"
)

const (
	// extractPage is how many turns facts are extracted from before they are written.
	extractPage = 500
	// lookback is how many turns before them are searched for what was said last, and
	// lastSaid how many turns of people are read again of these: a correction points
	// back.
	lookback = 64
	lastSaid = 8
)

// Extract finds what is worth remembering in the turns of a session, by rules,
// and writes it. Turns that were extracted before yield nothing again. It
// returns the new decisions.
func (e *Engine) Extract(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error) {
	all, last, err := e.extractAfter(ctx, store.Extraction{Scope: scope, Session: session}, 0)
	if err == nil && last == 0 {
		err = strata.NotFound("extract", "session", session)
	}
	return all, err
}

// ExtractNew extracts facts from those turns of a session that wait for it, a page
// at a time. How far it came is kept: after a kill it goes on there.
func (e *Engine) ExtractNew(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error) {
	var all []strata.Decision
	for {
		x, err := store.Read(ctx, e.store, func(r store.Reader) (store.Extraction, error) { return r.Extraction(ctx, scope, session) })
		if strata.CodeOf(err) == strata.CodeNotFound {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		some, last, err := e.extractAfter(ctx, x, extractPage)
		all = append(all, some...)
		if err != nil {
			return all, err
		}
		failpoint.Hit(failpoint.FactsTakenIn)
		x.After = cmp.Or(last, math.MaxInt64) // what waits without turns is done
		if err := e.store.Update(ctx, func(w store.Writer) error { return w.MoveExtraction(ctx, x) }); err != nil {
			return all, err
		}
	}
}

// extractOutstanding extracts facts from all turns that wait for it, of all
// sessions.
func (e *Engine) extractOutstanding(ctx context.Context) error {
	for {
		due, err := store.Read(ctx, e.store, func(r store.Reader) ([]store.Extraction, error) { return r.Extractions(ctx, extractPage) })
		if err != nil || len(due) == 0 {
			return err
		}
		for _, x := range due {
			if _, err := e.ExtractNew(ctx, x.Scope, x.Session); err != nil {
				return fmt.Errorf("extract from session %s: %w", x.Session, err)
			}
		}
	}
}

// extractAfter extracts facts from up to limit turns of a session, those after the
// last that was read; limit 0 means all. It returns the new decisions and the number
// of the last of them, 0 if there is none.
func (e *Engine) extractAfter(ctx context.Context, x store.Extraction, limit int) (all []strata.Decision, last int64, err error) {
	fresh, err := store.Read(ctx, e.store, func(r store.Reader) ([]strata.Candidate, error) {
		before, err := lastTurns(ctx, r, x)
		if err != nil {
			return nil, err
		}
		turns, err := r.Turns(ctx, x.Scope, x.Session, store.TurnFilter{After: x.After, Limit: limit, NoImages: true})
		if err != nil || len(turns) == 0 {
			return nil, err
		}
		last = turns[len(turns)-1].Seq
		return unseen(ctx, r, newFacts(before, spoken(turns)), x.Scope)
	})
	if err != nil {
		return nil, last, err
	}
	for batch := range slices.Chunk(fresh, extractPage) {
		some, err := e.WriteBatch(ctx, batch)
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

// newFacts are what the rules find in turns. The turns before them are read too,
// because a correction points back, but say nothing by themselves.
func newFacts(before, turns []strata.Turn) []strata.Candidate {
	fresh := make(map[string]bool, len(turns))
	for _, t := range turns {
		fresh[t.ID] = true
	}
	return slices.DeleteFunc(extract.Turns(append(slices.Clip(before), turns...)), func(c strata.Candidate) bool {
		return !slices.ContainsFunc(c.Sources, func(id string) bool { return fresh[id] })
	})
}

// unseen gives extracted candidates their request ids, which follow from the
// turns they came from and what they say, and leaves out those that were decided
// before.
func unseen(ctx context.Context, r store.Reader, cs []strata.Candidate, session strata.Scope) ([]strata.Candidate, error) {
	var out []strata.Candidate
	for _, c := range cs {
		c.RequestID = extractionID(c)
		c.Origin = strata.OriginExtractor
		// A fact learnt in a workspace or from an agent goes where its type
		// belongs within that scope.
		c.Workspace, c.Agent = session.Workspace, session.Agent
		p, err := propose(c)
		if err != nil {
			return nil, fmt.Errorf("extracted from %v: %w", c.Sources, err)
		}
		_, err = r.DecisionByRequest(ctx, p.candidate.Scope, c.RequestID)
		if strata.CodeOf(err) == strata.CodeNotFound {
			out = append(out, c)
		} else if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// extractionID makes writing an extracted candidate repeatable.
func extractionID(c strata.Candidate) string {
	h := sha256.New()
	for _, s := range append(slices.Clip(c.Sources), c.Content) {
		io.WriteString(h, s)
		h.Write([]byte{0})
	}
	return "extract:" + hex.EncodeToString(h.Sum(nil)[:16])
}
