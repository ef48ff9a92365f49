package workspace

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/durable"
	"github.com/strata-memory/strata/internal/base/filelock"
	"github.com/strata-memory/strata/store/files"
)

// directory is an open directory. Nothing outside it can be reached through it.
type directory struct{ *os.Root }

// makePrivate makes a directory below root and its missing parents, accessible only by
// the owner, and makes them survive a power cut.
func makePrivate(root *os.Root, dir string) error {
	if info, err := root.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if err := root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for at := filepath.Dir(dir); ; at = filepath.Dir(at) {
		if err := durable.DirectoryIn(root, at); err != nil {
			return err
		}
		if at == "." {
			return nil
		}
	}
}

func (d *directory) sync() error { return durable.DirectoryIn(d.Root, ".") }

// fill writes a file and makes its bytes durable.
func (d *directory) fill(name string, c files.Content) error {
	f, err := d.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 64<<10)
	err = c(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// same reports whether two files hold the same bytes. If b does not exist, the error is
// fs.ErrNotExist.
func (d *directory) same(a, b string) (bool, error) {
	g, err := d.openRegular(b)
	if err != nil {
		return false, err
	}
	defer g.Close()
	f, err := d.openRegular(a)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return sameBytes(f, g)
}

// openRegular opens a regular file for reading and refuses anything else.
func (d *directory) openRegular(name string) (*os.File, error) {
	f, _, err := openFile(d.Root, name, transcriptOp)
	return f, err
}

// openFile opens a regular file for reading and refuses anything else: opening a pipe
// would wait for somebody at its other end, and a link leads elsewhere.
func openFile(root *os.Root, name, op string) (*os.File, fs.FileInfo, error) {
	// The file may be replaced between Lstat and OpenFile. That will not happen a hundred
	// times in a row.
	for range 100 {
		info, err := root.Lstat(name)
		if err != nil {
			return nil, nil, err
		}
		if !info.Mode().IsRegular() {
			break
		}
		f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return nil, nil, err
		}
		got, err := f.Stat()
		if err == nil && os.SameFile(got, info) {
			return f, got, nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, nil, err
		}
	}
	return nil, nil, notAFile(op, name)
}

func notAFile(op, name string) error {
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: filepath.ToSlash(name) + " is not a file", Hint: "move it away"}
}

// replace writes a small file atomically. It needs no lock: of two concurrent writers,
// one wins.
func (d *directory) replace(name string, data []byte) error {
	temp := "." + name + "." + rand.Text() + ".tmp"
	err := d.fill(temp, func(w io.Writer) error { _, err := w.Write(data); return err })
	if err == nil {
		err = d.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, removeIfThere(d.Root, temp))
	}
	return d.sync()
}

// ignoreAll is a .gitignore that keeps its directory, including itself, out of git.
const ignoreAll = "*\n"

// ignore keeps the directory out of git, whatever repository it lies in.
func (d *directory) ignore() error {
	f, err := d.OpenFile(".gitignore", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(ignoreAll)
	return errors.Join(err, f.Close())
}

// lockWait is how long a writer waits for others. Each holds the lock only while it
// writes one file.
const lockWait = 30 * time.Second

// lock takes the directory's lock, which also excludes other processes.
func (d *directory) lock(ctx context.Context) (release func(), err error) {
	return lockIn(ctx, d.Root, ".lock", transcriptOp, "the transcripts")
}

// lockIn takes the lock on the file name, which it creates if necessary. what says in the
// error what the lock guards.
func lockIn(ctx context.Context, root *os.Root, name, op, what string) (release func(), err error) {
	return lockTelling(ctx, root, name, op, what, nil)
}

// lockTelling is lockIn, but calls waiting, if not nil, with a message when the wait is
// long.
func lockTelling(ctx context.Context, root *os.Root, name, op, what string, waiting func(string)) (release func(), err error) {
	f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	message := "another process holds " + what
	held, err := filelock.Within(ctx, f, lockWait, func() {
		if waiting != nil {
			waiting("waiting: " + message)
		}
	})
	if err == nil && !held {
		err = &strata.Error{Code: strata.CodeBusy, Op: op, Message: message, Hint: "try again"}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { f.Close() }, nil // closing releases the lock
}
