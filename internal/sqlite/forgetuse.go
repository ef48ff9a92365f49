package sqlite

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/strata-memory/strata"
)

// mayHold is the condition that every row with one of the texts in an SQL
// expression meets. Its parameter ?1 is [forget.Subject.Patterns]. Text beyond ASCII may
// normalize to anything, so it always passes.
func mayHold(expression string) string {
	return `(EXISTS (SELECT 1 FROM json_each(?1) AS pattern WHERE ` + expression + ` LIKE pattern.value) OR octet_length(` + expression + `) <> length(` + expression + `))`
}

// inScopes is the condition that rows of the scopes meet that are looked through.
func (f *forgetting) inScopes() string {
	if f.within == nil {
		return `TRUE`
	}
	return `scope_no IN (SELECT value FROM json_each('` + jsonList(f.within) + `'))` // numbers alone
}

// eraseLearnings blanks those with a number between low and high that hold the text or
// begin to. Their key goes too: it was made of the texts.
func (f *forgetting) eraseLearnings(ctx context.Context, low, high int64) (int, error) {
	return f.blankRows(ctx, "learning", []string{"tool", "text", "context"}, `number BETWEEN ?2 AND ?3 AND NOT forgotten`,
		`key = id, tool = '', text = ?2, context = '', forgotten = 1`, low, high)
}

// eraseOutcomes blanks the errors of runs of tools that hold the text or begin to, in
// every scope that is looked through.
func (f *forgetting) eraseOutcomes(ctx context.Context) (int, error) {
	return f.blankRows(ctx, "tool_outcome", []string{"error"}, f.inScopes(), `error = ?2`)
}

// eraseFailures blanks why extractions failed where that may hold the text: a model may have
// repeated what it was given.
func (f *forgetting) eraseFailures(ctx context.Context) error {
	_, err := f.exec(ctx, `UPDATE extraction SET last_error = ?2 WHERE last_error <> '' AND `+f.inScopes()+` AND `+mayHold(`last_error`), f.subject.Patterns(), strata.ForgottenText)
	return err
}

// blankRows changes the rows of a table that meet a condition, whose arguments begin
// at ?2, and of which one of some columns holds the text or begins to. It returns
// how many there are. In set, ?2 is what stands for a text that was forgotten.
func (f *forgetting) blankRows(ctx context.Context, table string, columns []string, where, set string, args ...any) (n int, err error) {
	var held []int64
	query := `SELECT number, ` + strings.Join(columns, `, `) + ` FROM ` + table + ` WHERE ` + where + ` AND ` + mayHold(strings.Join(columns, ` || ' ' || `))
	err = f.eachRow(ctx, query, append([]any{f.subject.Patterns()}, args...), func(scan scanner) error {
		var number int64
		found := make([]string, len(columns))
		dest := []any{&number}
		for i := range found {
			dest = append(dest, &found[i])
		}
		err := scan(dest...)
		if f.subject.Mentions(found...) {
			held = append(held, number)
		}
		return err
	})
	return len(held), f.changeRows(ctx, err, held, `UPDATE `+table+` SET `+set+` WHERE number = ?1`, strata.ForgottenText)
}

// changeRows runs a statement for each of some rows, whose number is its ?1, unless
// they could not be read.
func (f *forgetting) changeRows(ctx context.Context, err error, rows []int64, statement string, args ...any) error {
	for _, number := range rows {
		if err != nil {
			break
		}
		_, err = f.exec(ctx, statement, append([]any{number}, args...)...)
	}
	return err
}

// jsonList is a JSON array, as json_each reads it.
func jsonList(of any) string {
	data, err := json.Marshal(of)
	if err != nil {
		return "[]" // strings and numbers can always be written
	}
	return string(data)
}
