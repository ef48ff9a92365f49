package documents

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A file that was renamed is the same document: it keeps its id, and with it what counts
// how often it was of use. The decision that says so stands under the new path and has the
// former one in its version before, so that what is asked by path goes on there.

// pathsOf are the paths that a change is about: two where a file was renamed.
func pathsOf(c strata.DocumentChange) []string {
	if from := c.RenamedFrom(); from != "" {
		return []string{from, c.Path}
	}
	return []string{c.Path}
}

// formerName is a path that a document had up to a decision.
type formerName struct {
	path  string
	until string // id of the decision that renamed it
}

// maxRenames bounds how many former names are followed: names that were changed to and
// fro lead in no circle, since each decision is older than the last, but to no end either.
const maxRenames = 64

// formerNames are the paths that the document at a path had before, the last first.
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

// Decisions lists decisions of a view, scope by scope, newest first. Those about a path go
// on with what was decided about the file under the names that it had before.
func (l *Library) Decisions(ctx context.Context, view strata.View, f strata.DecisionFilter) ([]strata.Decision, error) {
	return store.ReadEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) ([]strata.Decision, error) {
		return decisionsOf(ctx, r, s, f)
	})
}

func decisionsOf(ctx context.Context, r store.Reader, scope strata.Scope, f strata.DecisionFilter) ([]strata.Decision, error) {
	list, err := r.Decisions(ctx, scope, f)
	if err != nil || f.Path == "" || f.Pending { // what is done by hand is outstanding nowhere
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
			// A name that it had twice is asked for twice.
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
