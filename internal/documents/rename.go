package documents

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A renamed file remains the same document. It keeps its id, and thus the counts of its
// use. The decision about the rename has the new path, and the former path in its version
// before. Queries by path continue there.

// pathsOf returns the paths that a change affects: two if a file was renamed.
func pathsOf(c strata.DocumentChange) []string {
	if from := c.RenamedFrom(); from != "" {
		return []string{from, c.Path}
	}
	return []string{c.Path}
}

// formerName is a path that a document had until a decision.
type formerName struct {
	path  string
	until string // id of the decision that renamed it
}

// maxRenames is the maximum number of former names followed. Renames back and forth
// cannot form a cycle, since each decision is older than the last, but they may be many.
const maxRenames = 64

// formerNames returns the former paths of the document at a path, latest first.
func formerNames(ctx context.Context, r store.Reader, scope strata.Scope, path string) ([]formerName, error) {
	var names []formerName
	f := strata.DecisionFilter{Path: path, Op: strata.OpUpdate, Limit: 100}
	for len(names) < maxRenames {
		page, err := r.Decisions(ctx, scope, f)
		if err != nil {
			return nil, fmt.Errorf("read former names of %s: %w", path, err)
		}
		i := slices.IndexFunc(page, func(d strata.Decision) bool { return d.Document.RenamedFrom() != "" })
		switch {
		case i >= 0:
			f.Path, f.After = page[i].Document.RenamedFrom(), page[i].ID
			names = append(names, formerName{f.Path, f.After})
		case len(page) < f.Limit:
			return names, nil
		default:
			f.After = page[len(page)-1].ID
		}
	}
	return names, nil
}

// Decisions lists decisions of a view, scope by scope, newest first. If f has a path,
// they include those about the file under its former names.
func (l *Library) Decisions(ctx context.Context, view strata.View, f strata.DecisionFilter) ([]strata.Decision, error) {
	return store.ReadEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) ([]strata.Decision, error) {
		return decisionsOf(ctx, r, s, f)
	})
}

func decisionsOf(ctx context.Context, r store.Reader, scope strata.Scope, f strata.DecisionFilter) ([]strata.Decision, error) {
	list, err := r.Decisions(ctx, scope, f)
	if err != nil || f.Path == "" || f.Pending { // hand edits are never pending
		return list, err
	}
	names, err := formerNames(ctx, r, scope, f.Path)
	if err != nil || len(names) == 0 {
		return list, err
	}
	after := f.After
	for _, n := range names {
		f.Path, f.After = n.path, n.until
		if after != "" && after < n.until {
			f.After = after
		}
		earlier, err := r.Decisions(ctx, scope, f)
		if err != nil {
			return nil, err
		}
		for _, d := range earlier {
			// A former name may occur twice.
			if !slices.ContainsFunc(list, func(have strata.Decision) bool { return have.ID == d.ID }) {
				list = append(list, d)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b strata.Decision) int { return b.DecidedAt.Compare(a.DecidedAt) })
	if f.Limit > 0 {
		list = list[:min(len(list), f.Limit)]
	}
	return list, nil
}
