package sessions

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Said is what was forgotten: a turn, or all turns of a session.
type Said struct {
	store.Forgotten
	Scope   strata.Scope
	Texts   []string // texts of the turns that others may quote
	Sources []string // ids of the turns
}

// minQuoted is the length, in bytes, from which the text of a turn is looked for in
// quotations. A shorter text is not unique to the turn.
const minQuoted = 32

// ForgetSaid forgets a turn or a session of a view in the database.
func ForgetSaid(ctx context.Context, w store.Writer, view strata.View, name string, within ...strata.Scope) (out Said, err error) {
	var turns []strata.Turn
	if out.Scope, turns, err = saidBy(ctx, w, view, name); err != nil {
		return out, err
	}
	for _, t := range turns {
		if len(t.Text) >= minQuoted && !t.Forgotten {
			out.Texts = append(out.Texts, t.Text)
		}
		out.Sources = append(out.Sources, t.ID)
	}
	out.Forgotten, err = w.ForgetSaid(ctx, out.Scope, name, out.Sources, out.Texts, within...)
	return out, err
}

// saidBy returns the turn with an id, or the turns of a session, and their scope.
func saidBy(ctx context.Context, r store.Reader, view strata.View, name string) (scope strata.Scope, turns []strata.Turn, err error) {
	if !isTurn(name) {
		of, err := Find(ctx, r, "forget", view, name)
		if err != nil {
			return scope, nil, err
		}
		turns, err = r.Turns(ctx, of.Scope, name, store.TurnFilter{NoImages: true})
		return of.Scope, turns, err
	}
	t, err := r.Turn(ctx, view.Scopes, name)
	seen := false
	if err == nil {
		seen, err = visible(ctx, r, view, t.Scope, t.Session)
	}
	if err == nil && !seen {
		err = strata.NotFound("forget turn", "turn", text.Clip(name, 100))
	}
	return t.Scope, []strata.Turn{t}, err
}

func isTurn(name string) bool { return strings.HasPrefix(name, id.Turn+"_") }

// IsSaid reports whether a name is the id of a turn or of a session of a view.
func (l *Ledger) IsSaid(ctx context.Context, view strata.View, name string) (bool, error) {
	if isTurn(name) || strings.HasPrefix(name, id.Fact+"_") {
		return isTurn(name), nil
	}
	err := l.store.View(ctx, func(r store.Reader) error {
		_, err := Find(ctx, r, "forget", view, name)
		return err
	})
	switch strata.CodeOf(err) {
	case strata.CodeNotFound, strata.CodeInvalid:
		return false, nil
	}
	return err == nil, err
}
