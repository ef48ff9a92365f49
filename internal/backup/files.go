package backup

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/home/endpoint"
	"github.com/strata-memory/strata/internal/sqlite/migration"
	"github.com/strata-memory/strata/local"
)

// databaseName is the file of the database inside of a home.
var databaseName = filepath.Base(local.Database(""))

// member is a file, directory or link of a home, by its path in it.
type member struct {
	path string
	fs.DirEntry
	err error // why it, or what is in it, cannot be read
}

// members lists what a home holds beside its database: directories before what is in them.
// What is of use to processes alone is left out: sockets, and the files of the server that
// runs here, whose token opens no copy. So are the directories that skip names.
func members(ctx context.Context, home string, skip func(path string) bool) (list []member, err error) {
	err = filepath.WalkDir(home, func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(home, name)
		if relErr != nil || rel == "." {
			return errors.Join(err, relErr)
		}
		top := filepath.Dir(rel) == "."
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
			return nil
		case d.IsDir() && (top && isOfProcess(rel) || skip(rel)):
			return fs.SkipDir
		case top && isOfProcess(rel):
			return nil
		case d.Type()&^fs.ModeDir&^fs.ModeSymlink != 0:
			return nil
		}
		list = append(list, member{rel, d, err})
		return nil
	})
	// Objects of a git repository come last: a reference that is copied then leads to one
	// that is.
	slices.SortStableFunc(list, func(a, b member) int { return a.order() - b.order() })
	return list, err
}

// order puts directories first and objects of repositories last.
func (m member) order() int {
	switch {
	case m.IsDir():
		return 0
	case strings.Contains("/"+filepath.ToSlash(m.path), "/.git/objects/"):
		return 2
	}
	return 1
}

// isOfProcess reports whether a name in a home is that of the database, of a file that
// belongs to it, such as its log, its lock and copies from before its schema changed, or of
// a file of the server.
func isOfProcess(name string) bool {
	return name == databaseName || strings.HasPrefix(name, databaseName+"-") || strings.HasPrefix(name, databaseName+".") ||
		strings.HasPrefix(name, ".new-") || endpoint.Is(name)
}

// isOwnBackups reports whether a path in a home is that of the backups that it keeps of
// itself.
func isOwnBackups(path string) bool { return path == migration.BackupDir }

// copyFiles copies what a home holds beside its database, for the owner alone. Of a link
// the target stays where it is: the link is made anew. It returns how many files and links
// there are, and the paths of what cannot be read.
func copyFiles(ctx context.Context, home, to string, skip func(path string) bool) (files int, unread []member, err error) {
	list, err := members(ctx, home, skip)
	for _, m := range list {
		if err != nil {
			break
		}
		if ctx.Err() != nil {
			return files, unread, ctx.Err()
		}
		if m.err == nil {
			m.err, err = m.copy(filepath.Join(home, m.path), filepath.Join(to, m.path))
		}
		switch {
		case errors.Is(m.err, fs.ErrNotExist): // removed meanwhile
		case m.err != nil:
			unread = append(unread, m)
		case !m.IsDir():
			files++
		}
	}
	return files, unread, err
}

// copy copies a file, makes a directory or a link.
func (m member) copy(from, to string) (unread, err error) {
	switch {
	case m.IsDir():
		return nil, os.MkdirAll(to, 0o700)
	case m.Type()&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return err, nil
		}
		return nil, os.Symlink(target, to)
	}
	in, err := os.Open(from)
	if err != nil {
		return err, nil
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err, nil
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	source := &reading{from: in}
	_, err = io.Copy(out, source)
	err = errors.Join(err, out.Close())
	if source.err != nil {
		return source.err, os.Remove(to)
	}
	if err == nil {
		err = os.Chtimes(to, info.ModTime(), info.ModTime()) // by it a file is known not to have changed
	}
	return nil, err
}

// reading tells errors of the file that is read from those of the one that is written.
type reading struct {
	from io.Reader
	err  error
}

func (r *reading) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}
