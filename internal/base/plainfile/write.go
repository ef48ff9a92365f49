// Package plainfile reads and writes files that a person named, or that belong to a home.
// It avoids two traps: opening a pipe can wait forever for the other end, and renaming a
// new file over a device destroys it.
package plainfile

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/base/durable"
)

// Write writes the output of content to the file that a person named. All such files must
// be written this way.
//
//   - A plain file is replaced atomically: a file next to it takes its place when it
//     is complete and durable. An existing file keeps its permissions; a new one gets
//     mode, less the umask.
//   - A link stays, and the file that it leads to is written.
//   - A device, a pipe, and a file that the process has open, such as /dev/stdout, are
//     written to directly. Write waits for a reader of a pipe until ctx ends.
//
// Errors of the file have code invalid, full or read_only; errors of content are returned
// as they are.
func Write(ctx context.Context, path string, mode fs.FileMode, content func(w io.Writer) error) error {
	at, stream, err := locate(path)
	if err != nil {
		return writeError(path, err)
	}
	if stream {
		return pour(ctx, path, path, content) // a closed /dev/stdout is recognized by that name
	}
	switch info, err := os.Lstat(at); {
	case errors.Is(err, fs.ErrNotExist):
		return replace(path, at, mode, false, content)
	case err != nil:
		return writeError(path, err)
	case info.IsDir():
		return strata.Invalid(opWrite, quoted(path)+" is a directory", "name a file in it")
	case info.Mode()&fs.ModeSocket != 0:
		return strata.Invalid(opWrite, quoted(path)+" cannot be written: it is a socket", "name a file, a pipe or a device")
	case !info.Mode().IsRegular():
		return pour(ctx, path, at, content)
	default:
		return replace(path, at, info.Mode().Perm(), true, content)
	}
}

// WriteBytes is [Write] for data that is already complete. It waits for a reader of a
// pipe without limit.
func WriteBytes(path string, mode fs.FileMode, data []byte) error {
	return Write(context.Background(), path, mode, func(w io.Writer) error { _, err := w.Write(data); return err })
}

const opWrite = "write file"

// mostLinks bounds how many links are followed, like the limit of systems.
const mostLinks = 40

// locate follows the links of a path to the name to write, which need not exist. stream
// is true for the name of a file that a process has open, which must be written to
// directly, whatever it is.
func locate(path string) (at string, stream bool, err error) {
	for range mostLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return "", false, err
		}
		path = filepath.Join(dir, filepath.Base(path))
		if dir == "/dev/fd" || strings.HasPrefix(dir, "/proc/") {
			return path, true, nil
		}
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return path, false, nil
		}
		if err != nil {
			return "", false, err
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", false, err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return "", false, &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}

// replace writes a temporary file and renames it to at.
func replace(path, at string, mode fs.FileMode, exists bool, content func(w io.Writer) error) (err error) {
	if exists {
		// A read-only file must not be replaced, even if its directory allows it.
		f, err := os.OpenFile(at, os.O_WRONLY, 0)
		if err != nil {
			return writeError(path, err)
		}
		f.Close()
	}
	temp := filepath.Join(filepath.Dir(at), ".strata-"+rand.Text()+".tmp")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return writeError(path, err)
	}
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	if err := content(&writer{f, path}); err != nil {
		return errors.Join(err, f.Close())
	}
	if exists {
		err = f.Chmod(mode) // the umask applies only to new files
	}
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(temp, at)
	}
	if err == nil {
		err = durable.Directory(filepath.Dir(at))
	}
	if err != nil {
		return writeError(path, err)
	}
	return nil
}

// pour writes directly to a file that must not be replaced.
func pour(ctx context.Context, path, at string, content func(w io.Writer) error) error {
	f, err := openStream(ctx, at)
	if err != nil {
		return writeError(path, err)
	}
	if err := content(&writer{f, path}); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return writeError(path, err)
	}
	return nil
}

// pollPipe is how often opening a pipe without a reader is retried.
const pollPipe = 20 * time.Millisecond

// openStream opens a file that must not be replaced, for appending. It keeps the content
// of a file that the process has open.
func openStream(ctx context.Context, at string) (*os.File, error) {
	for {
		f, err := os.OpenFile(at, os.O_WRONLY|os.O_APPEND|syscall.O_NONBLOCK, 0)
		if !errors.Is(err, syscall.ENXIO) {
			return f, err
		}
		if info, statErr := os.Stat(at); statErr != nil || info.Mode()&fs.ModeNamedPipe == 0 {
			return nil, err // a socket
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pollPipe):
		}
	}
}

// writer writes to a file. Its errors name the path that the person gave.
type writer struct {
	f    *os.File
	path string
}

// Write writes p.
func (w *writer) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	if err != nil {
		err = writeError(w.path, err)
	}
	return n, err
}

// writeError describes an error of a file that a person named.
func writeError(path string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := strata.Invalid(opWrite, quoted(path)+" cannot be written", "name a file in a directory that exists and can be written")
	e.Err = err
	return diskfault.Explain(e, path)
}

func quoted(path string) string { return fmt.Sprintf("%q", path) }

// ErrPipe means that a file is a pipe or socket.
var ErrPipe = errors.New("it is a pipe, not a file")

// Open opens a file for reading without waiting. It returns an error for a pipe, except
// for one that the shell has already opened and named below /dev, as it does for
// <(command).
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 && !strings.HasPrefix(path, "/dev/") {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrPipe}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
