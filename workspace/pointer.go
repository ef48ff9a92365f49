package workspace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
)

// pointer is what the home remembers of a workspace that has a .strata of its
// own: <home>/workspaces/<id>/root.toml. With it the workspace's files are
// found from everywhere, from other worktrees of its repository too; and when
// they cannot be found they are known to be elsewhere, and not to be deleted.
type pointer struct {
	Root string `toml:"workspace_root"`
}

const pointerName = "root.toml"

func pointerDir(id string) string { return filepath.Join("workspaces", fileName(id)) }

// readPointer returns the directory in which a workspace was last; empty if the
// home knows none.
func readPointer(home, id string) (string, error) {
	if home == "" {
		return "", nil
	}
	path := filepath.Join(home, pointerDir(id), pointerName)
	data, ok, err := readSmall(path)
	if err != nil || !ok {
		return "", err
	}
	var p pointer
	dec := toml.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil || !filepath.IsAbs(p.Root) {
		return "", corrupt(path, "does not name a directory", "open the workspace once in its own directory; that writes it anew")
	}
	return p.Root, nil
}

// IsKnown reports whether the home keeps files of a workspace, or knows where
// they are.
func IsKnown(home, id string) bool {
	_, err := os.Stat(filepath.Join(home, pointerDir(id)))
	return err == nil
}

// writePointer remembers where a workspace is, if the home does not know it yet.
func writePointer(home, id, root string) error {
	root = realPath(root)
	if was, err := readPointer(home, id); err == nil && was == root {
		return nil
	}
	data, err := toml.Marshal(pointer{Root: root})
	if err != nil {
		return err
	}
	base, err := os.OpenRoot(home)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a home that is not there has nothing to remember
	}
	if err != nil {
		return err
	}
	defer base.Close()
	if err := makePrivate(base, pointerDir(id)); err != nil {
		return err
	}
	dir, err := base.OpenRoot(pointerDir(id))
	if err != nil {
		return err
	}
	d := &directory{dir}
	defer d.Close()
	return d.replace(pointerName, data)
}
