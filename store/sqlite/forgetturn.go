package sqlite

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// maybeCalls is maybe for tool calls. Their arguments are JSON in which any
// character may stand escaped, so that the pattern does not see it.
var maybeCalls = `(` + maybe(`calls`) + ` OR instr(calls, '\\u') > 0)`

// turns blanks the turns the fact came from and those that hold its text.
func (f *forgetting) turns(ctx context.Context) error {
	low, high := numbers(f.scopeNo)
	rows, err := f.query(ctx, `
		SELECT number, id, session, calls, text, 0 FROM turn
		WHERE number BETWEEN ?2 AND ?3 AND NOT forgotten AND (`+maybe(`text`)+` OR `+maybeCalls+`)
		UNION ALL
		SELECT number, id, session, calls, '', 1 FROM turn
		WHERE id IN (SELECT value FROM json_each(?4)) AND scope_no = ?5 AND NOT forgotten`,
		f.wanted.pattern, low, high, jsonList(f.sources), f.scopeNo)
	if err != nil {
		return err
	}
	type turn struct {
		id, session string
		calls       []strata.ToolCall
	}
	blank := make(map[int64]turn)
	_, err = collect(rows, func(scan scanner) (struct{}, error) {
		var number int64
		var u turn
		var calls, s string
		var source bool
		if err := scan(&number, &u.id, &u.session, &calls, &s, &source); err != nil {
			return struct{}{}, err
		}
		var err error
		if u.calls, err = decodeCalls(calls); err != nil {
			return struct{}{}, err
		}
		if source || f.wanted.whole(s) || slices.ContainsFunc(callTexts(u.calls), f.wanted.whole) {
			blank[number] = u
		}
		return struct{}{}, nil
	})
	if err != nil {
		return err
	}
	for number, u := range blank {
		if err := f.blankTurn(ctx, number, u.calls); err != nil {
			return err
		}
		f.out.Turns = append(f.out.Turns, u.id)
		f.sessions = append(f.sessions, u.session)
	}
	slices.Sort(f.out.Turns)
	slices.Sort(f.sessions)
	f.sessions = slices.Compact(f.sessions)
	return nil
}

// blankTurn removes what a turn says. Its tool calls keep their ids, so that
// every tool's answer still has its call.
func (f *forgetting) blankTurn(ctx context.Context, number int64, calls []strata.ToolCall) error {
	if err := f.removePassage(ctx, number); err != nil {
		return err
	}
	for i := range calls {
		calls[i].Arguments = ""
		if f.wanted.in(calls[i].Name) {
			calls[i].Name = strata.ForgottenText
		}
	}
	encoded, err := encodeCalls(calls)
	if err != nil {
		return err
	}
	if _, err := f.exec(ctx, `DELETE FROM turn_image WHERE number = ?`, number); err != nil {
		return err
	}
	_, err = f.exec(ctx, `UPDATE turn SET text = ?, calls = ?, images = 0, forgotten = 1 WHERE number = ?`,
		strata.ForgottenText, encoded, number)
	return err
}

// callTexts returns every text that tool calls hold: names, arguments as they
// were written, and the strings inside them.
func callTexts(calls []strata.ToolCall) []string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Name, c.Arguments)
		out = append(out, jsonTexts(c.Arguments)...)
	}
	return out
}

// jsonTexts returns the strings of a JSON text, keys too, as far as it can be
// read. What is no JSON has none.
func jsonTexts(s string) []string {
	var out []string
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err == io.EOF || err != nil {
			return out
		}
		if v, ok := token.(string); ok {
			out = append(out, v)
		}
	}
}

// place is where something stands: its id, or the path of a document, in a scope.
type place struct {
	scopeNo int64
	id      string
}

// remaining names the facts, turns, learnings and documents of all scopes that
// still hold the text, and turns of other scopes that the fact came from.
func (f *forgetting) remaining(ctx context.Context) error {
	rows, err := f.query(ctx, `
		SELECT scope_no, id, text, '', 0 FROM fact WHERE `+maybe(`text`)+`
		UNION ALL
		SELECT scope_no, id, text || ' ' || context, '', 0 FROM learning WHERE `+maybe(`text || ' ' || context`)+`
		UNION ALL
		SELECT scope_no, id, text, calls, 0 FROM turn WHERE NOT forgotten AND (`+maybe(`text`)+` OR `+maybeCalls+`)
		UNION ALL
		SELECT scope_no, id, '', '', 1 FROM turn WHERE id IN (SELECT value FROM json_each(?2)) AND NOT forgotten`,
		f.wanted.pattern, jsonList(f.sources))
	if err != nil {
		return err
	}
	found := make(map[place]bool)
	for _, p := range f.standing {
		found[p] = true
	}
	_, err = collect(rows, func(scan scanner) (struct{}, error) {
		var p place
		var s, encoded string
		var source bool
		if err := scan(&p.scopeNo, &p.id, &s, &encoded, &source); err != nil {
			return struct{}{}, err
		}
		calls, err := decodeCalls(encoded)
		if source || f.wanted.in(s) || f.wanted.in(callTexts(calls)...) {
			found[p] = true
		}
		return struct{}{}, err
	})
	if err != nil {
		return err
	}
	for p := range found {
		name := p.id
		if p.scopeNo != f.scopeNo {
			scope, err := f.scopeByNo(ctx, p.scopeNo)
			if err != nil {
				return err
			}
			name = scope.Key() + "/" + p.id
		}
		f.out.Remaining = append(f.out.Remaining, name)
	}
	slices.Sort(f.out.Remaining)
	return nil
}
