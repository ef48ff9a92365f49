package salvage

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/extension"
	"github.com/strata-memory/strata/internal/sqlite/pages"
	"github.com/strata-memory/strata/store"
)

// opened is a damaged database being read.
type opened struct {
	file *pages.File
	pool *sql.DB
	conn *database.Conn // in a read transaction; nil if SQLite cannot open the file
	// refused says why SQLite cannot open it.
	refused error
}

// open opens a database for reading, as one consistent state if SQLite can open it.
// A database whose creation was not finished is treated like a missing one.
func open(ctx context.Context, f database.File) (*opened, error) {
	err := exists(f)
	if err != nil {
		return nil, err
	}
	o := &opened{pool: f.Open(database.ReadDamaged)}
	if o.conn, err = begin(ctx, o.pool); err == nil {
		o.file, err = pages.On(ctx, o.conn, f.Path)
	} else {
		o.pool.Close()
		o.pool, o.refused = nil, err
		o.file, err = pages.Open(f.Path)
	}
	if err != nil {
		o.file = nil
		return nil, errors.Join(f.Wrap("open store", err), o.close())
	}
	if o.file.Blank() {
		return nil, errors.Join(database.Unfinished("open store", f.Path), o.close())
	}
	return o, nil
}

// exists returns an error if the file does not exist or holds no page.
func exists(f database.File) error {
	info, err := os.Stat(f.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return strata.NotFound("open store", "database", f.Path)
	case err == nil && info.Size() == 0:
		return database.Unfinished("open store", f.Path)
	case err != nil:
		return database.Wrap("open store", err)
	case info.Size() < pages.Size:
		return database.Corrupt("open store", "the file is not a database")
	}
	return nil
}

// begin returns a connection in a read transaction.
func begin(ctx context.Context, pool *sql.DB) (*database.Conn, error) {
	only, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	c := database.NewConn(only)
	if err := c.Control("BEGIN"); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	if _, err := dataVersion(ctx, c); err != nil { // the transaction begins when the first page is read
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// dataVersion returns a number that changes when another connection writes.
func dataVersion(ctx context.Context, c *database.Conn) (v int64, err error) {
	return v, c.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&v)
}

func (o *opened) close() error {
	var err error
	if o.file != nil {
		err = o.file.Close()
	}
	if o.conn != nil {
		err = errors.Join(err, o.conn.Close())
	}
	if o.pool != nil {
		err = errors.Join(err, o.pool.Close())
	}
	return err
}

// Examine checks every page of the database at path and reports what cannot be read.
// If nothing is damaged, the list is empty. It only reads the file. progress, which
// may be nil, is called with the number of pages done and the total.
func Examine(ctx context.Context, path string, progress func(done, total int64)) ([]store.Problem, error) {
	f, err := fileAt(path)
	if err != nil {
		return nil, err
	}
	o, err := open(ctx, f)
	if err != nil {
		return nil, err
	}
	s, err := Inspect(ctx, o.file, progress)
	if err == nil && len(s.Damages) == 0 {
		s.parseSchema(ctx, o)
	}
	if err = errors.Join(err, o.close()); err != nil {
		return nil, err
	}
	return s.Problems(), nil
}

// parseSchema records damage if SQLite cannot parse the schema although its pages
// can be read. Other errors are left to whoever opens the database next.
func (s *Survey) parseSchema(ctx context.Context, o *opened) {
	err := o.refused
	if o.conn != nil {
		var tables int64
		err = o.conn.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables)
	}
	if check.IsDamage(err) {
		s.add("sqlite_schema", "", false, pages.Lost{Page: 1, Reason: err.Error()})
	}
}

// Saved is what [Save] or [Load] found and wrote.
type Saved struct {
	Rows     map[string]int64 // rows that were kept, by table
	Restored int64            // rows that were reconstructed
	Lost     []store.Problem  // what could not be read or kept
}

// Sound reports whether the database at path can be read completely with its own
// schema, and every fact, turn, decision, document and learning is as it was
// written. progress, which may be nil, is called with the number of pages done and
// the total.
func Sound(ctx context.Context, path string, progress func(done, total int64)) (sound bool, err error) {
	f, err := fileAt(path)
	if err != nil {
		return false, err
	}
	o, err := open(ctx, f)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	s, err := Inspect(ctx, o.file, progress)
	if err != nil || len(s.Damages) > 0 || len(s.Differing) > 0 || o.conn == nil {
		return false, err
	}
	if s.schema.version < sumsSince {
		return true, nil
	}
	for _, t := range check.Sums {
		var changed bool
		err := o.conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+t.Table+` NOT INDEXED WHERE sum IS NOT `+t.Sum+`)`).Scan(&changed)
		if err != nil || changed {
			return false, database.Wrap("look at rows", err)
		}
	}
	return true, nil
}

// Save writes everything that can be read of the database at from, which it does not
// modify, into a new database at to, which must not exist. It leaves out derived
// data and, if asWritten is set, rows that can be read but differ from what was
// written. progress, which may be nil, is called with the number of rows done.
func Save(ctx context.Context, from, to string, asWritten bool, progress func(done int64)) (Saved, error) {
	f, err := fileAt(from)
	if err != nil {
		return Saved{}, err
	}
	t, err := fileAt(to)
	if err != nil {
		return Saved{}, err
	}
	o, err := open(ctx, f)
	if err != nil {
		return Saved{}, err
	}
	s, err := Inspect(ctx, o.file, nil)
	var b Built
	if err == nil {
		b, err = Build(ctx, o.file, s, BuildOptions{To: t, AsWritten: asWritten, Now: time.Now(), Progress: progress})
	}
	if err = errors.Join(err, o.close()); err != nil {
		return Saved{}, err
	}
	return Saved{Rows: b.Rows, Restored: b.Restored, Lost: append(s.Problems(), b.Problems()...)}, nil
}

// Mend makes the database at path readable again if only derived data is damaged. It
// leaves that data out, to be rebuilt afterwards. It rewrites the database in a
// single transaction, so other processes may have it open, but not this one. It
// reports whether anything needed mending. If more is damaged, it changes nothing
// and fails with code corrupt.
func Mend(ctx context.Context, path string, progress func(done, total int64)) (mended bool, err error) {
	const op = "mend store"
	f, err := fileAt(path)
	if err != nil {
		return false, err
	}
	now := time.Now()
	o, err := open(ctx, f)
	if err != nil { // checked first, so that no lock file is created where there is no home
		return false, err
	}
	if err := o.close(); err != nil {
		return false, err
	}
	lock, err := database.OpenLock(f.Path, nil)
	if err != nil {
		return false, err
	}
	defer lock.Close()
	if err := lock.Acquire(ctx, now.Add(f.BusyTimeout)); err != nil {
		return false, f.Wrap(op, err)
	}
	defer lock.Release()
	if o, err = open(ctx, f); err != nil {
		return false, err
	}
	anew := database.File{Path: f.Path + ".mended", BusyTimeout: f.BusyTimeout}
	defer func() { err = errors.Join(err, removeDatabase(anew.Path)) }()
	if err := removeDatabase(anew.Path); err != nil { // left by a process that ended before it was done
		return false, f.Wrap(op, errors.Join(err, o.close()))
	}
	needed, err := o.rebuild(ctx, f, anew, now, progress)
	err = errors.Join(err, o.close())
	if err != nil || !needed {
		return false, f.Wrap(op, err)
	}
	return true, f.Wrap(op, replace(ctx, f, anew))
}

// fileAt returns the database file at a path, which may be relative.
func fileAt(path string) (database.File, error) {
	if err := extension.Register(); err != nil {
		return database.File{}, err
	}
	path, err := filepath.Abs(path)
	return database.File{Path: path, BusyTimeout: busyTimeout}, database.Wrap("open store", err)
}

// busyTimeout is how long to wait for other processes.
const busyTimeout = 10 * time.Second

// rebuild writes a new database if that is needed and loses nothing.
func (o *opened) rebuild(ctx context.Context, f, anew database.File, now time.Time, progress func(done, total int64)) (needed bool, err error) {
	s, err := Inspect(ctx, o.file, progress)
	if err != nil {
		return false, err
	}
	if !s.Intact() {
		return false, lossy()
	}
	if len(s.Damages) == 0 && len(s.Differing) == 0 {
		sound, err := isSound(ctx, f)
		if err != nil || sound {
			return false, err
		}
	}
	var before, after int64
	if o.conn != nil {
		if before, err = dataVersion(ctx, o.conn); err != nil {
			return false, err
		}
	}
	b, err := Build(ctx, o.file, s, BuildOptions{To: anew, Now: now})
	if err != nil {
		return false, err
	}
	if len(b.Left) > 0 {
		return false, lossy()
	}
	if o.conn == nil {
		return true, nil
	}
	// Writers wait for the lock. If locks do not work here, this shows it.
	if err := o.conn.Control("ROLLBACK"); err != nil {
		return false, err
	}
	if after, err = dataVersion(ctx, o.conn); err == nil && after != before {
		err = database.ErrBusy
	}
	return true, err
}

// lossy returns the error of a database that cannot be mended without loss.
func lossy() *strata.Error {
	e := database.Corrupt("mend store", "parts of memory itself are damaged, not only what is derived from them")
	e.Hint = "strata doctor says what is lost; strata salvage NEWHOME makes a new home of the rest"
	return e
}

// isSound runs SQLite's check on a database whose pages can all be read, to see
// whether indexes match their tables.
func isSound(ctx context.Context, f database.File) (bool, error) {
	pool := f.Open(database.Read)
	defer pool.Close()
	var said string
	err := pool.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&said)
	if strata.CodeOf(database.Wrap("", err)) == strata.CodeCorrupt {
		return false, nil
	}
	return said == "ok", err
}

// replace makes a database a copy of another, in one transaction.
func replace(ctx context.Context, f, by database.File) error {
	err := copyOver(ctx, f, by)
	if strata.CodeOf(database.Wrap("", err)) != strata.CodeCorrupt {
		return err
	}
	// SQLite does not write to a database whose schema it cannot read. Nobody can have
	// such a database open.
	if err := emptySchema(f.Path, by.Path); err != nil {
		return err
	}
	return copyOver(ctx, f, by)
}

func copyOver(ctx context.Context, f, by database.File) error {
	to, from := f.Open(database.WriteDamaged), by.Open(database.Read)
	defer to.Close()
	defer from.Close()
	dst, err := to.Conn(ctx)
	if err != nil {
		return err
	}
	defer dst.Close()
	src, err := from.Conn(ctx)
	if err != nil {
		return err
	}
	defer src.Close()
	err = dst.Raw(func(d any) error {
		return src.Raw(func(s any) error {
			return database.CopyPages(ctx, d.(*sqlite3.SQLiteConn), s.(*sqlite3.SQLiteConn), -1, nil)
		})
	})
	if err != nil {
		return err
	}
	// This syncs what is in the log; readers of the old state may still need it.
	var busy, log, moved int64
	return dst.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &moved)
}

// emptySchema overwrites the first page of a file with the header of another and a
// schema without tables: a table leaf page without rows (SQLite's file format, 1.6).
func emptySchema(path, by string) error {
	const header, reserved, leafOfRows = 100, 20, 0x0d
	p := make([]byte, pages.Size)
	from, err := os.Open(by)
	if err != nil {
		return err
	}
	_, err = from.ReadAt(p[:header], 0)
	if err = errors.Join(err, from.Close()); err != nil {
		return err
	}
	p[header] = leafOfRows
	binary.BigEndian.PutUint16(p[header+5:], uint16(pages.Size-int(p[reserved]))) // where cells begin
	to, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = to.WriteAt(p, 0)
	return errors.Join(err, to.Sync(), to.Close())
}

// removeDatabase removes a database that nobody has open.
func removeDatabase(path string) error {
	var errs []error
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
