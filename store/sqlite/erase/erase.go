// Package erase takes forgotten texts out of what memory keeps of its own use:
// questions, lessons, and what sessions were given and saved. Package forget
// decides what goes; here are the statements.
package erase

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/forget"
)

// Eraser works in one transaction.
type Eraser struct {
	Query   func(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	Exec    func(ctx context.Context, query string, args ...any) (sql.Result, error)
	Subject forget.Subject
	ScopeNo int64 // of the scope that it is forgotten in
	// Within are the numbers of the scopes that are looked through; nil means all.
	Within []int64
}

// Maybe is the condition that every row with one of the texts in an SQL
// expression meets. Its parameter ?1 is [forget.Subject.Patterns]. Text beyond ASCII may
// normalize to anything, so it always passes.
func Maybe(expression string) string {
	return `(EXISTS (SELECT 1 FROM json_each(?1) AS pattern WHERE ` + expression + ` LIKE pattern.value) OR octet_length(` + expression + `) <> length(` + expression + `))`
}

// here is the condition that rows of the scopes meet that are looked through.
func (e Eraser) here() string {
	if e.Within == nil {
		return `TRUE`
	}
	return `scope_no IN (SELECT value FROM json_each('` + list(e.Within) + `'))` // numbers alone
}

// Learnings blanks those with a number between low and high that hold the text or
// begin to. Their key goes too: it was made of the texts.
func (e Eraser) Learnings(ctx context.Context, low, high int64) (int, error) {
	return e.blank(ctx, "learning", []string{"tool", "text", "context"}, `number BETWEEN ?2 AND ?3 AND NOT forgotten`,
		`key = id, tool = '', text = ?2, context = '', forgotten = 1`, low, high)
}

// Outcomes blanks the errors of runs of tools that hold the text or begin to, in
// every scope that is looked through.
func (e Eraser) Outcomes(ctx context.Context) (int, error) {
	return e.blank(ctx, "tool_outcome", []string{"error"}, e.here(), `error = ?2`)
}

// Failures blanks why extractions failed where that may hold the text: a model may have
// repeated what it was given.
func (e Eraser) Failures(ctx context.Context) error {
	_, err := e.Exec(ctx, `UPDATE extraction SET last_error = ?2 WHERE last_error <> '' AND `+e.here()+` AND `+Maybe(`last_error`), e.Subject.Patterns(), strata.ForgottenText)
	return err
}

// blank changes the rows of a table that meet a condition, whose arguments begin
// at ?2, and of which one of some columns holds the text or begins to. It returns
// how many there are. In set, ?2 is what stands for a text that was forgotten.
func (e Eraser) blank(ctx context.Context, table string, columns []string, where, set string, args ...any) (n int, err error) {
	var held []int64
	query := `SELECT number, ` + strings.Join(columns, `, `) + ` FROM ` + table + ` WHERE ` + where + ` AND ` + Maybe(strings.Join(columns, ` || ' ' || `))
	err = e.each(ctx, query, append([]any{e.Subject.Patterns()}, args...), func(scan scanner) error {
		var number int64
		found := make([]string, len(columns))
		dest := []any{&number}
		for i := range found {
			dest = append(dest, &found[i])
		}
		err := scan(dest...)
		if e.Subject.Mentions(found...) {
			held = append(held, number)
		}
		return err
	})
	return len(held), e.change(ctx, err, held, `UPDATE `+table+` SET `+set+` WHERE number = ?1`, strata.ForgottenText)
}

// scanner reads the columns of a row.
type scanner func(dest ...any) error

// each calls read with every row of a query.
func (e Eraser) each(ctx context.Context, query string, args []any, read func(scan scanner) error) error {
	rows, err := e.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// change runs a statement for each of some rows, whose number is its ?1, unless
// they could not be read.
func (e Eraser) change(ctx context.Context, err error, rows []int64, statement string, args ...any) error {
	for _, number := range rows {
		if err != nil {
			break
		}
		_, err = e.Exec(ctx, statement, append([]any{number}, args...)...)
	}
	return err
}

// list is a JSON array, as json_each reads it.
func list(of any) string {
	data, err := json.Marshal(of)
	if err != nil {
		return "[]" // strings and numbers can always be written
	}
	return string(data)
}
