package salvage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/migration"
	"github.com/strata-memory/strata/store"
)

// dumped reports whether a table is part of a dump. The counter of changes is not,
// because it continues from the last event.
func (t *table) dumped() bool { return t.class != derived && t.name != "counter" }

// neutralize removes from a row what belongs to one home or process and is not part
// of memory. It reports false if nothing is left.
func neutralize(r *store.Row) bool {
	at := func(column string) int { return slices.Index(r.Columns, column) }
	switch r.Table {
	case "scope": // the next number follows from those in use
		if i := at(next); i >= 0 {
			r.Columns = slices.Delete(slices.Clone(r.Columns), i, i+1)
			r.Values = slices.Delete(r.Values, i, i+1)
		}
	case "embedding": // which process makes vectors, and until when
		if i := at("holder"); i >= 0 {
			r.Values[i] = ""
		}
		if i := at("lease"); i >= 0 {
			r.Values[i] = int64(0)
		}
	case "event": // each home has its own index
		i := at("kind")
		return i < 0 || r.Values[i] != strata.EventReindexed
	}
	return true
}

// next is the column of table scope that is left out.
const next = "next"

// plain maps the tables that hold the content of memory to the expression that gives
// a row's scope. The other tables are the bookkeeping of one home.
var plain = map[string]string{
	"scope": "no", "session": ofScope, "turn": ofScope, "turn_image": "number >> 40", "snapshot": ofScope, "session_state": ofScope,
	"learning": ofScope, "tool_outcome": ofScope, "category_choice": ofScope, "fact": ofScope, "document": ofScope, "decision": ofScope,
}

const ofScope = "scope_no"

// Rows is [store.RowStore.Rows] for the database at path, which it only reads and
// which must be [Sound]. It does not upgrade an older schema.
func Rows(ctx context.Context, path string, o store.RowOptions, begin func(schema int) error, visit func(store.Row) error) (err error) {
	f, err := fileAt(path)
	if err != nil {
		return err
	}
	c, err := connect(ctx, f, database.Read)
	if err != nil {
		return f.Wrap("read rows", err)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.Control("BEGIN"); err != nil {
		return f.Wrap("read rows", err)
	}
	tables := 0
	if err := c.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return f.Wrap("read rows", err)
	}
	if tables == 0 {
		return database.Unfinished("read rows", f.Path)
	}
	return RowsOf(ctx, c.Conn, o, begin, visit)
}

// RowsOf is like [Rows], on a connection in a transaction.
func RowsOf(ctx context.Context, c *database.Conn, o store.RowOptions, begin func(schema int) error, visit func(store.Row) error) error {
	var version int
	if err := c.QueryRowContext(ctx, `SELECT max(version) FROM schema_migration`).Scan(&version); err != nil {
		return database.Wrap("read rows", err)
	}
	s, err := newSchema(ctx, version)
	if err != nil {
		return database.Wrap("read rows", err)
	}
	if err := begin(version); err != nil {
		return err
	}
	keys := make([]string, len(o.Scopes))
	for i, scope := range o.Scopes {
		keys[i] = scope.Key()
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	for _, t := range s.tables {
		scope, said := plain[t.name]
		if !t.dumped() || !o.Whole && !said {
			continue
		}
		where, args := "", []any(nil)
		if len(keys) > 0 {
			where, args = ` WHERE `+scope+` IN (SELECT no FROM scope WHERE key IN (SELECT value FROM json_each(?)))`, []any{string(list)}
		}
		if err := t.read(ctx, c, where, args, visit); err != nil {
			return err
		}
	}
	return nil
}

// read calls visit with the rows of a table that meet a condition, in order of their
// keys.
func (t *table) read(ctx context.Context, c *database.Conn, where string, args []any, visit func(store.Row) error) (err error) {
	columns := t.columns
	if t.numbers && t.key < 0 {
		columns = append([]string{"rowid"}, columns...)
	}
	rows, err := c.QueryContext(ctx, `SELECT `+strings.Join(columns, ", ")+` FROM `+t.name+` NOT INDEXED`+where, args...)
	if err != nil {
		return database.Wrap("read rows of "+t.name, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range into {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return database.Wrap("read rows of "+t.name, err)
		}
		r := store.Row{Table: t.name, Columns: columns, Values: slices.Clone(values)}
		if !neutralize(&r) {
			continue
		}
		if err := visit(r); err != nil {
			return err
		}
	}
	return database.Wrap("read rows of "+t.name, rows.Err())
}

// Load writes rows, as [Rows] passes them, into a new database at path, with the
// schema of a version. rows returns io.EOF after the last row. refuse is called with
// the reason for each row that cannot be inserted. References to missing rows are
// repaired.
func Load(ctx context.Context, path string, version int, rows func() (store.Row, error), refuse func(reason string)) (Saved, error) {
	if newest, err := migration.Newest(); err != nil || version < 1 || version > newest {
		return Saved{}, errors.Join(err, &strata.Error{Code: strata.CodeNewerVersion, Op: "load rows",
			Message: fmt.Sprintf("the rows are of schema %d, and this program knows 1 to %d", version, newest), Hint: "install the newest strata"})
	}
	f, err := fileAt(path)
	if err != nil {
		return Saved{}, err
	}
	schema, err := newSchema(ctx, version)
	if err != nil {
		return Saved{}, database.Wrap("load rows", err)
	}
	tables := make(map[string]*table)
	for _, t := range schema.tables {
		if t.dumped() {
			tables[t.name] = t
		}
	}
	w := &writer{ctx: ctx, survey: &Survey{schema: schema}}
	b, err := w.build(f, time.Now(), func() error {
		for {
			r, err := rows()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if r.Table == "scope" && !slices.Contains(r.Columns, next) {
				r.Columns, r.Values = append(r.Columns, next), append(r.Values, int64(1))
			}
			refused := unfit(r, tables)
			if refused == "" {
				refused, err = w.insert(tables[r.Table], r.Columns, r.Values)
			}
			if err != nil {
				return err
			}
			if refused != "" {
				refuse(refused)
			}
		}
	})
	return Saved{Rows: b.Rows, Restored: b.Restored, Lost: append([]store.Problem{}, b.Problems()...)}, err
}

// unfit returns why a row fits none of the tables, or "" if it fits one.
func unfit(r store.Row, tables map[string]*table) string {
	t := tables[r.Table]
	if t == nil {
		return "there is no table " + r.Table
	}
	if len(r.Columns) == 0 {
		return "it has no columns"
	}
	for i, c := range r.Columns {
		if c == "rowid" && t.numbers && t.key < 0 {
			continue
		}
		if !slices.Contains(t.columns, c) || slices.Contains(r.Columns[:i], c) {
			return "table " + r.Table + " has no column " + c + ", or it is named twice"
		}
	}
	return ""
}

// KeepVectors removes the passages that have a vector from the embedding queue of
// the database at path; after its index was rebuilt, all passages are in the queue.
// Nobody may have the database open.
func KeepVectors(ctx context.Context, path string) error {
	f, err := fileAt(path)
	if err != nil {
		return err
	}
	pool := f.Open(database.Write)
	_, err = pool.ExecContext(ctx, `
		DELETE FROM embedding_queue WHERE EXISTS (
			SELECT 1 FROM model AS m CROSS JOIN vector AS v ON v.place = embedding_queue.number + (m.number << 34)
			WHERE m.queue = embedding_queue.model AND NOT m.stale)`)
	return f.Wrap("keep vectors", errors.Join(err, pool.Close()))
}
