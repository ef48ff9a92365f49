package salvage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/database"
	"github.com/strata-memory/strata/store/sqlite/migration"
	"github.com/strata-memory/strata/store/sqlite/pages"
)

// Row is a row of a table of docs/formats/schema.md. Values are int64, float64, string,
// []byte or nil, one for each column.
type Row struct {
	Table   string
	Columns []string
	Values  []any
}

// dumped reports whether a table is part of a dump. The counter of changes is not: it goes
// on from the last event.
func (t *table) dumped() bool { return t.class != derived && t.name != "counter" }

// neutralize takes out of a row what belongs to one home or process and is no part of
// memory. It reports false where nothing is left.
func (r *Row) neutralize() bool {
	at := func(column string) int { return slices.Index(r.Columns, column) }
	switch r.Table {
	case "scope": // which number is next follows from those that are taken
		if i := at(next); i >= 0 {
			r.Columns = slices.Delete(slices.Clone(r.Columns), i, i+1)
			r.Values = slices.Delete(r.Values, i, i+1)
		}
	case "embedding": // who makes vectors, and until when nobody else should
		if i := at("holder"); i >= 0 {
			r.Values[i] = ""
		}
		if i := at("lease"); i >= 0 {
			r.Values[i] = int64(0)
		}
	case "event": // the index of a home is its own
		i := at("kind")
		return i < 0 || r.Values[i] != strata.EventReindexed
	}
	return true
}

// next is the column of scope that is left out.
const next = "next"

// Dump calls visit with each row of what memory is made of in the database at path, and
// of what is kept beside, such as vectors, table by table in the order of their keys. It
// sees one state, whoever writes meanwhile. The database must be [Sound]. begin is called
// first, with the version of the schema.
func Dump(ctx context.Context, path string, begin func(schema int) error, visit func(Row) error) (err error) {
	f, err := fileAt(path)
	if err != nil {
		return err
	}
	o, err := open(ctx, f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	s, err := schemaOf(ctx, o.file)
	if err != nil {
		return err
	}
	if err := begin(s.version); err != nil {
		return err
	}
	for _, t := range s.tables {
		if !t.dumped() {
			continue
		}
		lost, err := o.file.Rows(t.root, t.numbers, map[int64]bool{}, func(r pages.Row) error {
			columns, values := t.complete(r)
			if columns == nil {
				return database.Corrupt("read rows", "a row of table "+t.name+" has more columns than the table")
			}
			row := Row{t.name, columns, values}
			if !row.neutralize() {
				return nil
			}
			return errors.Join(ctx.Err(), visit(row))
		})
		if err != nil {
			return err
		}
		if len(lost) > 0 {
			return database.Corrupt("read rows", fmt.Sprintf("page %d of table %s cannot be read: %s", lost[0].Page, t.name, lost[0].Reason))
		}
	}
	return nil
}

// complete is [table.named], with the defaults of columns that are newer than the row.
func (t *table) complete(r pages.Row) (columns []string, values []any) {
	if len(r.Values) < len(t.defaults) {
		r.Values = append(slices.Clone(r.Values), t.defaults[len(r.Values):]...)
	}
	return t.named(r)
}

// Load writes rows into a new database at path, with the schema of a version, as [Dump]
// gave them. rows returns io.EOF after the last, and refuse is called with the reason for
// a row that cannot be taken. What refers to rows that are missing is mended.
func Load(ctx context.Context, path string, version int, rows func() (Row, error), refuse func(Row, string)) (Saved, error) {
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
			refused := r.unfit(tables)
			if refused == "" {
				refused, err = w.insert(tables[r.Table], r.Columns, r.Values)
			}
			if err != nil {
				return err
			}
			if refused != "" {
				refuse(r, refused)
			}
		}
	})
	return Saved{Rows: b.Rows, Restored: b.Restored, Lost: append([]store.Problem{}, b.Problems()...)}, err
}

// unfit says why a row is of none of the tables; empty where it is.
func (r Row) unfit(tables map[string]*table) string {
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

// KeepVectors takes the passages that have their vectors out of the embedding queue of the
// database at path: after its index was made anew all of them wait there. Nobody may have
// the database open.
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
