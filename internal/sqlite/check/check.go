// Package check looks for damage and disagreement in a database by SQL alone: it
// knows the tables, and the store knows the rest.
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

// Most bounds how many problems of one kind are listed.
const Most = 100

// RepairIndex is the command that mends whatever is wrong with what is derived.
const RepairIndex = "strata reindex"

// Statement finds one kind of problem.
type Statement struct {
	Kind   string // of the problem, as reports name it
	Detail string // what is wrong, for people
	Query  string // yields a row for each problem; a LIMIT may follow
}

// Conn is a connection in a read transaction.
type Conn interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Checker looks for problems on a connection.
type Checker struct{ Conn Conn }

// each calls read with every row of a query until it reports false.
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

// Pages has SQLite check its own pages and indexes, and returns what it says.
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

// References looks for rows that refer to rows that are not there.
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

// Sums looks for rows that are not what was written.
func (c Checker) Sums(ctx context.Context) ([]store.Problem, error) {
	var list []Statement
	for _, t := range Sums {
		list = append(list, t.damaged)
	}
	return c.rows(ctx, list)
}

// rows runs statements that yield rows as those of [Rows] do.
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

// Index looks for disagreement between the index and what it is derived from. That
// FTS5's own structures agree with what they index is part of [Checker.Pages].
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

// all runs every statement, also after one that meets damage, and returns what the
// others found with the error of the first.
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

// OfNumbers describes problems of passages, parents, vectors or scopes, which reindex
// mends, [Most] at most.
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

// scope is the key of a scope; empty if it is not there.
func (c Checker) scope(ctx context.Context, no int64) (key string, err error) {
	if no == 0 {
		return "", nil
	}
	err = c.each(ctx, `SELECT key FROM scope WHERE no = ?`, []any{no}, func(scan func(...any) error) (bool, error) {
		return false, scan(&key)
	})
	return key, err
}

// IsDamage reports whether an error tells that bytes cannot be read.
func IsDamage(err error) bool {
	return strata.CodeOf(database.Wrap("", err)) == strata.CodeCorrupt
}
