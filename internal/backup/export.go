package backup

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/backup/transfer"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/internal/sqlite/salvage"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
)

// Sound reports whether the entire database of a home can be read and is as it was
// written. A home that does not exist is sound. progress may be nil.
func Sound(ctx context.Context, home string, progress func(done, total int64)) (bool, error) {
	sound, err := salvage.Sound(ctx, local.Database(home), progress)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return true, nil
	}
	return sound, err
}

// ExportFull exports a home, which may be in use meanwhile: the rows of memory, its
// vectors, and the files of the home except for its settings, backups and git
// repositories. The database must be [Sound]. ExportFull calls progress, which may be
// nil, with the number of lines done.
func ExportFull(ctx context.Context, home string, to io.Writer, progress func(done, total int64)) (transfer.Exported, error) {
	return exportFull(ctx, home, local.Database(home), nil, to, progress)
}

// ExportDamaged exports what can be read of a home whose database is not sound, and
// reports the rest. If full is false, it exports only the scopes that scopes returns for
// a store of the readable part. ExportDamaged calls progress, which may be nil, as it goes.
func ExportDamaged(ctx context.Context, home string, full bool, scopes func(store.Store) ([]strata.Scope, error), to io.Writer,
	progress func(done, total int64)) (out transfer.Exported, err error) {
	var saved salvage.Saved
	readable, err := sqlite.OpenTemporary(ctx, func(path string) error {
		saved, err = salvage.Save(ctx, local.Database(home), path, true, func(done int64) {
			if progress != nil {
				progress(done, 0)
			}
		})
		return err
	})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, readable.Close()) }()
	// Indexes are derived, so no export contains them.
	leftOut := slices.DeleteFunc(saved.Lost, func(p store.Problem) bool { return p.Kind == "damaged_index" })
	if full {
		return exportFull(ctx, home, readable.Path, leftOut, to, progress)
	}
	named, err := scopes(readable)
	if err != nil {
		return out, err
	}
	return transfer.Export(ctx, readable, named, leftOut, to)
}

func exportFull(ctx context.Context, home, database string, leftOut []store.Problem, to io.Writer, progress func(done, total int64)) (transfer.Exported, error) {
	w := transfer.NewWriter(to, progress)
	w.Out.LeftOut = slices.Clone(leftOut)
	err := salvage.Rows(ctx, database, store.RowOptions{Whole: true}, func(schema int) error { return w.Begin(schema, true) }, w.Row)
	if err == nil {
		err = exportFiles(ctx, home, w)
	}
	if err == nil {
		err = w.End()
	}
	return w.Out, err
}

// isExported reports whether a full export contains the file or directory with the given
// path in a home. Settings, which belong to a machine, backups and git repositories are
// left out.
func isExported(rel string) bool {
	base := path.Base(filepath.ToSlash(rel))
	switch {
	case rel == settingsName, isOwnBackups(rel), base == ".git":
		return false
	}
	return !strings.HasPrefix(base, ".") || !strings.HasSuffix(base, ".tmp")
}

func exportFiles(ctx context.Context, home string, w *transfer.Writer) error {
	list, err := members(ctx, home, func(rel string) bool { return !isExported(rel) })
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b member) int { return strings.Compare(a.path, b.path) })
	for _, m := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if m.err == nil && m.Type().IsRegular() && isExported(m.path) {
			err = exportFile(filepath.Join(home, m.path), filepath.ToSlash(m.path), w)
		}
		var unread *transfer.UnreadError
		if errors.As(err, &unread) {
			m.err, err = unread, nil
		}
		if err != nil {
			return err
		}
		if m.err != nil && !errors.Is(m.err, fs.ErrNotExist) {
			w.Out.LeftOut = append(w.Out.LeftOut, store.Problem{Kind: "unread_file", Ref: filepath.ToSlash(m.path),
				Detail: "the file or directory cannot be read: " + m.err.Error()})
		}
	}
	return nil
}

// exportFile writes a file in parts.
func exportFile(name, rel string, w *transfer.Writer) error {
	f, err := os.Open(name)
	if err != nil {
		return &transfer.UnreadError{Err: err}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return &transfer.UnreadError{Err: err}
	}
	return w.File(rel, f, info.ModTime())
}
