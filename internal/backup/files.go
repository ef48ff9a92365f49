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

// databaseName is the name of the database in a home.
var databaseName = filepath.Base(local.Database(""))

// member is a file, directory or link in a home.
type member struct {
	path string
	fs.DirEntry
	err error // why it, or a directory's content, cannot be read
}

// members lists everything in a home except its database, directories before their
// content. It leaves out what only running processes use, such as sockets and the files
// of the server, whose token is of no use in a copy. It also leaves out the directories
// for which skip returns true.
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
		case errors.Is(err, fs.ErrNotExist): // removed in the meantime
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
	// Objects of git repositories come last, so that every copied reference leads to a
	// copied object.
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

// isOfProcess reports whether a name in a home is that of the database, of a file
// belonging to it, such as its log, lock and copies from before a schema change, or of a
// file of the server.
func isOfProcess(name string) bool {
	return name == databaseName || strings.HasPrefix(name, databaseName+"-") || strings.HasPrefix(name, databaseName+".") ||
		strings.HasPrefix(name, ".new-") || endpoint.Is(name)
}

// isOwnBackups reports whether a path in a home is the directory of its own backups.
func isOwnBackups(path string) bool { return path == migration.BackupDir }

// copyFiles copies everything in a home except its database, readable only by the owner.
// Links are copied as links. It returns the number of files and links, and what could not
// be read.
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
		case errors.Is(m.err, fs.ErrNotExist): // removed in the meantime
		case m.err != nil:
			unread = append(unread, m)
		case !m.IsDir():
			files++
		}
	}
	return files, unread, err
}

// copy copies a file, or creates a directory or link. The error unread means that the
// source could not be read.
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
		err = os.Chtimes(to, info.ModTime(), info.ModTime()) // the time tells that a file has not changed
	}
	return nil, err
}

// reading keeps errors of the source apart from those of the destination.
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
