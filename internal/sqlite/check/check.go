// Package check looks for damage and disagreement in a database by SQL alone. It
// checks what follows from the tables; package sqlite checks the rest.
package check

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/store"
)

// Most is the maximum number of problems of one kind that are listed.
const Most = 100

// RepairIndex is the command that repairs whatever is wrong with derived data.
const RepairIndex = "strata reindex"

// Statement finds one kind of problem.
type Statement struct {
	Kind   string // of the problem, as reports name it
	Detail string // what is wrong, for people
	Query  string // returns a row for each problem; a LIMIT may be appended
}

// Conn is a connection in a read transaction.
type Conn interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Checker looks for problems on a connection.
type Checker struct{ Conn Conn }

// each calls read with every row of a query until read returns false.
func (c Checker) each(ctx context.Context, query string, args []any, read func(scan func(...any) error) (bool, error)) error {
	rows, err := c.Conn.QueryContext(ctx, query, args...)
	if err != nil {
		return database.Wrap("check store", err)
	}
	defer rows.Close()
	for rows.Next() {
		more, err := read(rows.Scan)
		if err != nil || !more {
			return database.Wrap("check store", err)
		}
	}
	return database.Wrap("check store", rows.Err())
}

// Pages runs SQLite's check of its own pages and indexes, and returns the lines that
// it reports.
func (c Checker) Pages(ctx context.Context) (lines []string, err error) {
	err = c.each(ctx, `PRAGMA integrity_check(`+strconv.Itoa(Most)+`)`, nil, func(scan func(...any) error) (bool, error) {
		var line string
		err := scan(&line)
		if line != "ok" {
			lines = append(lines, line)
		}
		return true, err
	})
	return lines, err
}

// References looks for rows that refer to missing rows.
func (c Checker) References(ctx context.Context) (out []store.Problem, err error) {
	err = c.each(ctx, `PRAGMA foreign_key_check`, nil, func(scan func(...any) error) (bool, error) {
		var table, parent string
		var rowid, key sql.NullInt64
		err := scan(&table, &rowid, &parent, &key)
		out = append(out, store.Problem{Kind: "missing_reference", Ref: strconv.FormatInt(rowid.Int64, 10),
			Detail: "a row of " + table + " refers to a row of " + parent + " that is not there"})
		return len(out) < Most, err
	})
	return out, err
}

// Rows looks for rows that contradict others.
func (c Checker) Rows(ctx context.Context) ([]store.Problem, error) { return c.rows(ctx, Rows) }

// Sums looks for rows that differ from what was written, by their checksums.
func (c Checker) Sums(ctx context.Context) ([]store.Problem, error) {
	var list []Statement
	for _, t := range Sums {
		list = append(list, t.damaged)
	}
	return c.rows(ctx, list)
}

// rows runs statements that return rows as those of [Rows] do.
func (c Checker) rows(ctx context.Context, list []Statement) ([]store.Problem, error) {
	return c.all(list, func(s Statement) ([]store.Problem, error) {
		type found struct {
			scopeNo int64
			ref     string
		}
		var list []found
		err := c.each(ctx, s.Query+` LIMIT ?`, []any{Most}, func(scan func(...any) error) (bool, error) {
			var f found
			err := scan(&f.scopeNo, &f.ref)
			list = append(list, f)
			return true, err
		})
		if err != nil {
			return nil, err
		}
		var out []store.Problem
		for _, f := range list {
			scope, err := c.scope(ctx, f.scopeNo)
			if err != nil {
				return out, err
			}
			out = append(out, store.Problem{Kind: s.Kind, Scope: scope, Ref: f.ref, Detail: s.Detail})
		}
		return out, nil
	})
}

// Index looks for disagreement between the index and the data it is derived from.
// [Checker.Pages] checks that FTS5's own structures agree with what they index.
func (c Checker) Index(ctx context.Context) ([]store.Problem, error) {
	return c.all(Index, func(s Statement) ([]store.Problem, error) {
		var numbers []int64
		err := c.each(ctx, s.Query+` LIMIT ?`, []any{Most}, func(scan func(...any) error) (bool, error) {
			var number int64
			err := scan(&number)
			numbers = append(numbers, number)
			return true, err
		})
		if err != nil {
			return nil, err
		}
		return c.OfNumbers(ctx, s.Kind, s.Detail, numbers)
	})
}

// all runs every statement, even after one that finds damage, and returns what the
// others found with the first error. It stops at an error that does not mean damage.
func (c Checker) all(list []Statement, run func(Statement) ([]store.Problem, error)) (out []store.Problem, first error) {
	for _, s := range list {
		found, err := run(s)
		out = append(out, found...)
		if err != nil && !IsDamage(err) {
			return out, err
		}
		if first == nil {
			first = err
		}
	}
	return out, first
}

// OfNumbers describes problems that reindex repairs, of up to [Most] passages,
// parents, vectors or scopes.
func (c Checker) OfNumbers(ctx context.Context, kind, detail string, numbers []int64) (out []store.Problem, err error) {
	for _, number := range numbers[:min(len(numbers), Most)] {
		scope, err := c.scope(ctx, passage.Scope(number))
		if err != nil {
			return out, err
		}
		out = append(out, store.Problem{Kind: kind, Scope: scope, Ref: fmt.Sprint(number), Detail: detail, Repair: RepairIndex})
	}
	return out, nil
}

// scope returns the key of a scope, or "" if there is none.
func (c Checker) scope(ctx context.Context, no int64) (key string, err error) {
	if no == 0 {
		return "", nil
	}
	err = c.each(ctx, `SELECT key FROM scope WHERE no = ?`, []any{no}, func(scan func(...any) error) (bool, error) {
		return false, scan(&key)
	})
	return key, err
}

// IsDamage reports whether an error means that stored bytes are damaged.
func IsDamage(err error) bool {
	return strata.CodeOf(database.Wrap("", err)) == strata.CodeCorrupt
}
