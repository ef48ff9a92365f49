package local

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/diskfault"
	"github.com/strata-memory/strata/internal/endpoint"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/salvage"
)

// Examine looks at every page of the database of a home and names what cannot be
// read; nothing is changed. It works where [Open] fails. A sound database has no
// problems. progress may be nil.
func Examine(ctx context.Context, home string, progress func(done, total int64)) ([]store.Problem, error) {
	return salvage.Examine(ctx, Database(home), progress)
}

// Mend has the database of a home be readable again where only derived things are
// damaged. They are left out: reindex the home next. It reports whether anything was
// to be mended, and fails with code corrupt where more is damaged. Nobody in this
// process has the home open. progress may be nil.
func Mend(ctx context.Context, home string, progress func(done, total int64)) (bool, error) {
	return salvage.Mend(ctx, Database(home), progress)
}

// Salvaged says what became of a damaged home.
type Salvaged struct {
	Home string           // the new one
	Rows map[string]int64 // rows of the database that were kept, by table
	// Restored is how many rows were put together again from what others say of them.
	Restored int64
	Lost     []store.Problem // what could not be read or kept
	Files    int             // files beside the database that were copied
	Unread   []string        // files, below the old home, that could not be copied
	Passages int64           // that were indexed anew
	Problems []store.Problem // what a look at the new home found
}

// Salvage makes a new home, in a directory that is not there or empty, of all that
// can be read of the home of the options. The old one is only read. What is derived
// is made anew, and the new home is looked through afterwards. Files are readable by
// their owner only. progress may be nil.
func Salvage(ctx context.Context, o Options, newHome string, progress func(done, total int64)) (Salvaged, error) {
	var err error
	if o.Home == "" {
		if o.Home, err = DefaultHome(); err != nil {
			return Salvaged{}, err
		}
	}
	if newHome, err = emptyPlace(o.Home, newHome); err != nil {
		return Salvaged{}, err
	}
	if progress == nil {
		progress = func(done, total int64) {}
	}
	out := Salvaged{Home: newHome}
	if err := os.MkdirAll(newHome, 0o700); err != nil {
		return out, salvageError("the new home cannot be made", err)
	}
	written, err := salvage.Save(ctx, Database(o.Home), Database(newHome), false, func(done int64) { progress(done, 0) })
	if err != nil {
		return out, err
	}
	out.Rows, out.Restored, out.Lost = written.Rows, written.Restored, written.Lost
	if out.Files, out.Unread, err = copyFiles(ctx, o.Home, newHome); err != nil {
		return out, err
	}
	o.Home, o.LookLater = newHome, true
	mem, err := OpenWith(ctx, o)
	if err != nil {
		return out, err
	}
	err = out.complete(ctx, mem, progress)
	return out, errors.Join(err, mem.Close())
}

// complete makes anew what is derived and looks the new home through.
func (s *Salvaged) complete(ctx context.Context, mem *engine.Engine, progress func(done, total int64)) error {
	indexed, err := mem.Reindex(ctx, nil, progress)
	if err != nil {
		return err
	}
	s.Passages = indexed.Passages
	report, err := mem.Doctor(ctx, nil)
	s.Problems = report.Problems
	return err
}

func salvageError(message string, err error) error {
	return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "salvage", Message: message,
		Hint: "name a directory on a disk with room that may be written", Err: err}, "")
}

// emptyPlace is the absolute path of a new home, which holds nothing and is not inside
// of the old one.
func emptyPlace(home, newHome string) (string, error) {
	const op = "salvage"
	if newHome == "" {
		return "", strata.Invalid(op, "no new home was given", "name a directory that is not there yet")
	}
	newHome, err := filepath.Abs(newHome)
	if err != nil {
		return "", salvageError("the new home cannot be found", err)
	}
	old, err := filepath.Abs(home)
	if err != nil {
		return "", salvageError("the home cannot be found", err)
	}
	if rel, err := filepath.Rel(old, newHome); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", strata.Invalid(op, "the new home lies inside of the old one", "name a directory elsewhere")
	}
	entries, err := os.ReadDir(newHome)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", salvageError("the new home cannot be read", err)
	}
	if len(entries) > 0 {
		return "", strata.Invalid(op, newHome+" is not empty", "name a directory that is not there yet")
	}
	return newHome, nil
}

// copyFiles copies the files of a home other than the database. Of a link the target
// is what the home relies on, which stays where it is: the link is made anew.
func copyFiles(ctx context.Context, home, newHome string) (files int, unread []string, err error) {
	skip := filepath.Base(Database(home))
	err = filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(home, path)
		if relErr != nil || rel == "." {
			return relErr
		}
		if err != nil {
			unread = append(unread, rel)
			return nil
		}
		if filepath.Dir(rel) == "." && (endpoint.Is(rel) || rel == skip || strings.HasPrefix(rel, skip+"-") || strings.HasPrefix(rel, skip+".")) {
			return nil
		}
		to := filepath.Join(newHome, rel)
		switch {
		case e.IsDir():
			return os.MkdirAll(to, 0o700)
		case e.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err == nil {
				err = os.Symlink(target, to)
			}
			if err != nil {
				unread = append(unread, rel)
				return nil
			}
		case !e.Type().IsRegular():
			return nil // a socket or pipe of a process
		default:
			read, err := copyFile(path, to)
			if err != nil {
				return salvageError("a file of the home cannot be written", err)
			}
			if !read {
				unread = append(unread, rel)
				return nil
			}
		}
		files++
		return nil
	})
	return files, unread, err
}

// copyFile copies a file durably. It reports false, and leaves no part of it, if the
// file cannot be read.
func copyFile(from, to string) (read bool, err error) {
	in, err := os.Open(from)
	if err != nil {
		return false, nil
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false, err
	}
	source := &reading{from: in}
	_, err = io.Copy(out, source)
	if err == nil {
		err = out.Sync()
	}
	err = errors.Join(err, out.Close())
	if source.err != nil {
		return false, os.Remove(to)
	}
	if info, statErr := in.Stat(); err == nil && statErr == nil {
		err = os.Chtimes(to, info.ModTime(), info.ModTime()) // by it a file is known not to have changed
	}
	return err == nil, err
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
