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

// Options adjust a [DB]. A nil *Options or the zero value means the defaults.
type Options struct {
	// ReadOnly opens the database for reading only. Every Update fails with read_only.
	// The database must exist.
	ReadOnly bool
	// BusyTimeout is how long to wait for another process; 0 means 10 s.
	BusyTimeout time.Duration
	// Waiting, if not nil, is called with a message when a write has waited more than a
	// second for another process.
	Waiting func(what string)
	// Readers is the maximum number of concurrent reads; more wait. 0 means 4.
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
	opened *openedFiles // the files that are open; later writes and reads check that they are still in place
	opts   Options
	scopes scopeCache
	// tombstoneKey is read at its first use and never changes.
	tombstoneKey atomic.Pointer[[]byte]
	near         nearest.Index
	prepared     preparedScopes
	lexical      *lexical.Index
	entries      sync.Pool // of *[]lexical.Entry, scratch memory for the entries of one term

	readers *database.Readers
	pool    *sql.DB // holds the single connection of writing; nil when read-only
	// unwritable says why a database that was to be written is open for reading only;
	// otherwise nil.
	unwritable *strata.Error
	unmade     bool // the database has no tables yet
	commits    commitQueue
	// The holder of the lead in commits uses writing, lock and checkpoints. writing and
	// lock are nil when read-only.
	writing     *database.Conn
	lock        *database.Lock
	checkpoints database.Checkpointer
	idle        idler
	purger      purge.Purger // overwrites what removed rows leave behind

	mu      sync.Mutex // guards closed, and calls of running.Add against running.Wait
	closed  bool
	running sync.WaitGroup // calls in progress

	// Background reading and packing runs until work is canceled.
	work             context.Context
	endWork          context.CancelFunc
	background       sync.WaitGroup
	prepareFrom      int64         // the constant prepareFrom, unless changed by a test
	mergePendingFrom textSize      // the constants pendingTexts and pendingBytes, unless changed by a test
	idleAfter        time.Duration // the constant idleAfter, unless changed by a test
	blockPassages    int           // the constant lexical.BlockPassages, unless changed by a test
}

// Open opens the database file at path and brings its schema up to date. A missing
// file is created with its directory, readable by its owner only. A file or
// directory that cannot be written is opened for reading only.
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
		return err // what prevents writing also prevents reading
	}
	errors.As(err, &db.unwritable)
	return readErr
}

// readableAnyway reports whether err prevents only writing the database.
func (db *DB) readableAnyway(err error) bool {
	switch strata.CodeOf(err) {
	case strata.CodeReadOnly, strata.CodeUnavailable, strata.CodeFull:
		return true
	}
	return false
}

// isEmpty reports whether the file at path does not exist or is empty.
func isEmpty(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// unfinished returns the error of a database whose creation failed or was not
// completed. Errors that are not about the disk are returned unchanged.
func unfinished(err error) error {
	var why *strata.Error
	if code := strata.CodeOf(err); !errors.As(err, &why) || code != strata.CodeFull && code != strata.CodeReadOnly {
		return err
	}
	return &strata.Error{Code: why.Code, Op: why.Op, Message: "creation of the home was not finished, and nothing was stored in it yet: " + why.Message,
		Hint: why.Hint + "; any command finishes it then, and strata --home DIR makes one elsewhere", Err: why.Err}
}

// openForWriting creates the file if needed, opens the single connection that writes
// and applies the migrations.
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
	// If processes create or recover a database at the same moment, SQLite may fail
	// instead of waiting, to avoid a deadlock.
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
	// From here on untilFree does all the waiting. The statement returns a row: if it
	// were kept prepared, it would stay in progress for good, and VACUUM could not run.
	_, err = db.writing.ExecContext(ctx, "PRAGMA busy_timeout = 0")
	return err
}

// prepare prepares the connection that writes. It changes nothing before it knows
// that the database is one of Strata. It can be called again after an error.
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
	db.release() // what the attempt to open for writing left open
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
		// Even reading a write-ahead log needs a shared file beside the database. If
		// none can be made and the log holds nothing, the database is read without it,
		// as a file that does not change.
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

// tryReading returns an error if the database cannot be read in a mode, or has a
// schema that this build does not know.
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

// enter counts a call as in progress until leave; Close waits for it.
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

// now returns the time of a transaction that begins now.
func (db *DB) now() time.Time { return db.opts.Now().UTC().Truncate(time.Microsecond) }

// Close waits for running transactions and closes the database. Closing it again
// does nothing.
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

// release closes everything that is open. The writer is closed last: the last
// connection moves the write-ahead log into the database, which readers cannot do.
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

// Copies lists the older copies of the database beside it: from before its last
// schema change, and automatic backups.
func (db *DB) Copies() ([]string, error) {
	list, err := migration.Copies(db.file.Path)
	return list, wrap("list copies", err)
}
