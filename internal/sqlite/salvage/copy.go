package salvage

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mattn/go-sqlite3"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/migration"
)

// Contents is what a database holds.
type Contents struct {
	Schema int              `json:"schema"` // version of its schema
	Rows   map[string]int64 `json:"rows"`   // of the main tables of memory
}

// counted are the tables whose rows are counted.
var counted = []string{"fact", "turn", "decision", "session", "document", "learning"}

const pagesAtOnce = 2048 // between two reports of progress: 16 MiB

// Newest returns the newest schema version that can be restored.
func Newest() (int, error) { return migration.Newest() }

// Copy writes the current state of the database at from into a new file at to, and
// returns what it holds. It does not block writers; their later commits are not in
// the copy. The copy is not synced. progress is called with the number of pages done
// and the total.
func Copy(ctx context.Context, from, to string, progress func(done, total int64)) (_ Contents, err error) {
	const op = "copy database"
	src, err := fileAt(from)
	if err != nil {
		return Contents{}, err
	}
	dst, err := fileAt(to)
	if err != nil {
		return Contents{}, err
	}
	in, err := connect(ctx, src, database.Read)
	if err != nil {
		return Contents{}, src.Wrap(op, err)
	}
	defer func() { err = errors.Join(err, in.close()) }()
	// Everything is read in one transaction: otherwise the copy would start over after
	// every commit of another process.
	if err := in.Control("BEGIN"); err != nil {
		return Contents{}, src.Wrap(op, err)
	}
	unmade, err := migration.IsNew(ctx, in.Conn)
	if err != nil {
		return Contents{}, src.Wrap(op, err)
	}
	if unmade {
		return Contents{}, database.Unfinished(op, from)
	}
	held, err := contents(ctx, in.Conn)
	if err != nil {
		return held, src.Wrap(op, err)
	}
	if err := dst.Create(); err != nil {
		return held, dst.Wrap(op, err)
	}
	out, err := connect(ctx, dst, database.WriteDamaged)
	if err != nil {
		return held, dst.Wrap(op, err)
	}
	defer func() { err = errors.Join(err, out.close()) }()
	// If the power fails, the copy is discarded.
	for _, s := range []string{"PRAGMA synchronous = OFF", "PRAGMA journal_mode = OFF"} {
		if _, err := out.ExecContext(ctx, s); err != nil {
			return held, dst.Wrap(op, err)
		}
	}
	err = out.Raw(func(d any) error {
		return in.Raw(func(s any) error {
			return database.CopyPages(ctx, d.(*sqlite3.SQLiteConn), s.(*sqlite3.SQLiteConn), pagesAtOnce, progress)
		})
	})
	return held, dst.Wrap(op, err)
}

// InspectCopy checks every page of a database that nobody has open, and returns what
// it holds. It fails with code corrupt if something is damaged, and with code
// newer_version if a newer Strata wrote it.
func InspectCopy(ctx context.Context, path string) (_ Contents, err error) {
	const op = "look at copy"
	f, err := fileAt(path)
	if err != nil {
		return Contents{}, err
	}
	c, err := connect(ctx, f, database.ReadImmutable)
	if err != nil {
		return Contents{}, f.Wrap(op, err)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	fresh, err := migration.IsNew(ctx, c.Conn)
	if err != nil {
		return Contents{}, f.Wrap(op, err)
	}
	if fresh {
		return Contents{}, strata.Invalid(op, "the database holds no memory", "name a home that was used")
	}
	var said string
	if err := c.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&said); err != nil {
		return Contents{}, f.Wrap(op, err)
	}
	if said != "ok" {
		return Contents{}, database.Corrupt(op, "the database is damaged: "+said)
	}
	differing, err := migration.CheckStored(ctx, c.Conn)
	if err != nil {
		return Contents{}, f.Wrap(op, err)
	}
	if len(differing) > 0 {
		return Contents{}, database.Corrupt(op, "the database has "+strings.Join(differing, ", ")+" otherwise than it was made")
	}
	held, err := contents(ctx, c.Conn)
	return held, f.Wrap(op, err)
}

// contents counts what a database holds.
func contents(ctx context.Context, c *database.Conn) (Contents, error) {
	held := Contents{Rows: make(map[string]int64)}
	if err := c.QueryRowContext(ctx, `SELECT max(version) FROM schema_migration`).Scan(&held.Schema); err != nil {
		return held, fmt.Errorf("read version of schema: %w", err)
	}
	for _, table := range counted {
		var there bool // an old home may lack it
		if err := c.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?`, table).Scan(&there); err != nil {
			return held, err
		}
		if !there {
			continue
		}
		var n int64
		if err := c.QueryRowContext(ctx, `SELECT count(*) FROM `+table).Scan(&n); err != nil {
			return held, fmt.Errorf("count rows of %s: %w", table, err)
		}
		held.Rows[table] = n
	}
	return held, nil
}

// connection is the only connection of its pool.
type connection struct {
	*database.Conn
	closePool func() error
}

func connect(ctx context.Context, f database.File, m database.Mode) (*connection, error) {
	pool := f.Open(m)
	only, err := pool.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return &connection{Conn: database.NewConn(only), closePool: pool.Close}, nil
}

func (c *connection) close() error { return errors.Join(c.Conn.Close(), c.closePool()) }
