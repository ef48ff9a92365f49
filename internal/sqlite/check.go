package sqlite

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/migration"
	"github.com/strata-memory/strata/internal/sqlite/pages"
	"github.com/strata-memory/strata/internal/sqlite/salvage"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// checkFunc is one part of a check.
type checkFunc func(context.Context) ([]store.Problem, error)

// Check looks for damage and for disagreement between tables. It reads everything.
// Damage is reported page by page, with the rows that are lost.
func (db *DB) Check(ctx context.Context, progress func(done, total int64)) ([]store.Problem, error) {
	var differing []string
	err := db.viewAfresh(ctx, func(t *tx) (err error) {
		differing, err = migration.CheckStored(ctx, t.conn)
		return err
	})
	if len(differing) > 0 || err != nil && !check.IsDamage(err) {
		return salvage.SchemaProblems(differing), wrap("check store", err)
	}
	var lines []string
	parts := []func(*tx) []checkFunc{
		func(t *tx) []checkFunc {
			c := check.Checker{Conn: t.conn}
			return []checkFunc{func(ctx context.Context) (_ []store.Problem, err error) {
				lines, err = c.Pages(ctx)
				return nil, err
			}, c.References, c.Rows}
		},
		func(t *tx) []checkFunc {
			c := check.Checker{Conn: t.conn}
			return []checkFunc{c.Sums, c.Sections, c.States, t.checkTombstones, c.Index, c.Pending, c.Keys,
				t.checkVectors, t.checkPassageBlocks}
		},
	}
	found, errs := make([][]store.Problem, len(parts)), make([]error, len(parts))
	steps := steps{progress: progress}
	var wait sync.WaitGroup
	for i, part := range parts {
		wait.Go(func() {
			// A connection that has searched before caches the structure of the
			// full-text index, and SQLite's check of that index, unlike a search, does
			// not notice that another connection has changed it since.
			errs[i] = db.viewAfresh(ctx, func(t *tx) (err error) {
				found[i], err = runChecks(ctx, part(t), &steps)
				return err
			})
		})
	}
	wait.Wait()
	failed := errors.Join(errs...)
	out := append(found[0], found[1]...)
	if failed == nil && len(lines) == 0 {
		return out, nil
	}
	damage, err := db.examine(ctx, lines)
	if err != nil {
		return nil, wrap("check store", err)
	}
	for _, err := range errs {
		if err != nil && !check.IsDamage(err) && len(damage) == 0 {
			return nil, wrap("check store", err)
		}
	}
	return append(damage, followFrom(damage, out)...), nil
}

// followFrom returns the problems found besides damage. If only derived data is
// damaged, rows that are looked up through an index seem to be missing, so the
// repair is to reindex first.
func followFrom(damage, found []store.Problem) []store.Problem {
	if len(damage) == 0 || slices.ContainsFunc(damage, func(p store.Problem) bool { return p.Kind != "damaged_index" }) {
		return found
	}
	for i, p := range found {
		if p.Repair == "" && !strings.HasPrefix(p.Kind, "damaged_") {
			found[i].Repair, found[i].Detail = check.RepairIndex, p.Detail+"; it may follow from what is damaged of indexes"
		}
	}
	return found
}

// steps counts the checks of all goroutines, to report progress.
type steps struct {
	progress func(done, total int64)

	mu          sync.Mutex // guards the fields below, and is held while progress is called
	done, total int64
}

func (s *steps) add(done, total int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done += int64(done)
	s.total += int64(total)
	if s.progress != nil {
		s.progress(s.done, s.total)
	}
}

// runChecks runs the checks in turn, even after one fails: a row that is partly
// overwritten may still be readable, with wrong values. The error is the first that
// does not mean damage, or else the first.
func runChecks(ctx context.Context, checks []checkFunc, steps *steps) (out []store.Problem, first error) {
	steps.add(0, len(checks))
	for _, run := range checks {
		found, err := run(ctx)
		steps.add(1, 0)
		out = append(out, found...)
		if first == nil || check.IsDamage(first) && err != nil {
			first = err
		}
	}
	return out, first
}

// examine reports what cannot be read. If everything can be read, it reports what
// SQLite said instead, which otherwise only follows from the damage.
func (db *DB) examine(ctx context.Context, lines []string) (out []store.Problem, err error) {
	err = db.viewAfresh(ctx, func(t *tx) error {
		if _, err := t.queryInteger(ctx, `PRAGMA data_version`); err != nil { // this begins the transaction
			return err
		}
		f, err := pages.On(ctx, t.conn, db.file.Path)
		if err != nil {
			return err
		}
		defer f.Close()
		s, err := salvage.Inspect(ctx, f, nil)
		if err != nil {
			return err
		}
		if out = s.Problems(); len(out) == 0 {
			out = s.Said(f, lines)
		}
		return nil
	})
	return out, err
}

// checkTombstones looks for forgotten texts that came back without anybody asking.
func (t *tx) checkTombstones(ctx context.Context) ([]store.Problem, error) {
	rows, err := t.query(ctx, factSelect+`
		WHERE f.retired_at IS NULL AND f.scope_no IN (SELECT scope_no FROM tombstone)`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []store.Problem
	for rows.Next() && len(out) < check.Most {
		f, err := scanFact(rows.Scan)
		if err != nil {
			return out, err
		}
		if f.Origin.Explicit() {
			continue
		}
		if _, forgotten, err := t.Forgotten(ctx, f.Scope, text.Analyze(f.Text)); err != nil {
			return out, err
		} else if forgotten {
			out = append(out, store.Problem{Kind: "forgotten_text_returned", Scope: f.Scope.Key(), Ref: f.ID,
				Detail: "a text that was forgotten is current again, and nobody asked for it",
				Repair: "strata forget " + f.ID})
		}
	}
	return out, rows.Err()
}
