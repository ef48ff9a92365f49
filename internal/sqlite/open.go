package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/clock"
	"github.com/strata-memory/strata/internal/index/lexical"
	"github.com/strata-memory/strata/internal/index/nearest"
	"github.com/strata-memory/strata/internal/index/small"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/extension"
	"github.com/strata-memory/strata/internal/sqlite/migration"
	"github.com/strata-memory/strata/internal/sqlite/purge"
	"github.com/strata-memory/strata/store"
)

var (
	_ store.Store  = (*DB)(nil)
	_ store.Copier = (*DB)(nil)
)

// Options adjust a [DB]. The zero value, and nil, mean the defaults.
type Options struct {
	// ReadOnly opens the database for reading. Every Update fails with
	// read_only. The database must exist.
	ReadOnly bool
	// BusyTimeout is how long to wait for another process; 0 means 10 s.
	BusyTimeout time.Duration
	// Waiting is told what is waited for when that takes more than a second; nil: nobody.
	Waiting func(what string)
	// Readers is the most reads at one time; more wait. 0 means 4.
	Readers int
	// Now is the clock; nil means [time.Now].
	Now func() time.Time
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.BusyTimeout == 0 {
		out.BusyTimeout = 10 * time.Second
	}
	if out.Readers == 0 {
		out.Readers = 4
	}
	out.Now = clock.Bounded(out.Now)
	return out
}

func (o Options) validate() error {
	const op = "open store"
	switch {
	case o.BusyTimeout < 0:
		return strata.Invalid(op, "the busy timeout is negative", "leave it 0 for ten seconds")
	case o.Readers < 0 || o.Readers > 256:
		return strata.Invalid(op, "the number of readers lies outside 0 to 256", "leave it 0 for four")
	}
	return nil
}

// DB is a [store.Store] in one SQLite file. It is safe for concurrent use;
// several processes may have the file open.
type DB struct {
	file   database.File
	opened *openedFiles // what acknowledged writes go to, and reads come from
	opts   Options
	scopes scopeCache
	// tombstoneKey is read at its first use; it never changes.
	tombstoneKey atomic.Pointer[[]byte]
	near         nearest.Index
	prepared     preparedScopes
	small        small.Cache
	lexical      *lexical.Index
	entries      sync.Pool // of *[]lexical.Entry, room for those of one term

	readers *database.Readers
	pool    *sql.DB // holds the one connection of writing; nil when read-only
	// unwritable is why a database that was to be written is open for reading; nil for others.
	unwritable *strata.Error
	unmade     bool // it holds no table yet
	commits    commitQueue
	// writing, lock and checkpoints are used by who leads in commits; writing and
	// lock are nil when read-only.
	writing     *database.Conn
	lock        *database.Lock
	checkpoints database.Checkpointer
	idle        idler
	purger      purge.Purger // overwrites what removed rows leave

	mu      sync.Mutex // guards closed, and running against being waited for too early
	closed  bool
	running sync.WaitGroup // calls that are under way

	// What is read and packed in the background goes on until work ends.
	work             context.Context
	endWork          context.CancelFunc
	background       sync.WaitGroup
	prepareFrom      int64         // as the constant, for tests to change
	mergePendingFrom textSize      // as the constants, for tests to change
	idleAfter        time.Duration // as the constant, for tests to change
	blockPassages    int           // as the constant, for tests to change
}

// Open opens the database file at path and brings its schema up to date. A
// file that is missing is created, readable by its owner only, with its
// directory. A file or directory that may not be written is opened for reading.
//
// Errors have code unsupported (no write-ahead log there), corrupt, newer_version,
// busy, read_only, full, invalid (a file of another program) or not_found.
func Open(ctx context.Context, path string, opts *Options) (*DB, error) {
	const op = "open store"
	o := opts.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	if path == "" {
		return nil, strata.Invalid(op, "no path was given", "name the database file")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, wrap(op, err)
	}
	if err := extension.Register(); err != nil {
		return nil, err
	}
	file := database.File{Path: path, BusyTimeout: o.BusyTimeout}
	db := &DB{file: file, opts: o, checkpoints: database.Checkpointer{File: file}}
	db.purger = purge.Purger{Path: path, Tables: []string{"term_index", "trigram_index"}, Touch: `UPDATE counter SET value = value WHERE name = 'change'`}
	db.lexical, db.blockPassages = lexical.NewIndex(lexicalHost{db}), lexical.BlockPassages
	db.prepareFrom, db.mergePendingFrom, db.idleAfter = prepareFrom, textSize{pendingTexts, pendingBytes}, idleAfter
	db.work, db.endWork = context.WithCancel(context.Background())
	db.scopes.no = make(map[strata.Scope]int64)
	if err := db.open(ctx); err != nil {
		db.endWork()
		db.release()
		return nil, db.wrap(op, err)
	}
	return db, nil
}

func (db *DB) open(ctx context.Context) error {
	if db.opts.ReadOnly {
		return db.openForReading(ctx)
	}
	err := db.openForWriting(ctx)
	if err == nil {
		db.readers = database.NewReaders(db.file, database.Read, db.opts.Readers)
		return nil
	}
	err = db.wrap("open store", err)
	if db.unmade || isEmpty(db.file.Path) {
		return unfinished(err)
	}
	if !db.readableAnyway(err) {
		return err
	}
	readErr := db.openForReading(ctx)
	switch strata.CodeOf(readErr) {
	case strata.CodeReadOnly, strata.CodeUnavailable, strata.CodeFull:
		return err // what keeps it from being written is why it is not read either
	}
	errors.As(err, &db.unwritable)
	return readErr
}

// readableAnyway reports whether err only keeps the database from being
// written.
func (db *DB) readableAnyway(err error) bool {
	switch strata.CodeOf(err) {
	case strata.CodeReadOnly, strata.CodeUnavailable, strata.CodeFull:
		return true
	}
	return false
}

// isEmpty reports whether the file at path is not there or has no bytes.
func isEmpty(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// unfinished is the error of a database that could not be made, or made to its end. Other
// errors than those of a disk stay as they are.
func unfinished(err error) error {
	var why *strata.Error
	if code := strata.CodeOf(err); !errors.As(err, &why) || code != strata.CodeFull && code != strata.CodeReadOnly {
		return err
	}
	return &strata.Error{Code: why.Code, Op: why.Op, Message: "creation of the home was not finished, and nothing was stored in it yet: " + why.Message,
		Hint: why.Hint + "; any command finishes it then, and strata --home DIR makes one elsewhere", Err: why.Err}
}

// openForWriting creates the file if need be, opens the one connection that
// writes and applies the migrations.
func (db *DB) openForWriting(ctx context.Context) error {
	if err := db.file.Create(); err != nil {
		return err
	}
	if err := db.file.CheckSize(); err != nil {
		return err
	}
	var err error
	if db.opened, err = filesAt(db.file.Path); err != nil {
		return err
	}
	db.pool = db.file.Open(database.Write)
	// Processes that create or recover one database at the same moment can get
	// in each other's way so that SQLite does not wait, for fear of a deadlock.
	err = db.untilFree(ctx, time.Now(), func() error { return db.prepare(ctx) })
	if err != nil {
		return err
	}
	if db.opened, err = db.opened.WithLog(); err != nil {
		return err
	}
	if db.lock, err = database.OpenLock(db.file.Path, db.opts.Waiting); err != nil {
		return err
	}
	// From here on untilFree does all the waiting. The statement yields a row: kept
	// prepared it would be under way for ever, and VACUUM not possible.
	_, err = db.writing.ExecContext(ctx, "PRAGMA busy_timeout = 0")
	return err
}

// prepare makes the connection that writes ready. Nothing is changed before it
// is known whose database this is. It can be tried again.
func (db *DB) prepare(ctx context.Context) error {
	if db.writing == nil {
		c, err := db.pool.Conn(ctx)
		if err != nil {
			return err
		}
		db.writing = database.NewConn(c)
	}
	var err error
	if db.unmade, err = migration.IsNew(ctx, db.writing); err != nil {
		return err
	}
	if err := db.file.CheckEnd(ctx, db.writing); err != nil {
		return err
	}
	if db.unmade {
		if err := database.LayOut(db.writing); err != nil {
			return err
		}
	}
	if err := database.UseLog(ctx, db.writing); err != nil {
		return err
	}
	if err := migration.Run(ctx, db.file, db.writing, db.now()); err != nil {
		return err
	}
	db.unmade = false
	return nil
}

// openForReading opens a database that this process cannot or must not write.
func (db *DB) openForReading(ctx context.Context) error {
	db.release() // what the try to open for writing left
	var err error
	db.opened, err = filesAt(db.file.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return strata.NotFound("open store", "database", db.file.Path)
	case err != nil:
		return err
	case db.opened.Size() == 0:
		return database.Corrupt("open store", "the database is empty")
	}
	if err := db.file.CheckSize(); err != nil {
		return err
	}
	mode := database.Read
	err = db.tryReading(ctx, mode)
	switch strata.CodeOf(db.wrap("", err)) {
	case strata.CodeUnavailable, strata.CodeReadOnly, strata.CodeFull:
		// A write-ahead log needs a shared file beside the database even to
		// read. Where none can be made, and no log holds anything, the file
		// is read as it lies.
		if log, statErr := os.Stat(db.file.Path + "-wal"); errors.Is(statErr, fs.ErrNotExist) || statErr == nil && log.Size() == 0 {
			mode = database.ReadImmutable
			err = db.tryReading(ctx, mode)
		}
	}
	if err != nil {
		return err
	}
	db.readers = database.NewReaders(db.file, mode, db.opts.Readers)
	return nil
}

// tryReading reports whether the database can be read in a mode, and holds a
// schema this build knows.
func (db *DB) tryReading(ctx context.Context, m database.Mode) error {
	p := db.file.Open(m)
	defer p.Close()
	only, err := p.Conn(ctx)
	if err != nil {
		return err
	}
	c := database.NewConn(only)
	defer c.Close()
	if err := migration.Check(ctx, c); err != nil {
		return err
	}
	return db.file.CheckEnd(ctx, c)
}

// enter counts a call that is under way; Close waits for its leave.
func (db *DB) enter(op string) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return database.Closed(op)
	}
	db.running.Add(1)
	return nil
}

func (db *DB) leave() { db.running.Done() }

// now is the time of a transaction that begins.
func (db *DB) now() time.Time { return db.opts.Now().UTC().Truncate(time.Microsecond) }

// Close waits for running transactions and releases the database. It is
// idempotent.
func (db *DB) Close() error {
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return nil
	}
	db.closed = true
	db.mu.Unlock()
	db.endWork()
	db.running.Wait()
	return db.wrap("close store", db.release())
}

// release closes what is open. The writer goes last: the last connection of
// all moves the write-ahead log into the database, which readers cannot.
func (db *DB) release() error {
	var errs []error
	db.checkpoints.Stop()
	db.idle.stop()
	if db.readers != nil {
		errs = append(errs, db.readers.Close())
		db.readers = nil
	}
	if db.writing != nil {
		errs = append(errs, db.writing.Close())
		db.writing = nil
	}
	if db.pool != nil {
		errs = append(errs, db.pool.Close())
		db.pool = nil
	}
	if db.lock != nil {
		errs = append(errs, db.lock.Close())
		db.lock = nil
	}
	return errors.Join(errs...)
}

// Copies lists the files beside the database that hold it as it was: from before its
// schema changed last, and backups that were made by themselves.
func (db *DB) Copies() ([]string, error) {
	list, err := migration.Copies(db.file.Path)
	return list, wrap("list copies", err)
}
