package salvage

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/migration"
	"github.com/strata-memory/strata/internal/sqlite/pages"
)

// A schema lists the trees of a database and their root pages.
type schema struct {
	version int // of the migrations
	tables  []*table
	// stored and anew are the statements that created everything, as [migration.Stored]
	// returns them: those in the file, and those of a new database.
	stored, anew map[string]string
}

// table is a table and the tree of its rows.
type table struct {
	name    string
	class   class
	root    int64
	numbers bool     // its rows have a number, the rowid
	columns []string // in the order of a row
	key     int      // index of the column that is the number; -1 if there is none
	indexes []index
	guessed bool // the root is taken from a new database
}

// index is an index of a table.
type index struct {
	name    string
	root    int64
	columns []string // its columns; "" for the number of the row
	guessed bool
}

// versionPage is the root of table schema_migration, the first table of a database.
// Page 2 is the pointer map.
const versionPage = 3

// versionOf returns the schema version of a database, or 0 if that is lost.
func versionOf(f *pages.File) (version int) {
	_, _ = f.Rows(versionPage, true, map[int64]bool{}, func(r pages.Row) error {
		version = max(version, int(r.Number))
		return nil
	})
	return version
}

// schemaOf returns the schema of a file. Lost parts are taken from a new database,
// since the migrations fix the order in which tables and indexes get their pages.
func schemaOf(ctx context.Context, f *pages.File) (*schema, error) {
	version := versionOf(f)
	s, err := newSchema(ctx, version)
	if err != nil {
		return nil, err
	}
	roots := make(map[string]int64)
	_, _ = f.Rows(1, true, map[int64]bool{}, func(r pages.Row) error {
		if len(r.Values) < 5 {
			return nil
		}
		kind, _ := r.Values[0].(string)
		name, ok := r.Values[1].(string)
		s.stored[kind+" "+name], _ = r.Values[4].(string)
		root, isNumber := r.Values[3].(int64)
		if ok && isNumber {
			roots[name] = root
		}
		return nil
	})
	place := func(name string, root *int64, guessed *bool) {
		if known := roots[name]; known > 0 {
			*root = known
		} else {
			*guessed = true
		}
	}
	for _, t := range s.tables {
		place(t.name, &t.root, &t.guessed)
		for i := range t.indexes {
			place(t.indexes[i].name, &t.indexes[i].root, &t.indexes[i].guessed)
		}
	}
	return s, nil
}

// newSchema returns the schema of a new database of a version; 0 means the newest.
func newSchema(ctx context.Context, version int) (*schema, error) {
	pool := database.Memory()
	defer pool.Close()
	only, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	c := database.NewConn(only)
	defer c.Close()
	if err := database.LayOut(c); err != nil {
		return nil, err
	}
	if version, err = migration.Make(ctx, c, version, time.Now()); err != nil {
		return nil, err
	}
	s := &schema{version: version, stored: make(map[string]string)}
	if s.anew, err = migration.Stored(ctx, c); err != nil {
		return nil, err
	}
	rows, err := c.QueryContext(ctx, `
		SELECT m.name, m.rootpage, l.wr FROM sqlite_schema AS m JOIN pragma_table_list AS l ON l.name = m.name
		WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.rootpage`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		t := &table{key: -1}
		var withoutRowid bool
		if err := rows.Scan(&t.name, &t.root, &withoutRowid); err != nil {
			return nil, err
		}
		t.class, t.numbers = classes[t.name], !withoutRowid
		s.tables = append(s.tables, t)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, t := range s.tables {
		if err := t.describe(ctx, c); err != nil {
			return nil, fmt.Errorf("schema of %s: %w", t.name, err)
		}
	}
	return s, nil
}

// describe reads the indexes and columns of a table.
func (t *table) describe(ctx context.Context, c *database.Conn) error {
	if err := t.readIndexes(ctx, c); err != nil || !t.numbers {
		return err // the columns of a table without numbers are those of its key's index
	}
	return t.readColumns(ctx, c)
}

func (t *table) readIndexes(ctx context.Context, c *database.Conn) error {
	rows, err := c.QueryContext(ctx, `
		SELECT i.name, i.origin, coalesce(m.rootpage, 0) FROM pragma_index_list(?1) AS i
			LEFT JOIN sqlite_schema AS m ON m.name = i.name ORDER BY i.seq`, t.name)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var i index
		var origin string
		if err := rows.Scan(&i.name, &origin, &i.root); err != nil {
			return err
		}
		if i.columns, err = columnsOf(ctx, c, i.name); err != nil {
			return err
		}
		if origin == "pk" && !t.numbers {
			t.columns = i.columns // the tree of the table itself
			continue
		}
		t.indexes = append(t.indexes, i)
	}
	return rows.Err()
}

func (t *table) readColumns(ctx context.Context, c *database.Conn) error {
	columns, err := c.QueryContext(ctx, `SELECT name, pk > 0, pk = 1 AND type = 'INTEGER' FROM pragma_table_info(?)`, t.name)
	if err != nil {
		return err
	}
	defer columns.Close()
	keys := 0
	for columns.Next() {
		var name string
		var key, number bool
		if err := columns.Scan(&name, &key, &number); err != nil {
			return err
		}
		if key {
			keys++
		}
		if number {
			t.key = len(t.columns)
		}
		t.columns = append(t.columns, name)
	}
	if keys > 1 { // a key of several columns has an index of its own
		t.key = -1
	}
	return columns.Err()
}

// columnsOf lists the columns of an index.
func columnsOf(ctx context.Context, c *database.Conn, name string) (list []string, err error) {
	rows, err := c.QueryContext(ctx, `SELECT coalesce(name, '') FROM pragma_index_xinfo(?) ORDER BY seqno`, name)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var column string
		if err := rows.Scan(&column); err != nil {
			return nil, err
		}
		list = append(list, column)
	}
	return list, rows.Err()
}
