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

// opened is a damaged database that is read.
type opened struct {
	file *pages.File
	pool *sql.DB
	conn *database.Conn // in a read transaction; nil where SQLite does not open the file
	// refused is why it does not.
	refused error
}

// open opens a database so that what is read of it is one state, if SQLite can. One
// whose creation was not finished holds nothing, and is as good as not there.
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

// exists reports a file that is not there, or holds no page.
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
	if _, err := dataVersion(ctx, c); err != nil { // the transaction begins with the first page
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// dataVersion changes when another connection writes.
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

// Examine looks at every page of the database at path and names what cannot be read:
// nothing, if the list is empty. It opens the file for reading alone, whatever is
// damaged. progress, which may be nil, is called with the pages done and the number of
// all.
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

// parseSchema adds it to the damages if SQLite cannot parse the schema, the pages of
// which can be read. Other errors are told by who opens the database next.
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

// Saved is what [Save] found and wrote.
type Saved struct {
	Rows     map[string]int64 // rows that were kept, by table
	Restored int64            // rows that were put together again
	Lost     []store.Problem  // what could not be read or kept
}

// Sound reports whether all of the database at path can be read by its own schema, and every fact, turn,
// decision, document and learning is what was written. progress, which may be nil, is
// called with the pages done and the number of all.
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

// Save writes all that can be read of the database at from, which is only read, into a
// new one at a path where there is none. What is derived is left out, and with asWritten
// rows that can be read and are not what was written. progress, which may be nil, is
// called with the rows done.
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

// Mend makes the database at path readable again where nothing is lost but what is
// derived, which is left out and is to be made anew. It writes the database anew in one
// transaction, which other processes that have it open see as one; nobody in this process
// may have it open. It reports whether anything was to be mended. Where more is damaged it
// changes nothing and fails with code corrupt.
func Mend(ctx context.Context, path string, progress func(done, total int64)) (mended bool, err error) {
	const op = "mend store"
	f, err := fileAt(path)
	if err != nil {
		return false, err
	}
	now := time.Now()
	o, err := open(ctx, f)
	if err != nil { // so that no lock is made where there is no home
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
	if err := removeDatabase(anew.Path); err != nil { // what a process left that ended in between
		return false, f.Wrap(op, errors.Join(err, o.close()))
	}
	needed, err := o.rebuild(ctx, f, anew, now, progress)
	err = errors.Join(err, o.close())
	if err != nil || !needed {
		return false, f.Wrap(op, err)
	}
	return true, f.Wrap(op, replace(ctx, f, anew))
}

// fileAt is the database file at a path, which may be relative.
func fileAt(path string) (database.File, error) {
	if err := extension.Register(); err != nil {
		return database.File{}, err
	}
	path, err := filepath.Abs(path)
	return database.File{Path: path, BusyTimeout: busyTimeout}, database.Wrap("open store", err)
}

// busyTimeout is how long other processes are waited for.
const busyTimeout = 10 * time.Second

// rebuild writes the database anew if that is needed and loses nothing.
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
	// Those who write wait at the lock. Where there are no such locks it shows here.
	if err := o.conn.Control("ROLLBACK"); err != nil {
		return false, err
	}
	if after, err = dataVersion(ctx, o.conn); err == nil && after != before {
		err = database.ErrBusy
	}
	return true, err
}

// lossy is the error of a database that cannot be mended without a loss.
func lossy() *strata.Error {
	e := database.Corrupt("mend store", "parts of memory itself are damaged, not only what is derived from them")
	e.Hint = "strata doctor says what is lost; strata salvage NEWHOME makes a new home of the rest"
	return e
}

// isSound has SQLite look at a database whose pages can all be read: whether indexes
// have the rows of their tables.
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

// replace has a database be what another is, in one transaction.
func replace(ctx context.Context, f, by database.File) error {
	err := copyOver(ctx, f, by)
	if strata.CodeOf(database.Wrap("", err)) != strata.CodeCorrupt {
		return err
	}
	// SQLite does not write a database whose schema it cannot read. Nobody can have it
	// open.
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
	// What is in the log is synced with it, and readers of the old state may need it still.
	var busy, log, moved int64
	return dst.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &moved)
}

// emptySchema overwrites the first page of a file by the header of another and a schema
// without tables: a page of a tree of rows that has none (SQLite's file format, 1.6).
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
