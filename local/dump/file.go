package dump

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// partial is a file of which parts are still to come.
type partial struct {
	path string
	to   *os.File // nil in a dry run
	size int64
}

// writeError says that the new home cannot be written, in distinction to a line that is
// wrong.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }

// part takes a part of a file. Parts of one follow each other.
func (l *loader) part(p filePart) error {
	if p.Offset == 0 {
		if err := l.endFile(); err != nil {
			return err
		}
		if err := l.beginFile(p.Path); err != nil {
			return err
		}
	}
	if l.file == nil || l.file.path != p.Path || l.file.size != p.Offset {
		return errors.Join(errors.New("a part before it is missing of "+p.Path), l.endFile())
	}
	l.file.size += int64(len(p.Data))
	if l.file.to != nil {
		if _, err := l.file.to.Write(p.Data); err != nil {
			return &writeError{err}
		}
	}
	if !p.Last {
		return nil
	}
	return l.completeFile(p.Time)
}

// beginFile makes a file. Its name is one that an export has.
func (l *loader) beginFile(path string) error {
	local := filepath.FromSlash(path)
	if !filepath.IsLocal(local) || local != filepath.Clean(local) || local == "." || !isCarried(local) {
		return errors.New("it is no file of a home: " + path)
	}
	l.file = &partial{path: path}
	if l.root == nil {
		return nil
	}
	if err := l.root.MkdirAll(filepath.Dir(local), 0o700); err != nil {
		l.file = nil
		return &writeError{err}
	}
	f, err := l.root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		l.file = nil
		if errors.Is(err, fs.ErrExist) {
			return errors.New("a file stands twice: " + path)
		}
		return &writeError{err}
	}
	l.file.to = f
	return nil
}

// completeFile makes a file durable that is complete.
func (l *loader) completeFile(at time.Time) error {
	f := l.file
	l.file = nil
	l.out.Files++
	if f.to == nil {
		return nil
	}
	err := errors.Join(f.to.Sync(), f.to.Close())
	if err == nil {
		err = l.root.Chtimes(filepath.FromSlash(f.path), at, at)
	}
	if err != nil {
		return &writeError{err}
	}
	return nil
}

// endFile removes a file of which parts are missing.
func (l *loader) endFile() error {
	f := l.file
	if l.file = nil; f == nil || f.to == nil {
		return nil
	}
	if err := errors.Join(f.to.Close(), l.root.Remove(filepath.FromSlash(f.path))); err != nil {
		return &writeError{err}
	}
	return nil
}
