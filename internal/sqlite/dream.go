package sqlite

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// usage returns the usage data of a scope, whose number is no.
func (t *tx) usage(scope strata.Scope, no int64) usageScope {
	return usageScope{t, scope, no}
}

// inUsage returns what read finds in the first scope that has it.
func inUsage[T any](ctx context.Context, t *tx, scopes []strata.Scope, kind, id string, read func(usageScope) (T, error)) (out T, err error) {
	err = strata.NotFound("read "+kind, kind, id)
	for i := 0; i < len(scopes) && strata.CodeOf(err) == strata.CodeNotFound; i++ {
		out, err = inScopes(ctx, t, scopes[i:i+1], "read "+kind, kind, id, func(no int64) (T, error) { return read(t.usage(scopes[i], no)) })
	}
	return out, err
}

// changeUsage calls fn to change the usage data of a scope, which gets a number if
// it has none.
func (t *tx) changeUsage(ctx context.Context, op string, scope strata.Scope, fn func(usageScope) error) error {
	no, _, err := t.scopeNo(ctx, scope, true)
	if err == nil {
		err = fn(t.usage(scope, no))
	}
	return wrap(op, err)
}

// Recalls lists the recall events of a scope since a time, leaving out automatic
// ones.
func (t *tx) Recalls(ctx context.Context, scope strata.Scope, since time.Time) ([]store.RecallEvent, error) {
	return inScope(ctx, t, scope, "list recalls", func(no int64) ([]store.RecallEvent, error) {
		return t.usage(scope, no).Recalls(ctx, since)
	})
}

// DreamScopes lists the scopes that are due to dream.
func (t *tx) DreamScopes(ctx context.Context, before time.Time, version, facts int) ([]strata.Scope, error) {
	return t.keys(ctx, dueDreams, micros(before), micros(t.now), version, facts)
}

// OutstandingDreams lists the scopes with dreams that are not applied to files yet.
func (t *tx) OutstandingDreams(ctx context.Context) ([]strata.Scope, error) {
	return t.keys(ctx, outstandingDreams)
}

// keys lists the scopes whose keys a query returns.
func (t *tx) keys(ctx context.Context, query string, args ...any) ([]strata.Scope, error) {
	return collect(ctx, t, query, args, func(scan scanner) (strata.Scope, error) {
		var key string
		if err := scan(&key); err != nil {
			return strata.Scope{}, err
		}
		return strata.ParseScope(key)
	})
}

// Promotions lists promotions of a scope.
func (t *tx) Promotions(ctx context.Context, scope strata.Scope, archived bool) ([]strata.Promotion, error) {
	return inScope(ctx, t, scope, "list promotions", func(no int64) ([]strata.Promotion, error) {
		return t.usage(scope, no).Promotions(ctx, archived)
	})
}

// Dreams lists dreams of a scope.
func (t *tx) Dreams(ctx context.Context, scope strata.Scope, f store.DreamFilter) ([]strata.Dream, error) {
	return inScope(ctx, t, scope, "list dreams", func(no int64) ([]strata.Dream, error) {
		return t.usage(scope, no).Dreams(ctx, f.Outstanding, clampLimit(f.Limit))
	})
}

// Dream returns a dream of one of the scopes.
func (t *tx) Dream(ctx context.Context, scopes []strata.Scope, id string) (strata.Dream, error) {
	return inUsage(ctx, t, scopes, "dream", id, func(s usageScope) (strata.Dream, error) { return s.Dream(ctx, id) })
}

// Lease returns a lease and who holds it.
func (t *tx) Lease(ctx context.Context, scope strata.Scope, name string) (store.Lease, error) {
	return inUsage(ctx, t, []strata.Scope{scope}, "lease", name, func(s usageScope) (store.Lease, error) { return s.Lease(ctx, name) })
}

// TagCounts counts concept tags of current facts.
func (t *tx) TagCounts(ctx context.Context, scope strata.Scope, limit int) ([]store.TagCount, error) {
	return inScope(ctx, t, scope, "count tags", func(no int64) ([]store.TagCount, error) {
		return t.usage(scope, no).TagCounts(ctx, clampLimit(limit))
	})
}

// PutPromotion records a promotion.
func (t *tx) PutPromotion(ctx context.Context, p strata.Promotion) error {
	return t.changeUsage(ctx, "put promotion", p.Scope, func(s usageScope) error { return s.PutPromotion(ctx, p) })
}

// AppendDream records a dream.
func (t *tx) AppendDream(ctx context.Context, d strata.Dream) error {
	const op = "append dream"
	if err := strata.ValidateName("dream id", d.ID); err != nil {
		return err
	}
	err := t.changeUsage(ctx, op, d.Scope, func(s usageScope) error { return s.Append(ctx, d) })
	if database.IsConstraint(err) {
		return conflict(op, "dream "+d.ID+" already exists")
	}
	return err
}

// StampDreams records that dreams have been applied to files.
func (t *tx) StampDreams(ctx context.Context, scope strata.Scope, id string) error {
	return t.changeUsage(ctx, "stamp dreams", scope, func(s usageScope) error { return s.Stamp(ctx, id, micros(t.now)) })
}

// PruneRecalls removes old recall events.
func (t *tx) PruneRecalls(ctx context.Context, scope strata.Scope, before time.Time) error {
	return t.changeUsage(ctx, "prune recalls", scope, func(s usageScope) error { return s.PruneRecalls(ctx, before) })
}

// TakeLease takes or extends a lease.
func (t *tx) TakeLease(ctx context.Context, l store.Lease) (taken bool, err error) {
	if !l.Until.After(t.now) {
		return false, strata.Invalid("take lease", "the lease has ended", "take it for some time from now")
	}
	err = t.changeUsage(ctx, "take lease", l.Scope, func(s usageScope) error {
		taken, err = s.Take(ctx, l, t.now)
		return err
	})
	return taken, err
}

// ReleaseLease gives a lease back.
func (t *tx) ReleaseLease(ctx context.Context, l store.Lease) error {
	return t.changeUsage(ctx, "release lease", l.Scope, func(s usageScope) error { return s.Release(ctx, l) })
}

// RecordMark records what happened to a memory just now.
func (t *tx) RecordMark(ctx context.Context, scope strata.Scope, memory string, m store.Mark) error {
	return t.changeUsage(ctx, "record mark", scope, func(s usageScope) error { return s.Mark(ctx, memory, m, t.now) })
}

// Opened lists when the documents of a scope were last opened.
func (t *tx) Opened(ctx context.Context, scope strata.Scope) ([]store.Opening, error) {
	return inScope(ctx, t, scope, "list openings", func(no int64) ([]store.Opening, error) { return t.usage(scope, no).Opened(ctx) })
}

// RecordAccess adds one access to each fact and document that exists.
func (t *tx) RecordAccess(ctx context.Context, scope strata.Scope, ids []string) error {
	const op = "record access"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return wrap(op, err)
	}
	return wrap(op, t.usage(scope, no).Accessed(ctx, ids, t.now))
}

// RecordRecall inserts recall events. Of each scope with a new event, it keeps only
// the newest ones.
func (t *tx) RecordRecall(ctx context.Context, events []store.RecallEvent, keep int) error {
	const op = "record recall"
	if keep < 0 {
		return strata.Invalid(op, "the number of events to keep is negative", "keep none or more")
	}
	of := make(map[strata.Scope][]store.RecallEvent)
	for _, e := range events {
		of[e.Scope] = append(of[e.Scope], e)
	}
	for scope, list := range of {
		err := t.changeUsage(ctx, op, scope, func(s usageScope) error { return s.Record(ctx, list, keep, t.now) })
		if err != nil {
			return err
		}
	}
	return nil
}
