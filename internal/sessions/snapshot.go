package sessions

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
	"github.com/strata-memory/strata/learnings"
	"github.com/strata-memory/strata/store"
)

// frozen is the snapshot of a conversation.
type frozen struct {
	mu   sync.Mutex        // guards made
	made snapshot.Snapshot // without its parts if an earlier process made it
}

// Snapshot returns the part of memory that is in the prompt of the conversation. It is
// frozen: only [Conversation.Reload] changes it.
func (c *Conversation) Snapshot() snapshot.Snapshot {
	c.frozen.mu.Lock()
	defer c.frozen.mu.Unlock()
	return c.frozen.made
}

// Reload makes a new generation of the snapshot from the current memory. It returns
// read_only for a session that inherited its snapshot.
func (c *Conversation) Reload(ctx context.Context) (snapshot.Snapshot, error) {
	c.frozen.mu.Lock()
	defer c.frozen.mu.Unlock()
	parts, err := c.parts(ctx)
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	next, err := c.frozen.made.Next(parts, c.opts.Limits, c.ledger.now())
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	return next, c.storeSnapshot(ctx, next)
}

// loadSnapshot loads the snapshot that the session has, or makes one.
func (c *Conversation) loadSnapshot(ctx context.Context) error {
	c.frozen.mu.Lock()
	defer c.frozen.mu.Unlock()
	own, err := c.ledger.Snapshot(ctx, c.began.Scope, c.began.ID)
	if err == nil {
		c.frozen.made = fromStore(own)
		c.frozen.made.ReadOnly, c.frozen.made.Parent = c.began.Parent != "", c.began.Parent
		return nil
	}
	if strata.CodeOf(err) != strata.CodeNotFound {
		return fmt.Errorf("read snapshot: %w", err)
	}
	if c.began.Parent != "" {
		parent, err := c.ledger.Snapshot(ctx, c.began.Scope, c.began.Parent)
		if err == nil {
			return c.storeSnapshot(ctx, snapshot.Inherit(fromStore(parent), c.began.ID))
		}
		if strata.CodeOf(err) != strata.CodeNotFound {
			return fmt.Errorf("read snapshot of %s: %w", c.began.Parent, err)
		}
	}
	parts, err := c.parts(ctx)
	if err != nil {
		return err
	}
	return c.storeSnapshot(ctx, snapshot.Compose(parts, c.opts.Limits, c.ledger.now()))
}

// fromStore converts a stored snapshot, which has no parts.
func fromStore(s strata.Snapshot) snapshot.Snapshot {
	return snapshot.Stored(s.Session, s.Text, int(s.Generation), s.CreatedAt)
}

// storeSnapshot stores a snapshot and makes it the current one.
func (c *Conversation) storeSnapshot(ctx context.Context, made snapshot.Snapshot) error {
	kept, err := c.ledger.PutSnapshot(ctx, strata.Snapshot{
		Scope: c.began.Scope, Session: c.began.ID, Text: made.Text, CreatedAt: made.CreatedAt,
	})
	if err != nil {
		return fmt.Errorf("keep snapshot: %w", err)
	}
	made.Generation = int(kept.Generation)
	c.frozen.made = made
	return nil
}

// snapshotFacts is how many of the newest facts of each scope are considered for a
// snapshot, and how many of the newest rules. Rules are read separately, because an old
// rule still holds however much was learnt since.
const snapshotFacts = 2000

// parts reads the parts of the conversation's snapshot.
func (c *Conversation) parts(ctx context.Context) (snapshot.Parts, error) {
	p, err := c.ledger.parts(ctx, c.view, c.private())
	p.Session, p.Kind, p.Guidance = c.began.ID, c.began.Kind, c.opts.Guidance
	return p, err
}

// Compose makes the snapshot that a session with a view would get now, without storing
// it. guidance is as in [Options].
func (l *Ledger) Compose(ctx context.Context, view strata.View, limits snapshot.Limits, guidance string) (snapshot.Snapshot, error) {
	if err := view.Validate(); err != nil {
		return snapshot.Snapshot{}, err
	}
	p, err := l.parts(ctx, view, view.OnlySessions() == "")
	if err != nil {
		return snapshot.Snapshot{}, err
	}
	p.Kind, p.Guidance = view.Session, guidance
	return snapshot.Compose(p, limits, l.now()), nil
}

// parts reads the parts of a snapshot. private includes the files about the user.
func (l *Ledger) parts(ctx context.Context, view strata.View, private bool) (snapshot.Parts, error) {
	var p snapshot.Parts
	var learnt []strata.Learning
	var files [][]snapshot.File // of each scope
	err := store.ViewEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) error {
		facts, err := r.Facts(ctx, s, strata.FactFilter{Limit: snapshotFacts})
		if err != nil {
			return fmt.Errorf("read facts of %s: %w", s, err)
		}
		rules, err := r.Facts(ctx, s, strata.FactFilter{Type: strata.TypeFeedback, Limit: snapshotFacts})
		if err != nil {
			return fmt.Errorf("read rules of %s: %w", s, err)
		}
		facts = slices.DeleteFunc(facts, func(f strata.Fact) bool { return f.Type == strata.TypeFeedback })
		categories, err := r.Parents(ctx, s, strata.KindFact, nil)
		if err != nil {
			return fmt.Errorf("read categories of %s: %w", s, err)
		}
		index := snapshot.Document{Scope: s}
		for _, g := range categories {
			if g.Passages > 0 {
				index.Categories = append(index.Categories, strata.Category{Scope: s, Name: g.Name, Facts: g.Passages})
			}
		}
		own, err := l.shown(ctx, r, s, private)
		if err != nil {
			return fmt.Errorf("read files of %s: %w", s, err)
		}
		index.Text, index.At = own.Index, own.IndexAt
		files = append(files, own.Whole)
		p.Skills = append(p.Skills, own.Skills...)
		p.Foreign = append(p.Foreign, own.Foreign...)
		if own.Summary != "" {
			p.Summaries = append(p.Summaries, snapshot.Document{Scope: s, Text: own.Summary, At: own.SummaryAt})
		}
		p.Facts = append(append(p.Facts, facts...), rules...)
		p.Indexes = append(p.Indexes, index)
		of, err := r.Learnings(ctx, s, store.LearningFilter{SessionKind: view.OnlySessions(), Limit: learnings.MaxInjectLines})
		learnt = append(learnt, of...)
		return err
	})
	// The view has the deepest scope first, a snapshot the shallowest.
	slices.Reverse(p.Indexes)
	slices.Reverse(p.Summaries)
	slices.Reverse(files)
	p.Files = slices.Concat(files...)
	p.Learnings = learningFiles(learnt)
	return p, err
}

// learningFiles renders learnings as the files that a snapshot shows.
func learningFiles(list []strata.Learning) []snapshot.File {
	slices.SortStableFunc(list, func(a, b strata.Learning) int { return a.LastAt.Compare(b.LastAt) })
	failures, corrections := learnings.FromMemory(list)
	var out []snapshot.File
	if text := (learnings.File[learnings.Error]{}).Set(failures).String(); text != "" {
		out = append(out, snapshot.File{Name: "Tool failures", Text: text})
	}
	if text := (learnings.File[learnings.Correction]{}).Set(corrections).String(); text != "" {
		out = append(out, snapshot.File{Name: "Corrections by the user", Text: text})
	}
	return out
}
