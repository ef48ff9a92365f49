package sqlite

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/forget"
	"github.com/strata-memory/strata/index/passage"
)

// traces blanks the traces of queries that hold the text, in every scope.
func (f *forgetting) traces(ctx context.Context) error {
	// The terms of the hits are words of the query.
	n, err := f.blank(ctx, f.subject.Text, "trace", []string{"query"}, `TRUE`, `query = ?2, hits = (
		SELECT json_group_array(json_remove(value, '$.why.terms')) FROM json_each(hits))`)
	f.out.Traces += n
	return err
}

// recalls removes the recall events of the subject and blanks others whose query
// holds the text, in every scope.
func (f *forgetting) recalls(ctx context.Context) error {
	res, err := f.exec(ctx, `DELETE FROM recall_event WHERE scope_no = ? AND memory_id = ?`, f.scopeNo, f.subject.ID)
	if err != nil {
		return err
	}
	removed, err := res.RowsAffected()
	if err != nil {
		return err
	}
	n, err := f.blank(ctx, f.subject.Text, "recall_event", []string{"query"}, `TRUE`, `query = ?2`)
	f.out.Traces += int(removed) + n
	return err
}

// learnings blanks the learnings of the scope that hold the text or begin to.
// Their key goes too: it was made of the texts.
func (f *forgetting) learnings(ctx context.Context) error {
	low, high := passage.Numbers(f.scopeNo)
	n, err := f.blank(ctx, f.subject.Shown, "learning", []string{"tool", "text", "context"}, `number BETWEEN ?2 AND ?3 AND NOT forgotten`,
		`key = id, tool = '', text = ?2, context = '', forgotten = 1`, low, high)
	f.out.Learnings += n
	return err
}

// outcomes blanks the errors of runs of tools that hold the text or begin
// to, in every scope.
func (f *forgetting) outcomes(ctx context.Context) error {
	n, err := f.blank(ctx, f.subject.Shown, "tool_outcome", []string{"error"}, `TRUE`, `error = ?2`)
	f.out.Learnings += n
	return err
}

// blank changes the rows of a table that meet a condition, whose arguments begin
// at ?2, and of which one of some columns holds one of the texts. It returns how
// many there are. In set, ?2 is what stands for a text that was forgotten.
func (f *forgetting) blank(ctx context.Context, texts forget.Texts, table string, columns []string, where, set string, args ...any) (int, error) {
	rows, err := f.query(ctx, `
		SELECT number, `+strings.Join(columns, `, `)+` FROM `+table+`
		WHERE `+where+` AND `+maybe(strings.Join(columns, ` || ' ' || `)), append([]any{texts.Pattern}, args...)...)
	if err != nil {
		return 0, err
	}
	type row struct {
		number int64
		held   bool
	}
	list, err := collect(rows, func(scan scanner) (r row, err error) {
		found := make([]string, len(columns))
		dest := []any{&r.number}
		for i := range found {
			dest = append(dest, &found[i])
		}
		err = scan(dest...)
		r.held = texts.In(found...)
		return r, err
	})
	if err != nil {
		return 0, err
	}
	n := 0
	for _, r := range list {
		if !r.held {
			continue
		}
		if _, err := f.exec(ctx, `UPDATE `+table+` SET `+set+` WHERE number = ?1`, r.number, strata.ForgottenText); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
