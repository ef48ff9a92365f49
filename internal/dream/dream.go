package dream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents/projection"
	"github.com/strata-memory/strata/internal/topics"
	"github.com/strata-memory/strata/store"
)

// Options are what a [Dreamer] needs. All but Settings and Unused are required.
type Options struct {
	Store    store.Store
	IDs      *id.Maker
	Now      func() time.Time
	Logger   *slog.Logger
	Settings Settings
	// Unused finds the skills of a scope that nobody opened for the given time. A nil
	// Unused finds none.
	Unused func(ctx context.Context, scope strata.Scope, unused time.Duration) ([]Archival, error)
	// Projector updates the files after a dream.
	Projector *projection.Projector
}

// Archival is a skill that a dream means to archive.
type Archival struct {
	Item strata.DreamItem // what the record of the dream says about it
	// Write archives the skill in the transaction of the dream. If the skill has changed,
	// it returns [strata.CodeConflict] and writes nothing.
	Write func(ctx context.Context, w store.Writer) error
}

// Dreamer runs dreams. It is safe for concurrent use.
type Dreamer struct {
	o Options
	s Settings // with defaults
}

// New returns a Dreamer. The settings must be valid.
func New(o Options) *Dreamer { return &Dreamer{o: o, s: o.Settings.withDefaults()} }

// Result is the outcome of a request to dream.
type Result struct {
	Scope strata.Scope
	// Dream is the record of the dream; nil if a gate was closed.
	Dream *strata.Dream
	// Repeated means that Dream is an earlier one, which began less than a minute ago.
	Repeated bool
	// Closed is the gate that prevented the dream; nil if there was one.
	Closed *Gate
	// Waiting is why the files have not been updated yet; nil if they have.
	Waiting error
}

// Due lists the scopes that have recalls or enough new facts and whose last dream was
// long enough ago. Other gates may still be closed.
func (d *Dreamer) Due(ctx context.Context) ([]strata.Scope, error) {
	if d.s.Disabled {
		return nil, nil
	}
	return store.Read(ctx, d.o.Store, func(r store.Reader) ([]strata.Scope, error) {
		return r.DreamScopes(ctx, d.o.Now().Add(-d.s.Every), topics.Version, d.s.Facts)
	})
}

// Dream runs a dream of a scope if the gates for the trigger are open. A manual dream
// skips the first gate, a forced one those of time and sessions as well. Within a minute
// after a dream, another changes nothing and returns that one.
func (d *Dreamer) Dream(ctx context.Context, scope strata.Scope, trigger strata.DreamTrigger) (Result, error) {
	res := Result{Scope: scope}
	if err := scope.Validate(); err != nil {
		return res, err
	}
	now := d.o.Now()
	if awake, err := d.staysAwake(ctx, trigger, now, &res); err != nil || awake {
		return res, err
	}
	held, err := d.hold(ctx, scope, func(ctx context.Context, l store.Lease) error {
		// Another process may have dreamed before this one got the lease.
		if awake, err := d.staysAwake(ctx, trigger, now, &res); err != nil || awake {
			return cmp.Or(err, errAwake)
		}
		failpoint.Hit(failpoint.DreamLeased)
		p, err := d.plan(ctx, scope, now)
		if err != nil {
			return fmt.Errorf("weigh memories of %s: %w", scope, err)
		}
		if d.o.Unused != nil {
			if p.unused, err = d.o.Unused(ctx, scope, d.s.SkillIdle); err != nil {
				return fmt.Errorf("find unused skills of %s: %w", scope, err)
			}
		}
		done, err := d.commit(ctx, l, trigger, p)
		res.Dream = done
		return err
	})
	switch {
	case errors.Is(err, errAwake):
		return res, nil
	case err != nil:
		res.Dream = nil
		return res, d.fail(ctx, scope, trigger, now, err)
	case !held:
		res.Closed = &Gate{Name: GateLease, Reason: "another process is dreaming", Hint: "wait for it; a killed one gives way within " + leaseTime.String()}
		return res, nil
	}
	failpoint.Hit(failpoint.DreamCommitted)
	if res.Waiting = d.o.Projector.Scopes(ctx, scope); res.Waiting != nil {
		d.o.Logger.Warn("files do not follow a dream yet", "scope", scope.Key(), "error", res.Waiting)
	}
	return res, nil
}

// errAwake means that the gates closed before this process got the lease.
var errAwake = errors.New("somebody else dreamt")

// staysAwake reports whether a scope does not dream because a gate is closed or because
// it dreamed less than a minute ago. It records in res which.
func (d *Dreamer) staysAwake(ctx context.Context, trigger strata.DreamTrigger, now time.Time, res *Result) (awake bool, err error) {
	return store.Read(ctx, d.o.Store, func(r store.Reader) (bool, error) {
		last, closed, err := d.gates(ctx, r, res.Scope, trigger, now)
		if err != nil {
			return false, err
		}
		if res.Closed = closed; closed == nil && last != nil && last.Failure == "" && now.Sub(last.StartedAt).Abs() < time.Minute {
			res.Dream, res.Repeated = last, true
		}
		return closed != nil || res.Repeated, nil
	})
}

// commit writes the plan, as far as it still applies, together with the record of the
// dream in one transaction, and releases the lease.
func (d *Dreamer) commit(ctx context.Context, l store.Lease, trigger strata.DreamTrigger, p plan) (*strata.Dream, error) {
	out := strata.Dream{ID: d.o.IDs.New(id.Dream, p.now), Scope: l.Scope, Trigger: trigger, StartedAt: micro(p.now), Considered: p.considered}
	err := d.o.Store.Update(ctx, func(w store.Writer) error {
		l.Until = w.Now().Add(leaseTime)
		if mine, err := w.TakeLease(ctx, l); err != nil || !mine {
			return orLost(err)
		}
		items, err := d.settle(ctx, w, l.Scope, p, out.ID)
		if err != nil {
			return err
		}
		if out.Tagged, err = d.tag(ctx, w, l.Scope, p.tags); err != nil {
			return err
		}
		out.Items = items
		if err := report(ctx, w, &out); err != nil {
			return err
		}
		failpoint.Hit(failpoint.DreamPromoted)
		out.FinishedAt = micro(d.o.Now())
		if out.FinishedAt.Before(out.StartedAt) {
			out.FinishedAt = out.StartedAt // the clock went back
		}
		if err := w.AppendDream(ctx, out); err != nil {
			return err
		}
		detail := fmt.Sprintf("%d promoted, %d archived, of %d; %d merged, %d settled, %d asked, %d tagged", out.Promoted, out.Archived, out.Considered,
			out.Merged, out.Settled, out.Asked, out.Tagged)
		if err := w.AppendEvent(ctx, strata.Event{Kind: strata.EventDreamt, Scope: l.Scope, Ref: out.ID, Detail: detail}); err != nil {
			return err
		}
		if err := w.PruneRecalls(ctx, l.Scope, p.now.Add(-d.s.Retention)); err != nil {
			return err
		}
		return w.ReleaseLease(ctx, l)
	})
	if err != nil {
		return nil, err
	}
	return &out, nil
}

// report counts the outcomes of a dream, and appends an event for each item that has none
// through a decision.
func report(ctx context.Context, w store.Writer, d *strata.Dream) error {
	for _, it := range d.Items {
		kind := ""
		switch it.Outcome {
		case strata.DreamPromoted:
			d.Promoted++
			kind = strata.EventPromoted
		case strata.DreamArchived:
			d.Archived++
			kind = strata.EventArchived
		case strata.DreamQuestioned:
			d.Asked++
			kind = strata.EventQuestioned
		case strata.DreamMerged:
			d.Merged++ // the decision has its event
		case strata.DreamSettled:
			d.Settled++
		}
		if kind == "" {
			continue
		}
		if err := w.AppendEvent(ctx, strata.Event{Kind: kind, Scope: d.Scope, Ref: it.Memory, Detail: it.Reason}); err != nil {
			return err
		}
	}
	return nil
}

// micro rounds a time down to the precision of the store.
func micro(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
