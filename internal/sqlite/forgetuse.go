package sqlite

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/check"
)

// uses removes the text from the records that memory keeps of its own use.
func (f *forgetting) uses(ctx context.Context) (err error) {
	if f.out.Traces, err = f.eraseQuestions(ctx, f.turnsGone); err != nil {
		return err
	}
	if f.out.Snapshots, err = f.eraseSnapshots(ctx); err != nil {
		return err
	}
	if f.out.States, err = f.eraseStates(ctx, f.sessions); err != nil {
		return err
	}
	if err := f.forgetDreams(ctx); err != nil {
		return err
	}
	low, high := passage.Numbers(f.scopeNo)
	learnt, err := f.eraseLearnings(ctx, low, high)
	if err != nil {
		return err
	}
	if learnt > 0 {
		if _, err := f.exec(ctx, check.Learning.Write+`number BETWEEN ? AND ? AND forgotten`, low, high); err != nil {
			return err
		}
	}
	if err := f.eraseFailures(ctx); err != nil {
		return err
	}
	failed, err := f.eraseOutcomes(ctx)
	f.out.Learnings = learnt + failed
	return err
}

// mayHold returns an SQL condition that is true of every row in which the expression
// holds one of the texts, and of some others. Its parameter ?1 is
// [forget.Subject.Patterns]. Text beyond ASCII may normalize to anything, so it
// always passes.
func mayHold(expression string) string {
	return `(EXISTS (SELECT 1 FROM json_each(?1) AS pattern WHERE ` + expression + ` LIKE pattern.value) OR octet_length(` + expression + `) <> length(` + expression + `))`
}

// inScopes returns the condition that a row is in one of the scopes to search.
func (f *forgetting) inScopes() string {
	if f.within == nil {
		return `TRUE`
	}
	return `scope_no IN (SELECT value FROM json_each('` + jsonList(f.within) + `'))` // holds numbers only
}

// eraseLearnings blanks the learnings numbered low to high that hold the text or its
// beginning. It replaces their keys too, which are derived from the texts.
func (f *forgetting) eraseLearnings(ctx context.Context, low, high int64) (int, error) {
	return f.blankRows(ctx, "learning", []string{"tool", "text", "context"}, `number BETWEEN ?2 AND ?3 AND NOT forgotten`,
		`key = id, tool = '', text = ?2, context = '', forgotten = 1`, low, high)
}

// eraseOutcomes blanks errors of tool runs that hold the text or its beginning, in
// every scope searched.
func (f *forgetting) eraseOutcomes(ctx context.Context) (int, error) {
	return f.blankRows(ctx, "tool_outcome", []string{"error"}, f.inScopes(), `error = ?2`)
}

// eraseFailures blanks the errors of failed extractions that may hold the text: a
// model may have repeated its input.
func (f *forgetting) eraseFailures(ctx context.Context) error {
	_, err := f.exec(ctx, `UPDATE extraction SET last_error = ?2 WHERE last_error <> '' AND `+f.inScopes()+` AND `+mayHold(`last_error`), f.subject.Patterns(), strata.ForgottenText)
	return err
}

// blankRows updates the rows of a table that meet the condition where and hold the
// text or its beginning in one of the columns. It returns how many there are. The
// arguments of where begin at ?2; in set, ?2 is the text that stands for a forgotten
// one.
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

// changeRows runs a statement for each row, whose number is ?1. If err is not nil,
// it only returns err.
func (f *forgetting) changeRows(ctx context.Context, err error, rows []int64, statement string, args ...any) error {
	for _, number := range rows {
		if err != nil {
			break
		}
		_, err = f.exec(ctx, statement, append([]any{number}, args...)...)
	}
	return err
}

// jsonList returns a JSON array for json_each to read.
func jsonList(of any) string {
	data, err := json.Marshal(of)
	if err != nil {
		return "[]" // strings and numbers can always be written
	}
	return string(data)
}
