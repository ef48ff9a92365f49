package handedit

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// origins finds out where the files of hand edits came from, if that matters. It reads
// version control before the transaction, which blocks other writers.
func (in *Intake) origins(ctx context.Context, edits handEdits) ([]documents.Found, error) {
	out := make([]documents.Found, len(edits.candidates))
	var ask []int
	err := in.o.Store.View(ctx, func(r store.Reader) error {
		tx := documents.NewTx(r, in.o.IDs, in.o.Models)
		for i, c := range edits.candidates {
			out[i].Stat = edits.stats[i]
			if c.Action != strata.ActionSave || !in.judges(c.Scope, c.Path) {
				continue
			}
			home := in.o.Origins.Home(c.Scope)
			out[i].Origin = &files.Origin{Unread: true, Home: home}
			needed, err := tx.NeedsOrigin(ctx, c, home)
			if err != nil {
				return err
			}
			if needed {
				ask = append(ask, i)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, i := range ask {
		c := edits.candidates[i]
		o, err := in.o.Origins.Origin(ctx, c.Scope, files.File{Path: c.Path, Content: []byte(c.Content), Stat: edits.stats[i]})
		if err != nil {
			return nil, err
		}
		o.Home = out[i].Origin.Home
		out[i].Origin = &o
	}
	return out, nil
}

// judges reports whether a file of a scope can be foreign. Files in the home cannot, but
// files of the project itself can in any case.
func (in *Intake) judges(scope strata.Scope, path string) bool {
	return in.o.Origins != nil && scope.Workspace != "" && (strings.HasPrefix(path, strata.ProjectPrefix) || !in.o.Origins.Home(scope))
}

// see records that all files of a scope have been seen. Later files are judged by their
// origin.
func (in *Intake) see(ctx context.Context, scope strata.Scope) error {
	if !in.judges(scope, "") {
		return nil
	}
	seen, err := store.Read(ctx, in.o.Store, func(r store.Reader) (bool, error) { return r.ScopeSeen(ctx, scope) })
	if err != nil || seen {
		return err
	}
	err = in.o.Store.Update(ctx, func(w store.Writer) error { return w.SeeScope(ctx, scope, false) })
	if strata.CodeOf(err) == strata.CodeReadOnly {
		return nil // a read-only process leaves it to others
	}
	return err
}
