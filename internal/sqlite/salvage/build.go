package salvage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/migration"
	"github.com/strata-memory/strata/internal/sqlite/pages"
)

// Built is what a new database received.
type Built struct {
	Rows map[string]int64 // rows copied, by table
	// Left are rows that could be read but not copied, because they contradict others.
	Left []LostRow
	// Restored is how many authoritative rows were reconstructed from indexes and other
	// tables.
	Restored int64
}

// BuildOptions say where and how a database is built.
type BuildOptions struct {
	To database.File // must not exist
	// AsWritten leaves out rows that can be read but differ from what was written.
	AsWritten bool
	Now       time.Time
	Progress  func(done int64) // called with the number of rows done; may be nil
}

// Build writes what can be read of a file into a new database: the authoritative
// tables and those that are kept. The other tables remain empty.
func Build(ctx context.Context, f *pages.File, s *Survey, o BuildOptions) (Built, error) {
	w := &writer{ctx: ctx, survey: s, progress: o.Progress}
	return w.build(o.To, o.Now, func() error {
		for _, t := range s.schema.tables {
			if t.class == derived {
				continue
			}
			if err := w.table(f, t); err != nil {
				return fmt.Errorf("table %s: %w", t.name, err)
			}
		}
		if !o.AsWritten || s.schema.version < sumsSince {
			return nil
		}
		return w.dropChanged()
	})
}

// build creates a database with the schema of the survey and calls fill to insert
// rows.
func (w *writer) build(to database.File, now time.Time, fill func() error) (b Built, err error) {
	const op = "build database"
	if _, err := os.Stat(to.Path); err == nil {
		return b, strata.Invalid(op, "there is a file at "+to.Path+" already", "name another place")
	}
	if err := to.Create(); err != nil {
		return b, to.Wrap(op, err)
	}
	pool := to.Open(database.Write)
	defer pool.Close()
	only, err := pool.Conn(w.ctx)
	if err != nil {
		return b, to.Wrap(op, err)
	}
	w.c = database.NewConn(only)
	defer func() { err = errors.Join(err, w.c.Close()) }()
	w.built.Rows = make(map[string]int64)
	err = w.transact(now, fill)
	return w.built, to.Wrap(op, err)
}

// transact lays out an empty database, calls fill to insert rows in one transaction,
// and verifies the result.
func (w *writer) transact(now time.Time, fill func() error) error {
	if err := database.LayOut(w.c); err != nil {
		return err
	}
	if err := database.UseLog(w.ctx, w.c); err != nil {
		return err
	}
	if _, err := migration.Make(w.ctx, w.c, w.survey.schema.version, now); err != nil {
		return err
	}
	// Rows come in any order, and rows that they refer to may be lost.
	if err := w.c.Control("PRAGMA foreign_keys = OFF"); err != nil {
		return err
	}
	if err := w.c.Control("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if w.c.InTransaction() {
			w.c.Control("ROLLBACK")
		}
	}()
	if err := fill(); err != nil {
		return err
	}
	if err := w.mend(); err != nil {
		return err
	}
	if err := w.c.Control("COMMIT"); err != nil {
		return err
	}
	if err := verify(w.ctx, w.c, w.built); err != nil {
		return err
	}
	// This leaves nothing in the log and syncs everything.
	var busy, log, moved int64
	return w.c.QueryRowContext(w.ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &moved)
}

// writer writes a new database.
type writer struct {
	ctx      context.Context
	survey   *Survey
	c        *database.Conn
	progress func(done int64)
	done     int64 // number of rows
	built    Built
	emptied  map[*table]bool // tables whose initial rows were deleted
}

func (w *writer) exec(query string, args ...any) (int64, error) {
	res, err := w.c.Exec(w.ctx, query, args)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// table copies the rows of a table of a file.
func (w *writer) table(f *pages.File, t *table) error {
	_, err := f.Rows(t.root, t.numbers, map[int64]bool{}, func(r pages.Row) error {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		columns, values := t.named(r)
		if columns == nil {
			w.recordLeft(t, nil, r.Number, "it has more columns than its table")
			return nil
		}
		refused, err := w.insert(t, columns, values)
		if refused != "" {
			known := make(map[string]any, len(columns))
			for i, column := range columns {
				known[column] = values[i]
			}
			w.recordLeft(t, known, r.Number, refused)
		}
		return err
	})
	return err
}

// named returns the columns of a row of a table and their values. A row that is
// older than a column lacks it, and gets its default. Both are nil if the row has
// more columns than its table.
func (t *table) named(r pages.Row) (columns []string, values []any) {
	if len(r.Values) > len(t.columns) {
		return nil, nil
	}
	columns, values = t.columns[:len(r.Values)], append([]any{}, r.Values...)
	if t.key >= 0 && t.key < len(values) {
		values[t.key] = r.Number
	}
	if t.numbers && t.key < 0 {
		columns, values = append([]string{"rowid"}, columns...), append([]any{r.Number}, values...)
	}
	return columns, values
}

// insert inserts a row into a table, after deleting the rows that a new database has
// there. If the table refuses the row, it returns the reason.
func (w *writer) insert(t *table, columns []string, values []any) (refused string, err error) {
	if !w.emptied[t] {
		if w.emptied == nil {
			w.emptied = make(map[*table]bool)
		}
		w.emptied[t] = true
		if _, err := w.exec(`DELETE FROM ` + t.name); err != nil {
			return "", err
		}
	}
	_, err = w.exec(`INSERT INTO `+t.name+` (`+strings.Join(columns, ", ")+`) VALUES (?`+strings.Repeat(", ?", len(columns)-1)+`)`, values...)
	if database.IsConstraint(err) {
		return err.Error(), nil
	}
	if err != nil {
		return "", err
	}
	w.built.Rows[t.name]++
	w.done++
	if w.progress != nil && w.done%1000 == 0 {
		w.progress(w.done)
	}
	return "", nil
}

// sumsSince is the schema version from which rows have checksums.
const sumsSince = 25

// dropChanged leaves out rows that differ from what was written, by their
// checksums.
func (w *writer) dropChanged() error {
	for _, t := range check.Sums {
		changed := ` FROM ` + t.Table + ` NOT INDEXED WHERE sum IS NOT ` + t.Sum
		rows, err := w.c.QueryContext(w.ctx, `SELECT coalesce((SELECT key FROM scope WHERE no = scope_no), ''), id`+changed)
		if err != nil {
			return err
		}
		for rows.Next() {
			l := LostRow{Table: t.Table, Noun: nouns[t.Table], changed: true}
			if err := rows.Scan(&l.Scope, &l.ID); err != nil {
				return errors.Join(err, rows.Close())
			}
			w.built.Left = append(w.built.Left, l)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		n, err := w.exec(`DELETE` + changed)
		if err != nil {
			return err
		}
		w.built.Rows[t.Table] -= n
	}
	return nil
}

// recordLeft records a row that cannot be copied.
func (w *writer) recordLeft(t *table, known map[string]any, number int64, reason string) {
	lost := LostRow{Table: t.name, Noun: nouns[t.name], number: number, known: known}
	lost.ID = lost.title() + " (" + reason + ")"
	w.built.Left = append(w.built.Left, lost)
}

// verify checks a new database for damage and missing references.
func verify(ctx context.Context, c *database.Conn, b Built) error {
	var said string
	if err := c.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return database.Corrupt("verify", "the new database is not sound: "+said)
	}
	rows, err := c.QueryContext(ctx, `PRAGMA foreign_key_check`)
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		var table, parent string
		var row, key any
		if err := rows.Scan(&table, &row, &parent, &key); err != nil {
			return err
		}
		return database.Corrupt("verify", fmt.Sprintf("in the new database row %v of %s refers to nothing in %s", row, table, parent))
	}
	return rows.Err()
}
