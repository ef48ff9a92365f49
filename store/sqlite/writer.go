package sqlite

import (
	"context"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// The writer lets one function at a time write, and lets functions that come
// while others write share their transaction, because a durable commit costs
// far more than most functions do.
//
// There is no goroutine of its own. A baton goes from caller to caller: the
// first begins a transaction and runs its function; as long as others wait,
// each runs its own inside the same transaction and hands the baton on; the
// last commits for all and starts the next group off. A function alone waits
// for nobody. Each runs in the goroutine of its caller, so that a panic takes
// its natural way.
type writer struct {
	mu     sync.Mutex // guards the fields below
	active bool       // somebody holds the baton
	queue  []*ticket  // who waits for it, in order
}

// ticket is a function's place in the queue.
type ticket struct {
	since time.Time
	turn  chan *group // receives the baton: a group to join, or nil to begin one
}

// A group closes when it has run this many functions or for this long, so that
// the first of it does not wait without bound.
const (
	groupMost = 128
	groupTime = 10 * time.Millisecond
)

// group is one transaction and the functions that share it.
type group struct {
	begun time.Time
	size  int
	// scopes holds the scopes created in the transaction, next the numbers
	// taken from them, change the last change number (0: not read yet).
	scopes  map[strata.Scope]int64
	next    map[int64]int64
	change  int64
	changed bool
	forgets bool // something is forgotten in it
	// newest holds the greatest ids of facts and decisions that were given, also
	// before: see alone.
	newest map[newestKey]string
	// tally is that of the functions before, settled: see alone. The function at
	// hand takes it.
	tally *tally
	// words are the full-text rows of the functions that succeeded, written
	// those of them that the function at hand wrote.
	words, written keptWords
	lost           error // why SQLite undid the transaction by itself

	done chan struct{} // closed when committed or undone
	err  error         // why it was undone; set before done is closed
}

// Update runs fn in a write transaction and returns once it is durable. fn must
// not call Update itself: it would wait for its own end. A context that ends
// while fn waits for its turn takes it out of the queue; once fn has run, its
// outcome is waited for.
func (db *DB) Update(ctx context.Context, fn func(store.Writer) error) error {
	const op = "update store"
	if err := db.enter(op); err != nil {
		return err
	}
	defer db.leave()
	if db.writing == nil {
		return readOnlyError(op)
	}
	if err := ctx.Err(); err != nil {
		return wrap(op, err)
	}
	w := &db.writer
	since, g, err := w.wait(ctx)
	if err != nil {
		return wrap(op, err)
	}
	if g == nil {
		if g, err = db.beginGroup(ctx, since); err != nil {
			w.passOn(nil)
			return wrap(op, err)
		}
	}
	return db.runInGroup(ctx, g, fn)
}

// wait returns when the caller holds the baton: with a group to join, or with
// nil when it is to begin one.
func (w *writer) wait(ctx context.Context) (since time.Time, g *group, err error) {
	since = time.Now()
	w.mu.Lock()
	if !w.active {
		w.active = true
		w.mu.Unlock()
		return since, nil, nil
	}
	t := &ticket{since: since, turn: make(chan *group, 1)}
	w.queue = append(w.queue, t)
	w.mu.Unlock()

	select {
	case g := <-t.turn:
		return since, g, nil
	case <-ctx.Done():
	}
	w.mu.Lock()
	for i, other := range w.queue {
		if other == t {
			w.queue = append(w.queue[:i], w.queue[i+1:]...)
			w.mu.Unlock()
			return since, nil, ctx.Err()
		}
	}
	w.mu.Unlock()
	return since, <-t.turn, nil // the baton was on its way: go on
}

// passOn hands the baton to the next in the queue, with a group to join or nil
// to begin one. It reports false, and keeps the baton, if g is not nil and
// nobody waits: then g is to be committed.
func (w *writer) passOn(g *group) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 {
		if g == nil {
			w.active = false
		}
		return g == nil
	}
	t := w.queue[0]
	w.queue = w.queue[1:]
	t.turn <- g
	return true
}

// take takes the baton, if nobody has it.
func (w *writer) take() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.active {
		return false
	}
	w.active = true
	return true
}

// busy reports whether anybody writes or waits to.
func (w *writer) busy() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.active
}

// runInGroup runs fn for the holder of the baton, hands the baton on, and
// waits for the commit.
func (db *DB) runInGroup(ctx context.Context, g *group, fn func(store.Writer) error) error {
	g.size++
	first := g.size == 1
	finished := false
	defer func() {
		if !finished { // fn panicked or ended its goroutine
			db.undo(g, first)
			db.handOver(g)
		}
	}()
	err := db.runFunction(ctx, g, first, fn)
	if err != nil {
		db.undo(g, first)
	}
	finished = true
	db.handOver(g)
	if err != nil {
		return err
	}
	<-g.done
	return g.err
}

// runFunction runs fn. All but the first of a group run in a savepoint, so
// that each is undone alone; the first needs none, as undoing it undoes a
// transaction with nothing else in it.
func (db *DB) runFunction(ctx context.Context, g *group, first bool, fn func(store.Writer) error) error {
	t := &tx{db: db, conn: db.writing, now: db.now(), group: g}
	if !first {
		if err := db.writing.control("SAVEPOINT f"); err != nil {
			return err
		}
	}
	if err := fn(t); err != nil {
		return err
	}
	if g.lost != nil { // fn did not pass on what it was told
		return g.lost
	}
	if err := t.settle(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	if !first {
		if err := db.writing.control("RELEASE f"); err != nil {
			return err
		}
	}
	for scope, no := range t.scopes {
		g.scopes[scope] = no
	}
	g.forgets = g.forgets || t.forgets
	if t.tally != nil {
		g.tally = t.tally
	}
	if t.kept != nil {
		db.leaveRoom(t.kept)
	}
	g.words.append(t.words)
	g.written = keptWords{}
	return nil
}

// undo takes back what the function at hand did. Where SQLite has undone the
// whole transaction by itself (the disk is full, say), or would not undo the
// part, the whole group ends.
func (db *DB) undo(g *group, first bool) {
	if first {
		g.fail(nil)
		db.rollback()
		return
	}
	db.pending.drop()
	err := g.lost
	if err == nil {
		err = db.writing.control("ROLLBACK TO f")
	}
	if err == nil {
		err = db.writing.control("RELEASE f")
	}
	g.words.append(g.written) // undone with the function that wrote them
	g.written = keptWords{}
	if err != nil {
		g.fail(wrap("update store", err))
		db.rollback()
	}
}

// handOver passes the baton to the next function or commits, whichever is due.
func (db *DB) handOver(g *group) {
	w := &db.writer
	open := !g.ended() && g.size < groupMost && time.Since(g.begun) < groupTime
	if open && w.passOn(g) {
		return
	}
	if !g.ended() {
		db.commit(g)
	}
	db.turnstile.leave()
	w.passOn(nil)
}

func (g *group) ended() bool {
	select {
	case <-g.done:
		return true
	default:
		return false
	}
}

func (g *group) fail(err error) {
	g.err = err
	close(g.done)
}

// beginGroup begins a transaction when it is this process's turn. It fails
// with busy once the busy time-out, counted from when the caller began to wait,
// is over.
func (db *DB) beginGroup(ctx context.Context, since time.Time) (*group, error) {
	if err := db.turnstile.enter(ctx, since.Add(db.opts.BusyTimeout)); err != nil {
		return nil, err
	}
	err := db.untilFree(ctx, since, func() error { return db.writing.control("BEGIN IMMEDIATE") })
	if err != nil {
		db.turnstile.leave()
		return nil, err
	}
	db.meetOthers()
	return &group{
		begun:  time.Now(),
		change: db.alone.change,
		scopes: make(map[strata.Scope]int64),
		next:   make(map[int64]int64),
		newest: db.alone.newest,
		tally:  db.alone.tally,
		done:   make(chan struct{}),
	}, nil
}

// untilFree tries until no other connection is in the way, or the busy
// time-out is over. SQLite's own waiting would grow to pauses of a tenth of a
// second.
func (db *DB) untilFree(ctx context.Context, since time.Time, try func() error) error {
	var pause *time.Timer
	for n := 0; ; n++ {
		err := try()
		if err == nil || !isBusy(err) || time.Since(since) >= db.opts.BusyTimeout {
			return err
		}
		if pause == nil {
			pause = time.NewTimer(busyPause(n))
			defer pause.Stop()
		} else {
			pause.Reset(busyPause(n))
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// busyPause is how long to wait before the next try to begin: short enough to
// catch the gap between two transactions of another process.
func busyPause(try int) time.Duration {
	const shortest, longest = 100 * time.Microsecond, 2 * time.Millisecond
	return min(shortest<<min(try, 10), longest)
}

// commit makes the group durable and releases everybody who waits for it.
func (db *DB) commit(g *group) {
	err := db.writeRest(g)
	if err == nil && g.forgets {
		err = db.removeCopies()
	}
	if err == nil {
		err = db.writing.control("COMMIT")
	}
	if err != nil {
		db.rollback()
		g.fail(wrap("commit", err))
		return
	}
	for scope, no := range g.scopes {
		db.scopes.put(scope, no)
	}
	db.alone.keep(g)
	g.fail(nil)
	db.afterCommit()
}

// writeRest stores what the group kept to itself until its end: full-text rows
// and the numbers it has taken.
func (db *DB) writeRest(g *group) error {
	ctx := context.Background()
	t := &tx{db: db, conn: db.writing, group: g}
	if err := t.putWords(ctx, g.words); err != nil {
		return err
	}
	if err := t.mergeSome(ctx); err != nil {
		return err
	}
	for scopeNo, next := range g.next {
		if _, err := t.put(ctx, `UPDATE scope SET next = ? WHERE no = ?`, next, scopeNo); err != nil {
			return err
		}
	}
	if !g.changed {
		return nil
	}
	_, err := t.put(ctx, `UPDATE counter SET value = ? WHERE name = 'change'`, g.change)
	return err
}

// rollback ends the transaction if one is still open.
func (db *DB) rollback() {
	db.pending.drop()
	db.alone = alone{told: db.alone.told, version: db.alone.version} // the rest was undone
	if db.writing.inTransaction() {
		db.writing.control("ROLLBACK") // fails only when SQLite has rolled back already
	}
}
