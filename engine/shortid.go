package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/store"
)

// mostChoices is how many identifiers an error names.
const mostChoices = 8

// minLetters is the fewest letters that may stand for an identifier. With fewer, a typo
// could name the only fact there is, and forget it.
const minLetters = 4

// WholeID returns the one identifier of a kind in a view that begins or ends with short,
// which needs at least four letters and may omit the kind. If short is a whole identifier
// or matches none, WholeID returns it unchanged and leaves the error to its user. If
// several match, the error is conflict, with the choices.
func (e *Engine) WholeID(ctx context.Context, view strata.View, kind, short string) (string, error) {
	begin, end := short, short // sessions may have any name
	if letters, ok := strings.CutPrefix(short, id.Session+"_"); ok && kind == id.Session && len(letters) == id.ShortLetters {
		end = letters // as lists show an unnamed session
	}
	if kind != id.Session {
		letters, ok := id.Letters(kind, short)
		if !ok || id.IsWhole(kind, short) {
			return short, nil
		}
		begin, end = kind+"_"+letters, letters
	}
	if len(end) < minLetters {
		return short, nil
	}
	if err := view.Validate(); err != nil {
		return "", err
	}
	found, err := store.ReadEach(ctx, e.store, view, func(tx store.Reader, s strata.Scope) ([]string, error) {
		return tx.IDs(ctx, s, kind, begin, end, mostChoices+1)
	})
	slices.Sort(found)
	found = slices.Compact(found)
	switch {
	case err != nil:
		return "", err
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0, slices.Contains(found, short):
		return short, nil
	}
	choices := strings.Join(found[:min(len(found), mostChoices)], ", ")
	if len(found) > mostChoices {
		choices += " and more"
	}
	return "", &strata.Error{Code: strata.CodeConflict, Op: "find id", Message: short + " may be any of " + choices,
		Hint: "give more letters of its beginning or end", Details: map[string]string{"choices": strings.Join(found, ",")}}
}
