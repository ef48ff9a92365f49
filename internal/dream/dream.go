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

// Options are what a Dreamer works with. All but Settings and Unused are needed.
type Options struct {
	Store    store.Store
	IDs      *id.Maker
	Now      func() time.Time
	Logger   *slog.Logger
	Settings Settings
	// Unused finds the skills of a scope that nobody opened for a time; nil finds none.
	Unused func(ctx context.Context, scope strata.Scope, unused time.Duration) ([]Archival, error)
	// Projector lets files follow what a dream did.
	Projector *projection.Projector
}

// Archival is a skill that a dream means to archive.
type Archival struct {
	Item strata.DreamItem // what the dream says of it
	// Write archives it in the transaction of the dream. It returns conflict, and changes
	// nothing, if the skill is not what it was.
	Write func(ctx context.Context, w store.Writer) error
}

// Dreamer has scopes dream. It is safe for concurrent use.
type Dreamer struct {
	o Options
	s Settings // with defaults
}

// New returns a dreamer. The settings are valid.
func New(o Options) *Dreamer { return &Dreamer{o: o, s: o.Settings.withDefaults()} }

// Result is what became of a wish to dream.
type Result struct {
	Scope strata.Scope
	// Dream is what was done; nil if a gate was closed.
	Dream *strata.Dream
	// Repeated says that Dream is the one before, which began less than a minute ago.
	Repeated bool
	// Closed is the gate that kept the scope from dreaming.
	Closed *Gate
	// Waiting is why files did not follow yet; nil if they did.
	Waiting error
}

// Due lists the scopes in which something was asked for, or that have enough new facts,
// and whose last dream was long enough ago. Other gates may be closed.
func (d *Dreamer) Due(ctx context.Context) ([]strata.Scope, error) {
	if d.s.Disabled {
		return nil, nil
	}
	return store.Read(ctx, d.o.Store, func(r store.Reader) ([]strata.Scope, error) {
		return r.DreamScopes(ctx, d.o.Now().Add(-d.s.Every), topics.Version, d.s.Facts)
	})
}

// Dream has a scope dream if the gates for that trigger are open. A dream that was
// asked for passes the first gate, a forced one also those of time and sessions.
// Another one in the minute of the last changes nothing.
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
		// Another process may have dreamt before this one had the lease.
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

// errAwake says that there is nothing to do under the lease after all.
var errAwake = errors.New("somebody else dreamt")

// staysAwake reports whether a scope does not dream: because a gate is closed, or
// because it dreamt less than a minute ago. The result says which.
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

// commit writes what was planned, as far as it still holds, with the record of the
// dream, in one transaction, and gives the lease back.
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

// report counts what became of memories in a dream, and records an event for each that
// has none by a decision.
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

// micro is a time as the store keeps it.
func micro(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
