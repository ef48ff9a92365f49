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
	// ReadDamaged reads, and WriteDamaged writes, pages of a file without its schema,
	// which may be damaged.
	ReadDamaged
	WriteDamaged

	inMemory
)

// Open returns a pool of connections that are set up for a mode. It opens none
// yet. Functions that [Register] and others added to SQLite before are part of each.
func (f File) Open(m Mode) *sql.DB {
	pool := sql.OpenDB(connector{file: f, mode: m})
	pool.SetMaxIdleConns(-1) // what is kept open is kept by its user, with its statements
	if m == Write {
		pool.SetMaxOpenConns(1)
	}
	return pool
}

// Memory returns a pool of one connection to a new database that is only in memory.
func Memory() *sql.DB {
	pool := sql.OpenDB(connector{file: File{Path: ":memory:"}, mode: inMemory})
	pool.SetMaxOpenConns(1)
	return pool
}

// connector opens connections with their settings. It stands in for a name
// registered with package sql, which would be one for the whole process.
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
		// First, so that the statements below wait for another process, too.
		fmt.Sprintf("PRAGMA busy_timeout = %d", c.file.BusyTimeout.Milliseconds()),
		// Temporary results hold memory's text: not into a file anywhere.
		"PRAGMA temp_store = MEMORY",
		// 8 MiB of pages for each connection, in which the vectors of 16,000 passages
		// lie: a search measures rows from anywhere among them. The system caches the
		// file. It is not mapped into memory (mmap_size): a connection gives its mapping
		// up after each commit of another, and the faults of reading it anew were two
		// fifths of a server's work where others save.
		"PRAGMA cache_size = -8192",
	}
	switch c.mode {
	case inMemory:
		return nil
	case ReadDamaged, WriteDamaged:
		// The others read the schema.
		statements = statements[:1]
	case Write:
		statements = append(statements,
			// Acknowledged means durable: the log is synced at every commit.
			"PRAGMA synchronous = FULL",
			// A row needs the rows it refers to.
			"PRAGMA foreign_keys = ON",
			// What is deleted is overwritten, so that forgotten text is gone.
			"PRAGMA secure_delete = ON",
			// The log goes back to 64 MiB, some more than it has when it begins anew,
			// after a large batch has swelled it. Where it must grow, a commit of 256
			// KiB takes a third to three quarters longer.
			"PRAGMA journal_size_limit = 67108864",
			// Pages move from the log into the database as checkpoint.go says.
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

// LayOut sets what a database has from its creation on. It comes before the
// first table.
func LayOut(c *Conn) error {
	// With pages of 4 KiB a home takes 1 % fewer bytes and a single save 4 to 12 %
	// less time, and large batches take 4 to 8 % more.
	if err := c.Control("PRAGMA page_size = 8192"); err != nil {
		return err
	}
	// Compact can give freed pages back without copying the whole database.
	return c.Control("PRAGMA auto_vacuum = INCREMENTAL")
}

// UseLog has changes written to a log, so that readers and the writer do not
// block each other. The database remembers it.
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
