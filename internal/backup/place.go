package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/durable"
	"github.com/strata-memory/strata/internal/base/workdir"
)

// removed is a value of aside that means the old home is deleted.
const removed = "."

// makeHome makes a home: fill writes it to a directory beside, which is then renamed. An
// existing home is moved to aside; it must be empty if aside is "". makeHome also removes
// what a killed process left of a home it was making.
func makeHome(ctx context.Context, home, aside string, fill func(made string) error) (err error) {
	parent, prefix := workdir.OfRestore(home)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return unavailable("the home cannot be made", err)
	}
	if err := workdir.Sweep(parent, prefix); err != nil {
		return unavailable("leftovers of an earlier restore cannot be removed", err)
	}
	work, err := workdir.New(parent, prefix)
	if err != nil {
		return unavailable("the home cannot be made", err)
	}
	defer func() { err = errors.Join(err, work.Remove()) }()
	made := filepath.Join(work.Path, "home")
	if err = os.Mkdir(made, 0o700); err == nil {
		err = fill(made)
	}
	if err == nil {
		err = free(home) // it took a while
	}
	if err == nil {
		err = durable.Tree(made)
	}
	if err == nil {
		err = ctx.Err()
	}
	if aside == removed {
		aside = filepath.Join(work.Path, "old")
	}
	if err == nil {
		err = put(made, home, aside)
	}
	return unavailable("the home cannot be made", err)
}

// free returns [strata.CodeBusy] if another process has a home open.
func free(home string) error {
	if !inUse(filepath.Join(home, databaseName)) {
		return nil
	}
	return &strata.Error{Code: strata.CodeBusy, Op: "restore", Message: "another process has the home open",
		Hint: "stop it (an agent, strata chat, mcp or watch), then try again"}
}

// realHome returns the absolute path of a home with symbolic links resolved.
func realHome(home string) (string, error) {
	home, err := filepath.Abs(home)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(home)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if to, err := os.Readlink(home); err == nil {
		return "", strata.Invalid("restore", home+" is a link to "+to+", which does not exist",
			"create the directory that it leads to (is a disk not mounted?), or remove the link")
	}
	return home, nil
}

// entriesOf lists the entries of a home, or none if it does not exist.
func entriesOf(home string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(home)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}

// put renames a finished home. An existing home is moved to aside in the same step, so
// that a kill leaves one of the two in place: the new home is renamed to aside first, and
// then the two names are exchanged.
func put(made, home, aside string) error {
	if aside == "" {
		if err := os.Remove(home); err != nil && !errors.Is(err, fs.ErrNotExist) { // an empty one
			return err
		}
		if err := os.Rename(made, home); err != nil {
			return err
		}
		return durable.Directory(filepath.Dir(home))
	}
	if err := os.Rename(made, aside); err != nil {
		return err
	}
	err := exchange(aside, home)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		// Fall back to two steps. After a kill in between, the old home is at aside.
		if err = os.Rename(aside, made); err == nil {
			err = replace(made, home, aside)
		}
	} else if err != nil {
		err = errors.Join(err, os.Rename(aside, made))
	}
	if err != nil {
		return err
	}
	return durable.Directory(filepath.Dir(home))
}

// replace does the same as put on systems that cannot exchange names.
func replace(made, home, aside string) error {
	if err := os.Rename(home, aside); err != nil {
		return err
	}
	if err := os.Rename(made, home); err != nil {
		return errors.Join(err, os.Rename(aside, home))
	}
	return nil
}
