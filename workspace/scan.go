package workspace

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/filelock"
	"github.com/strata-memory/strata/internal/base/parallel"
	"github.com/strata-memory/strata/store/files"
)

// Scan compares the files of a scope with what is known of them. It reads a file if its
// size or modification time differs, or if the file changed so recently that it may have
// changed again without a new time.
//
// If the directory is gone although files in it are known, Scan returns unavailable,
// because an unmounted disk does not mean that its files were deleted.
func (t *Tree) Scan(ctx context.Context, scope strata.Scope, known map[string]files.Stat) (files.Changes, error) {
	if err := ctx.Err(); err != nil {
		return files.Changes{}, err
	}
	s := scan{tree: t, listing: listing{
		known: known, now: t.now(), stats: make(map[string]files.Stat, len(known)), left: make(map[string]string),
		follow: t.linked,
	}}
	defer s.close()
	s.changes.Touched = make(map[string]files.Stat)
	o, err := t.open(opScan, scope, false)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if slices.ContainsFunc(slices.Collect(maps.Keys(known)), ofMemory) {
			p, _ := t.place(opScan, scope)
			return files.Changes{}, &strata.Error{Code: strata.CodeUnavailable, Op: opScan, Message: "the directory " + p.full() + " is gone",
				Hint: "put it back, or create it empty to delete what memory has of its files", Err: cause(err)}
		}
	case err != nil:
		return files.Changes{}, err
	default:
		defer o.Close()
		if err := s.run(ctx, o); err != nil {
			return files.Changes{}, err
		}
	}
	if scope.Kind == strata.ScopeWorkspace {
		s.project(scope)
	}
	return s.done(scope), nil
}

// ofMemory reports whether a path lies in the scope's own directory.
func ofMemory(doc string) bool { return !strings.HasPrefix(doc, strata.ProjectPrefix) }

// scan is one scan of a scope.
type scan struct {
	tree *Tree
	// The stats of the listing grow to those of all existing documents.
	listing

	mu      sync.Mutex // guards listing.stats while files are read, and changes
	changes files.Changes
}

// run scans the files of the scope's directory.
func (s *scan) run(ctx context.Context, o *opened) error {
	if err := s.list(ctx, o); err != nil {
		return err
	}
	s.sweep(o)
	var missing []string
	for doc := range s.known {
		_, asBefore := s.stats[doc]
		_, other := s.found[doc]
		if !asBefore && !other && ofMemory(doc) && !s.covered(doc) {
			missing = append(missing, doc)
		}
	}
	if err := s.readAll(ctx, o, slices.Collect(maps.Keys(s.found))); err != nil {
		return err
	}
	for _, doc := range missing {
		// A file that is being replaced can be missing from a directory listing. It is
		// gone only if it cannot be opened by its name either.
		at := s.at(o, doc)
		f, err := s.tree.load(at, doc, at.name(doc))
		s.note(doc, f, err)
	}
	return ctx.Err()
}

// sweep removes what a killed writer left, unless another process is writing.
func (s *scan) sweep(o *opened) {
	if _, err := o.root.Lstat(tempName); err != nil {
		return
	}
	f, err := o.root.OpenFile(lockName, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		defer f.Close()
		var held bool
		if held, err = filelock.Try(f); err == nil && held {
			err = removeIfThere(o.root, tempName)
		}
	}
	if err != nil {
		s.skip(tempName, "left by a writer, and cannot be removed")
	}
}

// readAll reads files concurrently.
func (s *scan) readAll(ctx context.Context, o *opened, docs []string) error {
	parallel.For(len(docs), 16, func(i int) {
		if ctx.Err() == nil {
			at := s.at(o, docs[i])
			f, err := s.tree.loadListed(at, docs[i], at.name(docs[i]))
			s.note(docs[i], f, err)
		}
	})
	return ctx.Err()
}

// note records the result of reading a file.
func (s *scan) note(doc string, f files.File, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, ok := s.known[doc]
	switch {
	case isMissing(err):
		if ok {
			s.changes.Removed = append(s.changes.Removed, doc)
		}
		return
	case err != nil:
		s.skip(doc, reason(err))
		return
	case !ok || was.Hash != f.Hash:
		s.changes.Changed = append(s.changes.Changed, f)
	case was.Size != f.Size || !was.ModifiedAt.Equal(f.ModifiedAt):
		s.changes.Touched[doc] = f.Stat
	}
	s.stats[doc] = f.Stat
}

// project scans the file of the project itself. If the project is not available, what is
// known of the file stays.
func (s *scan) project(scope strata.Scope) {
	was, ok := s.known[files.ProjectFile]
	o, err := s.tree.openProject(opScan, scope)
	if err != nil {
		if ok {
			s.stats[files.ProjectFile] = was
		}
		return
	}
	defer o.Close()
	name := path.Base(files.ProjectFile)
	if info, err := o.root.Lstat(name); err == nil && ok && info.Mode().IsRegular() && unchanged(was, info, s.now) {
		s.stats[files.ProjectFile] = was
		return
	}
	f, err := s.tree.load(o, files.ProjectFile, name)
	s.note(files.ProjectFile, f, err)
}

// unchanged reports whether a file is certainly the same as recorded.
func unchanged(was files.Stat, info fs.FileInfo, now time.Time) bool {
	at := timeOf(info)
	return was.Size == info.Size() && was.ModifiedAt.Equal(at) && !mayChange(at, now)
}

// done sorts the results and remembers the stats for watchers.
func (s *scan) done(scope strata.Scope) files.Changes {
	c := s.changes
	slices.SortFunc(c.Changed, func(a, b files.File) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(c.Removed)
	for _, doc := range slices.Sorted(maps.Keys(s.left)) {
		c.Skipped = append(c.Skipped, files.Skipped{Path: doc, Reason: s.left[doc]})
	}
	s.tree.mu.Lock()
	s.tree.seen[scope] = s.stats
	s.tree.mu.Unlock()
	return c
}

// reason describes briefly why a file is not a document.
func reason(err error) string {
	var e *strata.Error
	switch {
	case errors.As(err, &e) && e.Code == strata.CodeTooLarge:
		return files.ReasonTooLarge
	case errors.As(err, &e) && e.Code == strata.CodeInvalid:
		return "not text"
	case errors.As(err, &e) && e.Code == strata.CodeConflict:
		return "not a file"
	}
	return reasonUnreadable
}
