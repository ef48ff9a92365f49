package dump

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/diskfault"
	"github.com/strata-memory/strata/internal/workdir"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite"
	"github.com/strata-memory/strata/store/sqlite/salvage"
)

// Readable is what can be read of the database of a damaged home, as a store of its own.
// It lies in the directory for temporary files, for its owner only. Close removes it.
type Readable struct {
	Store    store.Store
	Database string          // its file
	LeftOut  []store.Problem // what could not be read, or is not what was written

	work *workdir.Dir
}

// Sound reports whether all of the database of a home can be read and is what was
// written. A home that is still to be made is sound. progress may be nil.
func Sound(ctx context.Context, home string, progress func(done, total int64)) (bool, error) {
	sound, err := salvage.Sound(ctx, local.Database(home), progress)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return true, nil
	}
	return sound, err
}

// OpenReadable makes a store of what can be read of a home. The home is only read.
// progress, which may be nil, is called with the rows done.
func OpenReadable(ctx context.Context, home string, progress func(done, total int64)) (r *Readable, err error) {
	const prefix = "strata-export-"
	if err := workdir.Sweep(os.TempDir(), prefix); err != nil {
		return nil, noRoom(err)
	}
	work, err := workdir.New(os.TempDir(), prefix)
	if err != nil {
		return nil, noRoom(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, work.Remove())
		}
	}()
	if progress == nil {
		progress = func(done, total int64) {}
	}
	r = &Readable{Database: local.Database(work.Path), work: work}
	saved, err := salvage.Save(ctx, local.Database(home), r.Database, true, func(done int64) { progress(done, 0) })
	if err != nil {
		return nil, err
	}
	// What is derived is in no export.
	r.LeftOut = slices.DeleteFunc(saved.Lost, func(p store.Problem) bool { return p.Kind == "damaged_index" })
	if r.Store, err = sqlite.Open(ctx, r.Database, nil); err != nil {
		return nil, err
	}
	return r, nil
}

// Close removes the store.
func (r *Readable) Close() error { return errors.Join(r.Store.Close(), r.work.Remove()) }

func noRoom(err error) error {
	return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "export", Message: "there is no room for what can be read of the damaged home",
		Hint: "see that TMPDIR names a directory that can be written", Err: err}, "")
}
