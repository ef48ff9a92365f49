package backup

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/salvage"
	"github.com/strata-memory/strata/local"
)

// Salvaged is the result of a salvage.
type Salvaged struct {
	Made
	Home   string   // path of the new home
	Unread []string // files in the old home that could not be copied
}

// Salvage makes a new home, in a directory that is empty or does not exist, from all that
// can be read of a damaged home, which it only reads. It derives indexes again and checks
// the new home before giving it its name. Files are readable only by their owner.
// progress may be nil.
func Salvage(ctx context.Context, home, newHome string, progress func(done, total int64)) (out Salvaged, err error) {
	if home, newHome, err = emptyPlace(home, newHome); err != nil {
		return out, err
	}
	if progress == nil {
		progress = func(done, total int64) {}
	}
	out.Home = newHome
	err = makeHome(ctx, newHome, "", func(made string) error {
		saved, err := salvage.Save(ctx, local.Database(home), local.Database(made), false, func(done int64) { progress(done, 0) })
		if err != nil {
			return err
		}
		out.Rows, out.Restored, out.LeftOut = saved.Rows, saved.Restored, saved.Lost
		files, unread, err := copyFiles(ctx, home, made, func(string) bool { return false })
		if err != nil {
			return err
		}
		out.Files = int64(files)
		for _, m := range unread {
			out.Unread = append(out.Unread, m.path)
		}
		return out.complete(ctx, local.Database(made), progress)
	})
	return out, err
}

// emptyPlace returns the paths of a home and of the new one. It returns an error unless
// the new one is empty and outside the old one.
func emptyPlace(home, newHome string) (old, place string, err error) {
	const op = "salvage"
	if newHome == "" {
		return "", "", strata.Invalid(op, "no new home was given", "name a directory that does not exist yet")
	}
	if place, err = realHome(newHome); err != nil {
		return "", "", unavailable("the new home cannot be found", err)
	}
	if old, err = filepath.Abs(home); err != nil {
		return "", "", unavailable("the home cannot be found", err)
	}
	if rel, err := filepath.Rel(old, place); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", "", strata.Invalid(op, "the new home is inside the old one", "name a directory elsewhere")
	}
	entries, err := entriesOf(place)
	if err != nil {
		return "", "", unavailable("the new home cannot be read", err)
	}
	if len(entries) > 0 {
		return "", "", strata.Invalid(op, newHome+" is not empty", "name a directory that does not exist yet")
	}
	return old, place, nil
}
