package history

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// checkedOut searches the other work trees of a repository for files that hold what blank
// removes. It only reads and follows no link out of them. A work tree that is gone holds
// nothing; one that cannot be read is reported, because it may.
func (r *repo) checkedOut(blank func(string, []byte) ([]byte, bool)) error {
	links, err := fs.Glob(r.git.FS(), "worktrees/*/gitdir")
	if err != nil {
		return err
	}
	var held []string
	for _, name := range links {
		link, err := r.git.ReadFile(name) // names the .git of the work tree
		if err != nil {
			return err
		}
		dir := filepath.Dir(strings.TrimSpace(string(link)))
		files, err := holders(dir, blank)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			files = append(files, dir)
		}
		held = append(held, files...)
	}
	if len(held) == 0 {
		return nil
	}
	slices.Sort(held)
	return &strata.Error{Code: strata.CodeConflict, Message: "the history in " + r.dir + " is rewritten, but another work tree of it still holds the text in " + strings.Join(held, ", "),
		Hint: "change or delete these files, or remove that work tree with git worktree remove"}
}

// holders returns the files below a directory that hold what blank removes.
func holders(dir string, blank func(string, []byte) ([]byte, bool)) (held []string, err error) {
	tree, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	err = fs.WalkDir(tree.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == gitName && d.IsDir():
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		content, err := tree.ReadFile(name)
		if err != nil {
			return err
		}
		if _, holds := blank(name, content); holds {
			held = append(held, filepath.Join(dir, filepath.FromSlash(name)))
		}
		return nil
	})
	return held, err
}
