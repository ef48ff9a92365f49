package dump

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/endpoint"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/migration"
	"github.com/strata-memory/strata/store/sqlite/salvage"
)

// WriteOptions say what is written.
type WriteOptions struct {
	Home string
	// Database is a sound copy of what can be read of that of the home; empty: its own,
	// which is sound. See [Readable].
	Database string
	LeftOut  []store.Problem         // what the copy lacks
	Progress func(done, total int64) // rows written; total is 0. May be nil.
}

// Written says what a dump holds.
type Written struct {
	Rows    map[string]int64 // by table
	Files   int64
	LeftOut []store.Problem // what could not be read
}

// Write writes all of a home, which others may use meanwhile: the rows that memory is made
// of, its vectors, and the files of the home but for its settings, backups and git
// repositories.
func Write(ctx context.Context, o WriteOptions, to io.Writer) (Written, error) {
	if o.Database == "" {
		o.Database = local.Database(o.Home)
	}
	out := Written{Rows: make(map[string]int64), LeftOut: slices.Clone(o.LeftOut)}
	w := &lineWriter{w: bufio.NewWriterSize(to, 1<<16)}
	begin := func(schema int) error {
		return json.NewEncoder(w.w).Encode(header{Kind: kindHeader, Format: format, Version: Version, Schema: schema})
	}
	done := int64(0)
	err := salvage.Dump(ctx, o.Database, begin, func(r salvage.Row) error {
		out.Rows[r.Table]++
		if done++; o.Progress != nil && done%1000 == 0 {
			o.Progress(done, 0)
		}
		return w.row(r)
	})
	if err == nil {
		err = writeFiles(ctx, o.Home, w, &out)
	}
	if err == nil {
		err = w.value(kindEnd, end(out))
	}
	if err == nil {
		err = w.w.Flush()
	}
	return out, err
}

// isCarried reports whether a file or directory of a home, by its path in it, is part of a
// dump: not the database and its copies, the settings, which are those of a machine, the
// history of files, and what is of use to processes alone.
func isCarried(rel string) bool {
	top, _, _ := strings.Cut(rel, string(filepath.Separator))
	database := filepath.Base(local.Database(""))
	switch {
	case top == migration.BackupDir, rel == settings, rel == database:
		return false
	case strings.HasPrefix(top, database+"-"), strings.HasPrefix(top, database+"."), strings.HasPrefix(top, ".new-"), endpoint.Is(top):
		return false
	case slices.Contains(strings.Split(rel, string(filepath.Separator)), ".git"):
		return false
	}
	base := filepath.Base(rel)
	return !strings.HasPrefix(base, ".") || !strings.HasSuffix(base, ".tmp")
}

// settings is the file of the settings in a home.
const settings = "config.toml"

func writeFiles(ctx context.Context, home string, w *lineWriter, out *Written) error {
	return filepath.WalkDir(home, func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(home, name)
		if relErr != nil || rel == "." || errors.Is(err, fs.ErrNotExist) {
			return relErr
		}
		if d.IsDir() && !isCarried(rel) {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() {
			if !d.Type().IsRegular() || !isCarried(rel) {
				return nil
			}
			err = writeFile(name, filepath.ToSlash(rel), w)
		}
		var unread *unreadError
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
		case errors.As(err, &unread), err != nil && d.IsDir():
			out.LeftOut = append(out.LeftOut, store.Problem{Kind: "unread_file", Ref: filepath.ToSlash(rel),
				Detail: "the file or directory cannot be read: " + err.Error()})
		case err == nil && !d.IsDir():
			out.Files++
		default:
			return err
		}
		return nil
	})
}

// unreadError says that a file cannot be read, in distinction to what is written.
type unreadError struct{ err error }

func (e *unreadError) Error() string { return e.err.Error() }
func (e *unreadError) Unwrap() error { return e.err }

// writeFile writes the parts of a file.
func writeFile(name, rel string, w *lineWriter) error {
	f, err := os.Open(name)
	if err != nil {
		return &unreadError{err}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return &unreadError{err}
	}
	buf := make([]byte, partSize)
	for offset := int64(0); ; {
		n, err := io.ReadFull(f, buf)
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !last {
			return &unreadError{err}
		}
		part := filePart{Path: rel, Offset: offset, Data: buf[:n], Last: last}
		if last {
			part.Time = info.ModTime().UTC() // by it a file is known not to have changed
		}
		if err := w.value(kindFile, part); err != nil {
			return err
		}
		if last {
			return nil
		}
		offset += int64(n)
	}
}
