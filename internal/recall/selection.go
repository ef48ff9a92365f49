package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A query may be confined to a session, a file or a directory, and to a time. A session
// or file is a parent, by which the store filters before any cutoff. Directory and time
// are checked on the candidates that were read, so more are read for them.

// confine restricts a pool to the session or path that the query names. It reports
// whether the scope has one.
func (f *finder) confine(ctx context.Context, p *pool) (bool, error) {
	switch q := f.req.Query; {
	case q.InSession != "":
		return f.confineToSession(ctx, p, q.InSession)
	case q.Path != "":
		return f.confineToPath(ctx, p, strings.TrimSuffix(q.Path, "/"))
	}
	return true, nil
}

// confineToSession restricts a pool to a session that the view shows. It reports false
// for a session that has nothing indexed yet.
func (f *finder) confineToSession(ctx context.Context, p *pool, id string) (bool, error) {
	s, err := f.r.Session(ctx, p.scope, id)
	switch only := f.req.Query.View.OnlySessions(); {
	case strata.CodeOf(err) == strata.CodeNotFound:
		return false, nil
	case err != nil:
		return false, fmt.Errorf("find session %s in %s: %w", id, p.scope, err)
	case only != "" && s.Kind != only:
		return false, nil
	}
	f.selected = true
	if p.filter.Parent, err = f.r.ParentNumber(ctx, p.scope, strata.KindTurn, id); err != nil {
		return false, fmt.Errorf("find the turns of session %s in %s: %w", id, p.scope, err)
	}
	return p.filter.Parent != 0, nil
}

// confineToPath confines a pool to a file, or notes the directory that its files
// must lie in.
func (f *finder) confineToPath(ctx context.Context, p *pool, path string) (bool, error) {
	number, err := f.r.ParentNumber(ctx, p.scope, strata.KindSection, path)
	if err != nil {
		return false, fmt.Errorf("find file %s in %s: %w", path, p.scope, err)
	}
	if number != 0 {
		p.filter.Parent = number
		f.selected = true
		return true, nil
	}
	files, err := f.r.Parents(ctx, p.scope, strata.KindSection, nil)
	if err != nil {
		return false, fmt.Errorf("list files of %s: %w", p.scope, err)
	}
	p.directory = path + "/"
	inside := slices.ContainsFunc(files, func(d store.ParentInfo) bool { return strings.HasPrefix(d.Name, p.directory) })
	f.selected = f.selected || inside
	return inside, nil
}

// checkFound returns an error if the query names a session or path that no scope of the
// view has.
func (f *finder) checkFound() error {
	const op = "search"
	switch q := f.req.Query; {
	case f.selected:
	case q.InSession != "":
		return strata.NotFound(op, "session", q.InSession)
	case q.Path != "" && q.View.OnlySessions() == "": // otherwise the error would reveal private files
		return strata.NotFound(op, "file or directory", q.Path)
	}
	return nil
}

// selects reports whether a query is confined to a time or a directory.
func selects(q strata.Query) bool {
	return !q.Since.IsZero() || !q.Until.IsZero() || q.Path != "" && !strings.HasSuffix(q.Path, ".md")
}

// dropUnselected drops the candidates outside the directory and the time that the
// query names.
func (f *finder) dropUnselected(among []*candidate) []*candidate {
	q := f.req.Query
	if !selects(q) {
		return among
	}
	return slices.DeleteFunc(among, func(c *candidate) bool {
		if d := c.item.Document; d != nil && !strings.HasPrefix(d.Path, c.pool.directory) {
			return true
		}
		at := c.at()
		return !q.Since.IsZero() && at.Before(q.Since) || !q.Until.IsZero() && !at.Before(q.Until)
	})
}
