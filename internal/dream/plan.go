package dream

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// mostLeft is the maximum number of memories that a dream reports as not promoted. Those
// closest to promotion are reported.
const mostLeft = 50

// plan is what a dream found and intends to do.
type plan struct {
	now        time.Time
	considered int
	rising     []candidate // the strongest first
	left       []candidate // closest to promotion first
	changes    []change    // of facts that cannot both stay
	tags       tagging
	unused     []Archival // skills that nobody opened
}

// candidate is a memory that was recalled.
type candidate struct {
	strata.DreamItem
	gap float64 // share of the closed gate's threshold that is missing
}

// plan evaluates the recalls of a scope. The light phase gathers the signals; the deep
// phase checks the gates of each memory and compares the facts with each other.
func (d *Dreamer) plan(ctx context.Context, scope strata.Scope, now time.Time) (plan, error) {
	return store.Read(ctx, d.o.Store, func(r store.Reader) (plan, error) {
		events, err := r.Recalls(ctx, scope, now.Add(-d.s.Retention))
		if err != nil {
			return plan{}, err
		}
		active, err := r.Promotions(ctx, scope, false)
		if err != nil {
			return plan{}, err
		}
		archived, err := r.Promotions(ctx, scope, true)
		if err != nil {
			return plan{}, err
		}
		risen, after := make(map[string]bool), make(map[string]time.Time)
		for _, p := range active {
			risen[p.Fact] = true
			if f, err := store.CurrentFact(ctx, r, []strata.Scope{scope}, p.Fact); err == nil {
				risen[f.ID] = true // its text is promoted already
			}
		}
		for _, p := range archived { // archived promotions count from zero
			after[p.Fact] = *p.ArchivedAt
		}
		signals := gather(events, after)
		p := plan{now: now, considered: len(signals)}
		for _, memory := range slices.Sorted(maps.Keys(signals)) {
			c, err := d.judge(ctx, r, scope, memory, signals[memory], risen[memory], now)
			if err != nil {
				return plan{}, err
			}
			if c.Outcome == strata.DreamPromoted {
				p.rising = append(p.rising, c)
			} else {
				p.left = append(p.left, c)
			}
		}
		slices.SortStableFunc(p.rising, func(a, b candidate) int { return cmp.Compare(b.Score, a.Score) })
		slices.SortStableFunc(p.left, func(a, b candidate) int { return cmp.Compare(a.gap, b.gap) })
		if p.changes, err = d.compare(ctx, r, scope); err != nil {
			return plan{}, err
		}
		p.tags, err = findTags(ctx, r, scope)
		return p, err
	})
}

// judge checks the gates of a memory, cheapest first.
func (d *Dreamer) judge(ctx context.Context, r store.Reader, scope strata.Scope, memory string, s Signals, risen bool, now time.Time) (candidate, error) {
	c := candidate{DreamItem: strata.DreamItem{Memory: memory, Outcome: strata.DreamLeft,
		Recalls: s.Recalls, Questions: s.Questions, Days: s.Days}, gap: 1}
	f := strata.Fact{}
	isFact := strings.HasPrefix(memory, id.Fact+"_")
	if isFact {
		var err error
		f, err = r.Fact(ctx, []strata.Scope{scope}, memory)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return c, err
		}
	}
	c.Score = s.Score(d.s.Weights, f, now)
	missing := func(have, want float64, format string, args ...any) {
		c.Reason, c.gap = fmt.Sprintf(format, args...), 1-have/want
	}
	switch {
	case strings.HasPrefix(memory, id.Turn+"_"):
		c.Reason = "a turn: facts are promoted, not what was said"
	case !isFact:
		c.Reason = "a file: it speaks for itself"
	case risen:
		c.Reason, c.gap = "promoted already", 2 // nothing is missing, but there is nothing to do
	case f.ID == "" || !f.Current():
		c.Reason = "no longer believed"
	case s.Recalls < d.s.MinRecalls:
		missing(float64(s.Recalls), float64(d.s.MinRecalls), "recalled %d of %d times", s.Recalls, d.s.MinRecalls)
	case s.Questions < d.s.MinQuestions:
		missing(float64(s.Questions), float64(d.s.MinQuestions), "asked for in %d of %d ways", s.Questions, d.s.MinQuestions)
	case c.Score < d.s.MinScore:
		missing(c.Score, d.s.MinScore, "score %.2f of %.2f", c.Score, d.s.MinScore)
	default:
		reason, err := barred(ctx, r, f)
		if c.Reason = reason; reason == "" {
			c.Outcome = strata.DreamPromoted
		}
		return c, err
	}
	return c, nil
}

// barred returns why the text of a fact must not be written to files, or "" if it may be.
func barred(ctx context.Context, r store.Reader, f strata.Fact) (string, error) {
	if found := secrets.Scan(f.Text); len(found) > 0 {
		return "holds a secret: " + found[0].Rule, nil
	}
	_, forgotten, err := r.Forgotten(ctx, f.Scope, text.Analyze(f.Text))
	if forgotten || f.Text == strata.ForgottenText {
		return "was forgotten", err
	}
	return "", err
}
