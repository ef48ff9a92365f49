package dream

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/store"
)

// Limits of what one dream does to facts. The next one does the rest.
const (
	mostPairs     = 10_000 // pairs to compare
	mostChanges   = 200    // merged facts, and retired ones
	mostQuestions = 10     // open questions
)

// change is what a dream intends to do about two facts that cannot both stay: merge gone
// into kept, retire gone in favor of kept, or ask the user about both.
type change struct {
	outcome    strata.DreamOutcome
	gone, kept strata.Fact
	why        string
}

// compare finds the facts of a scope that say nearly the same and those that contradict
// each other. No fact is in more than one change.
func (d *Dreamer) compare(ctx context.Context, r store.Reader, scope strata.Scope) ([]change, error) {
	pairs, err := r.FactPairs(ctx, scope, mostPairs)
	if err != nil || len(pairs) == 0 {
		return nil, err
	}
	c := comparison{r: r, used: make(map[string]bool)}
	var opposed []store.FactPair
	for _, p := range pairs {
		earlier, later := p[0], p[1]
		switch decide.Compare(later, earlier) {
		case decide.Repeats:
			err = c.merge(ctx, earlier, later, "says the same as "+later.ID+" or less")
		case decide.Included:
			err = c.merge(ctx, later, earlier, "is a part of "+earlier.ID)
		case decide.Excludes:
			opposed = append(opposed, p)
		case decide.Unrelated:
			if len(decide.Ended(earlier.Text)) > 0 && decide.Compare(earlier, later) == decide.Excludes {
				opposed = append(opposed, p) // if it turns out to have been said in this order
			}
		}
		if err != nil {
			return nil, err
		}
	}
	// Contradictions come after all merges, so that nobody is asked twice about what two
	// facts both say.
	if len(opposed) > 0 {
		if err := c.openQuestions(ctx, scope); err != nil {
			return nil, err
		}
	}
	for _, p := range opposed {
		if err := c.oppose(ctx, p); err != nil {
			return nil, err
		}
	}
	return c.changes, nil
}

// comparison is the state of comparing the facts of a scope.
type comparison struct {
	r       store.Reader
	changes []change
	used    map[string]bool // facts that are in a change
	merged  int             // number of changes that merge a fact
	settled int             // number of changes that retire a fact

	asked map[[2]strata.FactVersion]bool // pairs that the user was asked about
	room  int                            // number of questions that may still be asked
}

// add adds a change and marks its facts as used.
func (c *comparison) add(x change) {
	c.changes = append(c.changes, x)
	c.used[x.gone.ID], c.used[x.kept.ID] = true, true
	switch x.outcome {
	case strata.DreamMerged:
		c.merged++
	case strata.DreamSettled:
		c.settled++
	}
}

// free reports whether neither of two facts is in a change yet.
func (c *comparison) free(a, b strata.Fact) bool { return !c.used[a.ID] && !c.used[b.ID] }

// merge adds a change that merges one fact into another, unless a revert brought it back
// before.
func (c *comparison) merge(ctx context.Context, gone, kept strata.Fact, why string) error {
	if c.merged == mostChanges || !c.free(gone, kept) {
		return nil
	}
	if back, err := broughtBack(ctx, c.r, gone); err != nil || back {
		return err
	}
	c.add(change{strata.DreamMerged, gone, kept, why})
	return nil
}

// openQuestions reads the questions that the user was asked.
func (c *comparison) openQuestions(ctx context.Context, scope strata.Scope) error {
	open, err := c.r.Questions(ctx, scope, false, mostQuestions)
	if err != nil {
		return err
	}
	all, err := c.r.Questions(ctx, scope, true, mostPairs)
	c.room, c.asked = mostQuestions-len(open), make(map[[2]strata.FactVersion]bool)
	for _, q := range all {
		c.asked[q.Facts] = true
	}
	return err
}

// oppose adds a change that retires the earlier of two contradicting facts, or a question
// to the user if time does not settle it.
func (c *comparison) oppose(ctx context.Context, p store.FactPair) error {
	earlier, later := p[0], p[1]
	if !c.free(earlier, later) || c.asked[[2]strata.FactVersion{earlier.Version(), later.Version()}] {
		return nil
	}
	was, err := originOf(ctx, c.r, earlier)
	if err != nil {
		return err
	}
	is, err := originOf(ctx, c.r, later)
	if err != nil {
		return err
	}
	if is.at.Before(was.at) { // learned in a different order than said
		earlier, later, was, is = later, earlier, is, was
	}
	if decide.Compare(later, earlier) != decide.Excludes {
		return nil
	}
	for _, f := range p {
		if both, err := advised(ctx, c.r, f); err != nil || both {
			return err
		}
	}
	why, err := undecided(ctx, c.r, earlier, later, was, is)
	switch {
	case err != nil:
		return err
	case why == "" && c.settled == mostChanges:
	case why == "":
		c.add(change{strata.DreamSettled, earlier, later, "contradicts " + later.ID + ", which you said later"})
	case c.room > 0:
		c.room--
		c.add(change{strata.DreamQuestioned, p[0], p[1], why})
	}
	return nil
}

// tend carries out the changes whose facts have not changed since.
func (d *Dreamer) tend(ctx context.Context, w store.Writer, scope strata.Scope, p plan, dream string) (items []strata.DreamItem, err error) {
	for _, c := range p.changes {
		still, err := believed(ctx, w, c.gone, c.kept)
		if err != nil {
			return nil, err
		}
		if !still {
			continue
		}
		switch c.outcome {
		case strata.DreamMerged, strata.DreamSettled:
			_, err = d.retire(ctx, w, replacement{c.gone, c.kept, c.why, string(c.outcome), strata.OriginDream})
		default:
			err = w.PutQuestion(ctx, strata.Question{ID: d.o.IDs.New(id.Question, p.now), Scope: scope, Dream: dream, AskedAt: micro(p.now),
				Facts: [2]strata.FactVersion{c.gone.Version(), c.kept.Version()}, Reason: c.why})
		}
		if err != nil {
			return nil, err
		}
		items = append(items, strata.DreamItem{Memory: c.gone.ID, With: c.kept.ID, Outcome: c.outcome, Reason: c.why})
	}
	failpoint.Hit(failpoint.DreamTended)
	return items, nil
}

// believed reports whether the given versions are still current.
func believed(ctx context.Context, r store.Reader, facts ...strata.Fact) (bool, error) {
	for _, f := range facts {
		now, err := r.Fact(ctx, []strata.Scope{f.Scope}, f.ID)
		if strata.CodeOf(err) == strata.CodeNotFound || err == nil && (!now.Current() || now.Version() != f.Version()) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// replacement is a fact that ends in favor of another.
type replacement struct {
	gone, kept strata.Fact
	reason     string
	rule       string // what led to it, as recorded in the decision
	by         strata.Origin
}

// retire retires a fact in favor of another, by a decision that can be reverted.
func (d *Dreamer) retire(ctx context.Context, w store.Writer, p replacement) (strata.Decision, error) {
	gone := p.gone
	out := strata.Decision{
		ID: d.o.IDs.New(id.Decision, w.Now()), Scope: gone.Scope, Op: strata.OpDelete, Reason: p.reason, Rules: []string{p.rule}, Confidence: 1,
		Origin: p.by, FactID: gone.ID, Before: &gone, DecidedAt: w.Now(),
	}
	if !d.o.Projector.HasFiles() {
		out.AppliedAt = &out.DecidedAt
	}
	if err := w.RetireFact(ctx, gone.Scope, gone.ID, gone.Generation, p.kept.ID); err != nil {
		return out, err
	}
	if err := w.AppendDecision(ctx, out); err != nil {
		return out, err
	}
	return out, w.AppendEvent(ctx, strata.Event{Kind: strata.EventWriteCommitted, Scope: gone.Scope, Ref: out.ID, Detail: string(out.Op)})
}
