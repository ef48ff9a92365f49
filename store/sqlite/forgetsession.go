package sqlite

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/fence"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/learnings"
)

// What a session was given or saved is made of the memory of every scope it
// sees. So snapshots and states are looked through in all scopes.

// leadChars is how much of the beginning of a text tells it from others, in
// characters. What a session is shown of a long text is longer.
const leadChars = 64

// leadsOf returns how the texts of facts begin in a snapshot and in a lesson: a
// long text may be cut there, and what could be markup is defused. They are
// normalized.
func leadsOf(versions []strata.Fact) []string {
	var out []string
	for _, v := range versions {
		for _, harmless := range []string{fence.Line(v.Text), learnings.Neutral(v.Text, len(v.Text))} {
			lead := []rune(text.Normalize(harmless))
			if s := strings.TrimSpace(string(lead[:min(len(lead), leadChars)])); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// snapshots blanks the lines of snapshots that hold the text or begin to; where
// it spans lines, the whole snapshot.
func (f *forgetting) snapshots(ctx context.Context) error {
	rows, err := f.query(ctx, `SELECT rowid, text FROM snapshot WHERE `+maybe(`text`), f.shown.pattern)
	if err != nil {
		return err
	}
	type snapshot struct {
		row  int64
		text string
	}
	list, err := collect(rows, func(scan scanner) (x snapshot, err error) { return x, scan(&x.row, &x.text) })
	if err != nil {
		return err
	}
	for _, x := range list {
		if !f.shown.in(x.text) {
			continue
		}
		if _, err := f.exec(ctx, `UPDATE snapshot SET text = ? WHERE rowid = ?`, f.withoutLines(x.text), x.row); err != nil {
			return err
		}
		f.out.Snapshots++
	}
	return nil
}

// withoutLines blanks the lines of s that hold the text.
func (f *forgetting) withoutLines(s string) string {
	lines := strings.SplitAfter(s, "\n")
	for i, line := range lines {
		if f.shown.in(line) {
			lines[i] = strata.ForgottenText + line[len(strings.TrimRight(line, "\r\n")):]
		}
	}
	if out := strings.Join(lines, ""); !f.shown.in(out) {
		return out
	}
	return strata.ForgottenText
}

// states removes the saved states, also those set aside, that hold the text or
// begin to, and those of the sessions whose turns were blanked: what they hold
// of those turns may be in other words. Such a session goes on from its turns.
func (f *forgetting) states(ctx context.Context) error {
	// Inside JSON any character may stand escaped, so that the pattern does not
	// see it.
	where := ` WHERE ` + maybe(`CAST(data AS TEXT)`) + ` OR instr(CAST(data AS TEXT), '\u') > 0
		OR scope_no = ?2 AND session IN (SELECT value FROM json_each(?3))`
	for _, c := range []struct{ list, remove string }{
		{`SELECT rowid, scope_no, session, data FROM session_state` + where, `DELETE FROM session_state WHERE rowid = ?`},
		{`SELECT number, scope_no, session, data FROM session_state_aside` + where, `DELETE FROM session_state_aside WHERE number = ?`},
	} {
		rows, err := f.query(ctx, c.list, f.shown.pattern, f.scopeNo, jsonList(f.sessions))
		if err != nil {
			return err
		}
		list, err := collect(rows, func(scan scanner) (int64, error) {
			var row, scopeNo int64
			var session string
			var data []byte
			err := scan(&row, &scopeNo, &session, &data)
			if own := scopeNo == f.scopeNo && slices.Contains(f.sessions, session); own || f.inState(string(data)) {
				return row, err
			}
			return 0, err
		})
		if err != nil {
			return err
		}
		for _, row := range list {
			if row == 0 {
				continue
			}
			if _, err := f.exec(ctx, c.remove, row); err != nil {
				return err
			}
			f.out.States++
		}
	}
	return nil
}

// inState reports whether a state holds the text, plain or inside JSON.
func (f *forgetting) inState(s string) bool {
	return f.shown.in(strings.ToValidUTF8(s, " ")) || f.shown.in(jsonTexts(s)...)
}

// learnings blanks the learnings that hold the text or begin to. Their key goes too: it
// was made of the texts.
func (f *forgetting) learnings(ctx context.Context) error {
	low, high := numbers(f.scopeNo)
	rows, err := f.query(ctx, `
		SELECT number, tool, text, context FROM learning
		WHERE number BETWEEN ?2 AND ?3 AND NOT forgotten AND `+maybe(`tool || ' ' || text || ' ' || context`),
		f.shown.pattern, low, high)
	if err != nil {
		return err
	}
	list, err := numbersIn(rows, f.shown, 3)
	if err != nil {
		return err
	}
	for _, number := range list {
		_, err := f.exec(ctx, `
			UPDATE learning SET key = id, tool = '', text = ?, context = '', forgotten = 1 WHERE number = ?`,
			strata.ForgottenText, number)
		if err != nil {
			return err
		}
	}
	f.out.Learnings += len(list)
	return nil
}

// outcomes blanks the errors of runs of tools that hold the text or begin
// to, in every scope.
func (f *forgetting) outcomes(ctx context.Context) error {
	list, err := f.holding(ctx, f.shown, `SELECT number, error FROM tool_outcome WHERE `+maybe(`error`))
	if err != nil {
		return err
	}
	for _, number := range list {
		if _, err := f.exec(ctx, `UPDATE tool_outcome SET error = ? WHERE number = ?`, strata.ForgottenText, number); err != nil {
			return err
		}
	}
	f.out.Learnings += len(list)
	return nil
}

// transcripts makes the transcripts of closed sessions outstanding of which a
// turn was blanked.
func (f *forgetting) transcripts(ctx context.Context) error {
	for _, session := range f.sessions {
		res, err := f.exec(ctx, `
			UPDATE session SET exported_at = NULL, export_aside = '', revision = revision + 1
			WHERE scope_no = ? AND id = ? AND closed_at IS NOT NULL`, f.scopeNo, session)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil {
			return err
		} else if n > 0 {
			f.out.Transcripts = append(f.out.Transcripts, session)
		}
	}
	return nil
}
