package sqlite

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/migration"
	"github.com/strata-memory/strata/internal/sqlite/pages"
	"github.com/strata-memory/strata/store"
)

// A group closes when it has run groupMost functions or has been open for groupTime,
// so that its first function does not wait indefinitely.
const (
	groupMost = 128
	groupTime = 10 * time.Millisecond
)

// commitGroup is one transaction and the functions that share it.
type commitGroup struct {
	begun  time.Time
	size   int
	scopes map[strata.Scope]int64 // those created in the transaction
	// counters are the numbers taken in the transaction. They are stored before it
	// commits.
	counters counters
	cached   cachedRows
	// pending are the scopes with new rows in table pending.
	pending map[int64]bool
	forgets bool     // whether any of its functions forgets something
	lost    error    // set if SQLite rolled back the transaction by itself
	onUndo  []func() // undo functions of the functions that succeeded

	done chan struct{} // closed when committed or rolled back
	err  error         // why it was rolled back; set before done is closed
}

// Update runs fn in a write transaction and returns once it is durable. fn must not
// call Update: that would deadlock. If ctx ends while fn waits for its turn, Update
// returns its error; once fn has run, Update waits for the outcome.
func (db *DB) Update(ctx context.Context, fn func(store.Writer) error) error {
	const op = "update store"
	if err := db.enter(op); err != nil {
		return err
	}
	defer db.leave()
	if db.writing == nil {
		return db.readOnlyError(op)
	}
	if err := db.opened.Damaged(op); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return db.wrap(op, err)
	}
	since := time.Now()
	g, err := db.commits.wait(ctx)
	if err != nil {
		return db.wrap(op, err)
	}
	if g == nil {
		if g, err = db.beginGroup(ctx, since); err != nil {
			db.commits.leave()
			return db.wrap(op, err)
		}
	}
	return db.runInGroup(ctx, g, fn)
}

// beginGroup begins a transaction when it is this process's turn. It fails with busy
// once the busy timeout has passed since the caller began to wait.
func (db *DB) beginGroup(ctx context.Context, since time.Time) (*commitGroup, error) {
	if err := db.lock.Acquire(ctx, since.Add(db.opts.BusyTimeout)); err != nil {
		return nil, err
	}
	err := db.untilFree(ctx, since, func() error { return db.writing.Control("BEGIN IMMEDIATE") })
	if err != nil {
		db.lock.Release()
		return nil, err
	}
	return &commitGroup{
		begun:    time.Now(),
		scopes:   make(map[strata.Scope]int64),
		counters: counters{next: make(map[int64]int64)},
		pending:  make(map[int64]bool),
		done:     make(chan struct{}),
	}, nil
}

// runInGroup runs fn for the caller, who has the lead, passes the lead on, and waits
// for the commit.
func (db *DB) runInGroup(ctx context.Context, g *commitGroup, fn func(store.Writer) error) error {
	g.size++
	t := &tx{db: db, conn: db.writing, now: db.now(), group: g, cached: &g.cached}
	first := g.size == 1
	finished := false
	defer func() {
		if !finished { // fn panicked or called runtime.Goexit
			db.undo(t, first)
			db.handOver(g)
		}
	}()
	err := t.run(first, fn)
	if err != nil {
		db.undo(t, first)
	}
	finished = true
	db.handOver(g)
	if err != nil {
		return err
	}
	<-g.done
	return g.err
}

// run runs fn. All functions of a group but the first run in a savepoint, so that
// each can be undone alone. The first needs none, since undoing it rolls back a
// transaction with nothing else in it.
func (t *tx) run(first bool, fn func(store.Writer) error) error {
	g := t.group
	if !first {
		if err := t.conn.Control("SAVEPOINT f"); err != nil {
			return err
		}
	}
	if err := fn(t); err != nil {
		return err
	}
	if g.lost != nil { // fn swallowed the error
		return g.lost
	}
	if !first {
		if err := t.conn.Control("RELEASE f"); err != nil {
			return err
		}
	}
	for scope, no := range t.scopes {
		g.scopes[scope] = no
	}
	g.forgets = g.forgets || t.forgets
	g.onUndo = append(g.onUndo, t.onUndo...)
	return nil
}

// undo undoes what the current function did. If SQLite has rolled back the whole
// transaction by itself (on a full disk, for example), or cannot undo the function
// alone, the whole group fails.
func (db *DB) undo(t *tx, first bool) {
	g := t.group
	g.cached.clear()
	for _, fn := range t.onUndo {
		fn()
	}
	if first {
		g.end(nil)
		db.rollback()
		return
	}
	err := g.lost
	if err == nil {
		err = db.writing.Control("ROLLBACK TO f")
	}
	if err == nil {
		err = db.writing.Control("RELEASE f")
	}
	if err != nil {
		g.end(db.wrap("update store", err))
		db.rollback()
	}
}

// handOver lets the next function run, or commits if none may join.
func (db *DB) handOver(g *commitGroup) {
	open := !g.ended() && g.size < groupMost && time.Since(g.begun) < groupTime
	if open && db.commits.join(g) {
		return
	}
	if !g.ended() {
		db.commit(g)
	}
	db.lock.Release()
	db.commits.leave()
}

func (g *commitGroup) ended() bool {
	select {
	case <-g.done:
		return true
	default:
		return false
	}
}

// end releases everyone who waits for the group. err says why it was rolled back.
func (g *commitGroup) end(err error) {
	if err != nil {
		for _, fn := range g.onUndo {
			fn()
		}
	}
	g.err = err
	close(g.done)
}

// commit makes the group durable. It succeeds only if the files that hold the
// database are still those of the home, and whole. It checks before the commit, so
// that nothing is stored that is then refused, and again after it, because the files
// may be removed in the meantime.
func (db *DB) commit(g *commitGroup) {
	whole := func() (bool, error) { return pages.Whole(context.Background(), db.writing, db.file.Path) }
	err := db.beforeCommit(g)
	if err == nil {
		err = db.opened.CheckWrite(whole)
	}
	if err == nil {
		err = db.writing.Control("COMMIT")
	}
	if err == nil {
		err = db.opened.CheckWrite(whole)
	}
	if err != nil {
		db.opened.Note(err)
		db.rollback()
		g.end(db.wrap("commit", err))
		return
	}
	for scope, no := range g.scopes {
		db.scopes.put(scope, no)
	}
	g.end(nil)
	db.idle.note(db)
	db.checkpoints.AfterCommit(db.writing)
}

// beforeCommit does the work that is done once for all functions of a group: it
// merges pending words if there are enough, and stores the counters.
func (db *DB) beforeCommit(g *commitGroup) error {
	ctx := context.Background()
	t := &tx{db: db, conn: db.writing, group: g, cached: &g.cached}
	if err := t.mergeFull(ctx); err != nil {
		return err
	}
	if err := t.storeCounters(ctx); err != nil {
		return err
	}
	if g.forgets {
		return migration.RemoveCopies(db.file.Path)
	}
	return nil
}

// rollback ends the transaction if one is still open.
func (db *DB) rollback() {
	if db.writing.InTransaction() {
		db.writing.Control("ROLLBACK") // fails only when SQLite has rolled back already
	}
}

// untilFree calls try until no other connection is in the way or the busy timeout
// has passed. SQLite's own waiting would grow to pauses of a tenth of a second.
func (db *DB) untilFree(ctx context.Context, since time.Time, try func() error) error {
	for n := 0; ; n++ {
		err := try()
		if err == nil || !database.IsBusy(err) || time.Since(since) >= db.opts.BusyTimeout {
			return err
		}
		select {
		case <-time.After(busyPause(n)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// busyPause returns how long to wait before the next attempt: short enough to catch
// the gap between two transactions of another process.
func busyPause(try int) time.Duration {
	const shortest, longest = 100 * time.Microsecond, 2 * time.Millisecond
	return min(shortest<<min(try, 10), longest)
}
