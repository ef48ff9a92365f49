package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net/url"

	"github.com/mattn/go-sqlite3"

	"github.com/strata-memory/strata"
)

// Mode says what a connection is for.
type Mode int

const (
	Write Mode = iota
	Read
	ReadImmutable // reads a file that nobody can change
	// ReadDamaged reads, and WriteDamaged writes, pages of a file whose schema may be
	// damaged; neither reads the schema.
	ReadDamaged
	WriteDamaged

	inMemory
)

// Open returns a pool of connections that are set up for a mode. It does not open
// any yet. Functions that [Register] and others have added to SQLite are available
// on each.
func (f File) Open(m Mode) *sql.DB {
	pool := sql.OpenDB(connector{file: f, mode: m})
	pool.SetMaxIdleConns(-1) // users keep connections open themselves, with their statements
	if m == Write {
		pool.SetMaxOpenConns(1)
	}
	return pool
}

// Memory returns a pool of one connection to a new database in memory.
func Memory() *sql.DB {
	pool := sql.OpenDB(connector{file: File{Path: ":memory:"}, mode: inMemory})
	pool.SetMaxOpenConns(1)
	return pool
}

// connector opens connections with their settings. It is used in place of a driver
// name registered with package sql, which would be global to the process.
type connector struct {
	file File
	mode Mode
}

func (c connector) Driver() driver.Driver { return &sqlite3.SQLiteDriver{} }

func (c connector) Connect(context.Context) (driver.Conn, error) {
	// A URI, in which every byte of a path can be written.
	dsn := (&url.URL{Scheme: "file", Path: c.file.Path}).EscapedPath()
	dsn = "file:" + dsn + "?" + map[Mode]string{
		Write: "mode=rw", Read: "mode=ro", ReadImmutable: "mode=ro&immutable=1",
		ReadDamaged: "mode=ro", WriteDamaged: "mode=rw",
	}[c.mode]
	if c.mode == inMemory {
		dsn = c.file.Path
	}
	return (&sqlite3.SQLiteDriver{ConnectHook: c.setUp}).Open(dsn)
}

// setUp runs once on each new connection.
func (c connector) setUp(conn *sqlite3.SQLiteConn) error {
	statements := []string{
		// This comes first, so that the statements below also wait for another process.
		fmt.Sprintf("PRAGMA busy_timeout = %d", c.file.BusyTimeout.Milliseconds()),
		// Temporary results hold memory's text, so they must not go into a file.
		"PRAGMA temp_store = MEMORY",
		// 8 MiB of pages per connection hold the vectors of 16,000 passages: a search
		// measures rows from anywhere among them. The system caches the file. It is not
		// memory-mapped (mmap_size): a connection drops its mapping after each commit
		// of another, and the page faults of reading it again were two fifths of a
		// server's work while others saved.
		"PRAGMA cache_size = -8192",
	}
	switch c.mode {
	case inMemory:
		return nil
	case ReadDamaged, WriteDamaged:
		// The other statements read the schema.
		statements = statements[:1]
	case Write:
		statements = append(statements,
			// Acknowledged means durable: the log is synced at every commit.
			"PRAGMA synchronous = FULL",
			// A row must not refer to missing rows.
			"PRAGMA foreign_keys = ON",
			// Deleted data is overwritten, so that forgotten text is gone.
			"PRAGMA secure_delete = ON",
			// After a large batch the log shrinks to 64 MiB again, somewhat more than
			// its length when it usually restarts. When the log has to grow, a commit
			// of 256 KiB takes a third to three quarters longer.
			"PRAGMA journal_size_limit = 67108864",
			// Checkpoints are made as described in checkpoint.go.
			"SELECT log_frames()",
			// Room for the pages that one batch changes.
			"PRAGMA cache_size = -32768",
		)
	default:
		statements = append(statements, "PRAGMA query_only = ON")
	}
	for _, s := range statements {
		if _, err := conn.Exec(s, nil); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// LayOut sets the properties that a database has from its creation on. It must be
// called before the first table is created.
func LayOut(c *Conn) error {
	// With pages of 4 KiB a home takes 1 % fewer bytes and a single save 4 to 12 % less
	// time, but large batches take 4 to 8 % more.
	if err := c.Control("PRAGMA page_size = 8192"); err != nil {
		return err
	}
	// This lets Compact return free pages without copying the whole database.
	return c.Control("PRAGMA auto_vacuum = INCREMENTAL")
}

// UseLog makes the database use a write-ahead log, so that readers and the writer do
// not block each other. The setting is stored in the database.
func UseLog(ctx context.Context, c *Conn) error {
	var journal string
	if err := c.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&journal); err != nil {
		return err
	}
	if journal != "wal" {
		return &strata.Error{Code: strata.CodeUnsupported, Op: "open store",
			Message: "the file system does not allow a write-ahead log",
			Hint:    "choose a home directory on a local disk"}
	}
	return nil
}
