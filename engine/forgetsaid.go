package engine

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/forget"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// forgetSaid forgets a turn, or all turns of a session, in the database.
func (e *Engine) forgetSaid(ctx context.Context, view strata.View, name string, o ForgetOptions) (res ForgetResult, err error) {
	learnt, err := e.LearntSkills(ctx, view.Scopes)
	if err != nil {
		return res, err
	}
	err = e.store.Update(ctx, func(w store.Writer) error {
		scope, turns, err := saidBy(ctx, w, view, name)
		if err != nil {
			return err
		}
		for _, t := range turns {
			if quotable := t.Text; len(quotable) >= leastQuoted && !t.Forgotten {
				res.texts = append(res.texts, quotable)
			}
			res.sources = append(res.sources, t.ID)
		}
		if res.Forgotten, err = w.ForgetSaid(ctx, scope, name, res.sources, res.texts, o.Within...); err != nil {
			return err
		}
		if err := e.indexShortened(ctx, w, res.Shortened); err != nil {
			return err
		}
		res.Decision = forget.Decision(e.ids.New(id.Decision, w.Now()), scope, o.Origin, said(o.Reason), w.Now())
		res.Decision.FactID, res.Decision.AppliedAt = name, &res.Decision.DecidedAt
		if err := e.forgetSkills(ctx, w, &res, learnt, o); err != nil {
			return err
		}
		return recordForget(ctx, w, res.Decision, name, o)
	})
	return res, err
}

// leastQuoted is how long a turn is that is looked for where others may quote it, in bytes: a
// shorter one is nothing that only this turn says.
const leastQuoted = 32

// saidBy returns the turn of an id, or the turns of a session, with the scope that they are in.
func saidBy(ctx context.Context, r store.Reader, view strata.View, name string) (scope strata.Scope, turns []strata.Turn, err error) {
	missing := strata.NotFound("forget", "fact, turn or session", text.Clip(name, 100))
	session := name
	if isTurn(name) {
		found, err := store.TurnsByID(ctx, r, view.Scopes, []string{name})
		if err != nil {
			return scope, nil, err
		}
		t, there := found[name]
		if !there {
			return scope, nil, missing
		}
		scope, session, turns = t.Scope, t.Session, []strata.Turn{t}
	}
	for _, s := range view.Scopes {
		if turns != nil && s != scope {
			continue
		}
		of, err := r.Session(ctx, s, session)
		switch {
		case strata.CodeOf(err) == strata.CodeNotFound:
			continue
		case err != nil:
			return scope, nil, err
		case view.OnlySessions() != "" && of.Kind != view.OnlySessions():
			return scope, nil, missing
		case turns == nil:
			turns, err = r.Turns(ctx, s, session, store.TurnFilter{NoImages: true})
		}
		return s, turns, err
	}
	return scope, nil, missing
}

// isTurn reports whether a name is the id of a turn.
func isTurn(name string) bool { return strings.HasPrefix(name, id.Turn+"_") }

// isSaid reports whether a name is that of a turn, or of a session that there is.
func (e *Engine) isSaid(ctx context.Context, view strata.View, name string) (bool, error) {
	if isTurn(name) {
		return true, nil
	}
	if strings.HasPrefix(name, id.Fact+"_") {
		return false, nil
	}
	for _, s := range view.Scopes {
		_, err := e.Session(ctx, s, name)
		if err == nil {
			return true, nil
		}
		if strata.CodeOf(err) != strata.CodeNotFound {
			return false, err
		}
	}
	return false, nil
}
