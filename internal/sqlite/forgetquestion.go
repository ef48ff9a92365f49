package sqlite

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// erasedTurn is a turn that was blanked.
type erasedTurn struct {
	ID, Session string
	Seq         int64
}

// eraseQuestions blanks questions that give away the text, in every scope searched.
// These are the questions of traces and recall events that hold the text or its
// beginning, that found the subject or a blanked turn, or that were asked
// automatically for a blanked turn. The same question is blanked wherever else it
// occurs. Hits on the subject and its recall events are removed. It returns how many
// rows changed.
func (f *forgetting) eraseQuestions(ctx context.Context, turns []erasedTurn) (int, error) {
	ids, asked := []string{f.subject.ID}, [][]any{}
	for _, t := range turns {
		ids = append(ids, t.ID)
		asked = append(asked, []any{t.Session, t.Seq})
	}
	traces, questions, err := f.tracesHolding(ctx, ids, asked)
	if err != nil {
		return 0, err
	}
	onSubject, others, more, err := f.recallEventsHolding(ctx, ids)
	err = f.changeRows(ctx, err, onSubject, `DELETE FROM recall_event WHERE number = ?1`)
	err = f.changeRows(ctx, err, others, `UPDATE recall_event SET query = ?2 WHERE number = ?1`, strata.ForgottenText)
	err = f.changeRows(ctx, err, traces, `UPDATE trace SET `+blankTrace+` WHERE number = ?1`, strata.ForgottenText, f.subject.ID)
	if err != nil {
		return 0, err
	}
	elsewhere, err := f.eraseSameQuestions(ctx, append(questions, more...))
	if err != nil {
		return 0, err
	}
	return len(onSubject) + len(others) + len(traces) + elsewhere, nil
}

// tracesHolding returns the numbers and questions of the traces whose question holds
// the text or its beginning, that found one of the given memories, or that belong to
// one of the given turns, each a session and a number.
func (f *forgetting) tracesHolding(ctx context.Context, ids []string, turns [][]any) (numbers []int64, questions []string, err error) {
	err = f.eachRow(ctx, `SELECT number, query, hits, EXISTS (SELECT 1 FROM json_each(?3) WHERE session = value ->> 0 AND turn = value ->> 1)
		FROM trace WHERE `+f.inScopes()+` AND (`+mayHold(`query`)+` OR EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(hits, value) > 0)
		OR EXISTS (SELECT 1 FROM json_each(?3) WHERE session = value ->> 0 AND turn = value ->> 1))`,
		[]any{f.subject.Patterns(), jsonList(ids), jsonList(turns)}, func(scan scanner) error {
			var number int64
			var question, hits string
			var ofTurn bool
			if err := scan(&number, &question, &hits, &ofTurn); err != nil {
				return err
			}
			if ofTurn || f.subject.Mentions(question) || findsAny(hits, ids) {
				numbers, questions = append(numbers, number), append(questions, question)
			}
			return nil
		})
	return numbers, questions, err
}

// recallEventsHolding returns the numbers of the recall events of the subject, those
// of other events that found one of the given memories in its scope or whose
// question holds the text or its beginning, and the questions of both.
func (f *forgetting) recallEventsHolding(ctx context.Context, ids []string) (onSubject, others []int64, questions []string, err error) {
	err = f.eachRow(ctx, `SELECT number, query, memory_id, scope_no = ?3 FROM recall_event WHERE `+f.inScopes()+` AND (`+mayHold(`query`)+` OR memory_id IN (SELECT value FROM json_each(?2)))`,
		[]any{f.subject.Patterns(), jsonList(ids), f.scopeNo}, func(scan scanner) error {
			var number int64
			var question, memory string
			var here bool
			if err := scan(&number, &question, &memory, &here); err != nil {
				return err
			}
			switch found := here && slices.Contains(ids, memory); {
			case found && memory == f.subject.ID:
				onSubject = append(onSubject, number)
			case found || f.subject.Mentions(question):
				others = append(others, number)
			default:
				return nil
			}
			questions = append(questions, question)
			return nil
		})
	return onSubject, others, questions, err
}

// eraseSameQuestions blanks the given questions wherever they remain, and returns
// how many rows changed.
func (f *forgetting) eraseSameQuestions(ctx context.Context, questions []string) (n int, err error) {
	questions = slices.DeleteFunc(questions, func(q string) bool { return q == strata.ForgottenText })
	same := ` WHERE ` + f.inScopes() + ` AND query IN (SELECT value FROM json_each(?1))`
	for statement, args := range map[string][]any{
		`UPDATE trace SET ` + blankTrace + same:     {jsonList(questions), strata.ForgottenText, f.subject.ID},
		`UPDATE recall_event SET query = ?2` + same: {jsonList(questions), strata.ForgottenText},
	} {
		res, err := f.exec(ctx, statement, args...)
		if err != nil {
			return 0, err
		}
		changed, err := res.RowsAffected()
		if err != nil {
			return 0, err
		}
		n += int(changed)
	}
	return n, nil
}

// blankTrace removes the question from a trace, the terms of its hits, which are
// words of the question, and hits on the subject.
const blankTrace = `query = ?2, hits = (SELECT json_group_array(json_remove(value, '$.why.terms')) FROM json_each(hits)
	WHERE value ->> 'id' <> ?3 AND value ->> 'id' NOT LIKE ?3 || '/%')`

// findsAny reports whether a hit of a trace is one of the given memories, or a
// section of one.
func findsAny(hits string, ids []string) bool {
	var list []struct{ ID string }
	if json.Unmarshal([]byte(hits), &list) != nil {
		return true // assume that it does
	}
	for _, h := range list {
		memory, _, _ := strings.Cut(h.ID, "/")
		if slices.Contains(ids, memory) {
			return true
		}
	}
	return false
}
