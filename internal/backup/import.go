package backup

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/backup/transfer"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/internal/sqlite/salvage"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
)

// ImportOptions control the import of a full export.
type ImportOptions struct {
	// Home must not exist, or contain nothing but settings and a database without rows.
	Home     string
	DryRun   bool                    // read the export through and change nothing
	Progress func(done, total int64) // in lines, then passages; total may be 0; may be nil
}

// Made describes a home made from a full export or from what can be read of a damaged
// home.
type Made struct {
	Rows     map[string]int64 // by table
	Restored int64            // rows reconstructed from what others say about them
	Files    int64
	Passages int64 // passages indexed
	// LeftOut lists what could not be read or imported. Of lines, which are identified by
	// their numbers, it lists the first 100.
	LeftOut  []store.Problem
	Problems []store.Problem // problems that a check of the new home found
}

// Import makes a home from a full export. It builds the home in a directory beside and
// renames it once the home is indexed and checked. Damaged lines are left out and
// reported. Import returns [strata.CodeConflict] if there is a home already, and
// [strata.CodeNewerVersion] for an export of a newer version.
func Import(ctx context.Context, o ImportOptions, from io.Reader) (out Made, err error) {
	home, err := realHome(o.Home)
	if err != nil {
		return out, unavailable("the home cannot be found", err)
	}
	there, err := wantEmpty(ctx, home)
	if err != nil {
		return out, err
	}
	r, err := transfer.NewReader(from)
	if err != nil {
		return out, err
	}
	r.Progress = o.Progress
	in := &incoming{}
	r.File = in.part
	if o.DryRun {
		out.Rows = make(map[string]int64)
		for err == nil {
			var row store.Row
			if row, err = r.Next(); err == nil {
				out.Rows[row.Table]++
				err = ctx.Err()
			}
		}
		if !errors.Is(err, io.EOF) {
			return out, err
		}
		out.finish(r, in)
		return out, nil
	}
	aside := ""
	if there {
		aside = removed
	}
	return out, makeHome(ctx, home, aside, func(made string) (err error) {
		if in.root, err = os.OpenRoot(made); err != nil {
			return err
		}
		saved, err := salvage.Load(ctx, local.Database(made), r.Schema, func() (store.Row, error) {
			row, err := r.Next()
			if err == nil {
				err = ctx.Err()
			}
			return row, err
		}, r.Refuse)
		if err = errors.Join(err, in.drop(), in.root.Close()); err != nil {
			return err
		}
		out.Rows = maps.Clone(saved.Rows)
		out.finish(r, in)
		out.Restored, out.LeftOut = saved.Restored, append(out.LeftOut, saved.Lost...)
		if err := out.complete(ctx, local.Database(made), o.Progress); err != nil || !there {
			return err
		}
		if _, err := wantEmpty(ctx, home); err != nil { // it took a while
			return err
		}
		_, err = keepOwn(ctx, home, made, nil) // its settings
		return err
	})
}

// finish records what is missing from an export that was read.
func (m *Made) finish(r *transfer.Reader, in *incoming) {
	m.Files = in.files
	wrong, unread := r.LeftOut(m.Rows, in.files)
	m.LeftOut = append(wrong, unread...)
}

// wantEmpty returns [strata.CodeConflict] if a home contains anything but settings and a
// database without rows. there reports whether the directory has any entries.
func wantEmpty(ctx context.Context, home string) (there bool, err error) {
	entries, err := entriesOf(home)
	if err != nil {
		return false, unavailable("the home cannot be read", err)
	}
	for _, e := range entries {
		switch {
		case e.Name() == settingsName, e.Name() == databaseName+"-lock":
		case e.Name() == databaseName && holdsNothing(ctx, local.Database(home)):
		default:
			return true, &strata.Error{Code: strata.CodeConflict, Op: "import", Message: home + " already holds a memory, and two memories are not merged",
				Hint: "name another --home, which will be created; an export without --full can be added to a memory"}
		}
	}
	return len(entries) > 0, nil
}

// holdsNothing reports whether a database is sound and has no rows of memory. No process
// may have it open.
func holdsNothing(ctx context.Context, path string) bool {
	held, err := salvage.InspectCopy(ctx, path)
	for _, n := range held.Rows {
		if n > 0 {
			return false
		}
	}
	return err == nil
}

// complete indexes and checks a new database. It needs no model, since it keeps the
// stored vectors. Files are not read until the home is opened. progress may be nil.
func (m *Made) complete(ctx context.Context, path string, progress func(done, total int64)) error {
	err := withEngine(ctx, path, func(mem *engine.Engine) error {
		indexed, err := mem.Reindex(ctx, nil, progress)
		m.Passages = indexed.Passages
		return err
	})
	if err != nil {
		return err
	}
	if err := salvage.KeepVectors(ctx, path); err != nil {
		return err
	}
	return withEngine(ctx, path, func(mem *engine.Engine) error {
		report, err := mem.Doctor(ctx, nil)
		m.Problems = report.Problems
		return err
	})
}

// withEngine calls fn with an engine that has neither an embedder nor files.
func withEngine(ctx context.Context, path string, fn func(*engine.Engine) error) error {
	st, err := sqlite.Open(ctx, path, nil)
	if err != nil {
		return err
	}
	mem, err := engine.Open(ctx, st, nil)
	if err != nil {
		return err
	}
	return errors.Join(fn(mem), mem.Close())
}

// incoming writes the files of an export.
type incoming struct {
	root  *os.Root // of the new home; nil in a dry run
	files int64    // number of complete files

	path string   // current file; empty between files
	to   *os.File // nil in a dry run
	size int64
}

// part adds a part of a file. The parts of a file are consecutive.
func (in *incoming) part(p transfer.FilePart) error {
	if p.Offset == 0 {
		if err := errors.Join(in.drop(), in.begin(p.Path)); err != nil {
			return err
		}
	}
	if in.path != p.Path || in.size != p.Offset {
		return errors.Join(errors.New("an earlier part is missing of "+p.Path), in.drop())
	}
	in.size += int64(len(p.Data))
	if in.to != nil {
		if _, err := in.to.Write(p.Data); err != nil {
			return &transfer.WriteError{Err: err}
		}
	}
	if !p.Last {
		return nil
	}
	to := in.to
	in.path, in.to = "", nil
	in.files++
	if to == nil {
		return nil
	}
	if err := errors.Join(to.Close(), in.root.Chtimes(filepath.FromSlash(p.Path), p.Time, p.Time)); err != nil {
		return &transfer.WriteError{Err: err}
	}
	return nil
}

// begin creates a file, after checking that its path is one that an export may contain.
func (in *incoming) begin(path string) error {
	name := filepath.FromSlash(path)
	if !filepath.IsLocal(name) || name != filepath.Clean(name) || name == "." || !isOfExport(name) {
		return errors.New("it is not a file of a home: " + path)
	}
	in.path, in.size = path, 0
	if in.root == nil {
		return nil
	}
	err := in.root.MkdirAll(filepath.Dir(name), 0o700)
	if err == nil {
		in.to, err = in.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err == nil {
		return nil
	}
	in.path = ""
	if errors.Is(err, fs.ErrExist) {
		return errors.New("a file appears twice: " + path)
	}
	return &transfer.WriteError{Err: err}
}

// isOfExport reports whether an export may contain a file with the given path in a home.
func isOfExport(name string) bool {
	parts := strings.Split(name, string(filepath.Separator))
	for i := range parts {
		if !isExported(filepath.Join(parts[:i+1]...)) {
			return false
		}
	}
	return !isOfProcess(parts[0])
}

// drop removes the current file, parts of which are missing.
func (in *incoming) drop() error {
	path, to := in.path, in.to
	if in.path, in.to = "", nil; path == "" || to == nil {
		return nil
	}
	if err := errors.Join(to.Close(), in.root.Remove(filepath.FromSlash(path))); err != nil {
		return &transfer.WriteError{Err: err}
	}
	return nil
}
