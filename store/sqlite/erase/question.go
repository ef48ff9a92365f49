package erase

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// Turn is a turn that was blanked.
type Turn struct {
	ID, Session string
	Seq         int64
}

// Questions blanks what was asked in words of the text, in every scope: the
// questions of traces and recall events that hold the text or begin to, those that
// found it or one of the turns that were blanked with it, and what was asked for
// one of these turns by itself. The same question goes wherever it stands. Hits
// on the subject go, and its recall events. It returns how many rows changed.
func (e Eraser) Questions(ctx context.Context, turns []Turn) (n int, err error) {
	ids, asked := []string{e.Subject.ID}, [][]any{}
	for _, t := range turns {
		ids = append(ids, t.ID)
		asked = append(asked, []any{t.Session, t.Seq})
	}
	var questions []string
	var traces, events, gone []int64
	err = e.each(ctx, `SELECT number, query, hits, EXISTS (SELECT 1 FROM json_each(?3) WHERE session = value ->> 0 AND turn = value ->> 1)
		FROM trace WHERE `+Maybe(`query`)+` OR EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(hits, value) > 0)
		OR EXISTS (SELECT 1 FROM json_each(?3) WHERE session = value ->> 0 AND turn = value ->> 1)`,
		[]any{e.Subject.Shown.Pattern, list(ids), list(asked)}, func(scan scanner) error {
			var number int64
			var question, hits string
			var own bool
			if err := scan(&number, &question, &hits, &own); err != nil {
				return err
			}
			if own || e.Subject.Shown.In(question) || finds(hits, ids) {
				traces, questions = append(traces, number), append(questions, question)
			}
			return nil
		})
	if err != nil {
		return 0, err
	}
	err = e.each(ctx, `SELECT number, query, memory_id, scope_no = ?3 FROM recall_event WHERE `+Maybe(`query`)+` OR memory_id IN (SELECT value FROM json_each(?2))`,
		[]any{e.Subject.Shown.Pattern, list(ids), e.ScopeNo}, func(scan scanner) error {
			var number int64
			var question, memory string
			var here bool
			if err := scan(&number, &question, &memory, &here); err != nil {
				return err
			}
			switch about := here && slices.Contains(ids, memory); {
			case about && memory == e.Subject.ID:
				gone = append(gone, number)
			case about || e.Subject.Shown.In(question):
				events = append(events, number)
			default:
				return nil
			}
			questions = append(questions, question)
			return nil
		})
	err = e.change(ctx, err, gone, `DELETE FROM recall_event WHERE number = ?1`)
	err = e.change(ctx, err, events, `UPDATE recall_event SET query = ?2 WHERE number = ?1`, strata.ForgottenText)
	err = e.change(ctx, err, traces, `UPDATE trace SET `+blankTrace+` WHERE number = ?1`, strata.ForgottenText, e.Subject.ID)
	if err != nil {
		return 0, err
	}
	n = len(gone) + len(events) + len(traces)
	questions = slices.DeleteFunc(questions, func(q string) bool { return q == strata.ForgottenText })
	same := ` WHERE query IN (SELECT value FROM json_each(?1))`
	for statement, args := range map[string][]any{
		`UPDATE trace SET ` + blankTrace + same:     {list(questions), strata.ForgottenText, e.Subject.ID},
		`UPDATE recall_event SET query = ?2` + same: {list(questions), strata.ForgottenText},
	} {
		res, err := e.Exec(ctx, statement, args...)
		if err != nil {
			return 0, err
		}
		more, err := res.RowsAffected()
		if err != nil {
			return 0, err
		}
		n += int(more)
	}
	return n, nil
}

// blankTrace takes the question out of a trace, the terms of its hits, which are
// words of the question, and hits on the subject.
const blankTrace = `query = ?2, hits = (SELECT json_group_array(json_remove(value, '$.why.terms')) FROM json_each(hits)
	WHERE value ->> 'id' <> ?3 AND value ->> 'id' NOT LIKE ?3 || '/%')`

// finds reports whether one of the hits of a trace is one of some memories, or a
// section of it.
func finds(hits string, ids []string) bool {
	var list []struct{ ID string }
	if json.Unmarshal([]byte(hits), &list) != nil {
		return true // nobody can tell
	}
	for _, h := range list {
		memory, _, _ := strings.Cut(h.ID, "/")
		if slices.Contains(ids, memory) {
			return true
		}
	}
	return false
}
