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
	// Key is what the home put into the .strata there, by which the workspace is known
	// where it was moved to; empty until one is written.
	Key string `toml:"key,omitempty"`
}

const pointerName = "root.toml"

func pointerDir(id string) string { return filepath.Join("workspaces", fileName(id)) }

// readPointer returns what the home remembers of a workspace; the zero pointer if it knows
// none.
func readPointer(home, id string) (pointer, error) {
	if home == "" {
		return pointer{}, nil
	}
	path := filepath.Join(home, pointerDir(id), pointerName)
	data, ok, err := readSmall(path)
	if err != nil || !ok {
		return pointer{}, err
	}
	var p pointer
	dec := toml.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil || !filepath.IsAbs(p.Root) {
		return pointer{}, corrupt(path, "does not name a directory", "open the workspace once in its own directory; that writes it anew")
	}
	return p, nil
}

// lastRoot returns the directory in which a workspace was last; empty if the home does
// not know.
func lastRoot(home, id string) string {
	p, _ := readPointer(home, id)
	return p.Root
}

// IsKnown reports whether the home keeps files of a workspace, or knows where
// they are.
func IsKnown(home, id string) bool {
	_, err := os.Stat(filepath.Join(home, pointerDir(id)))
	return err == nil
}

// writePointer remembers where a workspace is, and gives the directory the key by which it
// is known again. Where the directory cannot be written, its path has to do.
func writePointer(home, id, root string) error {
	root = realPath(root)
	was, err := readPointer(home, id)
	if err == nil && was.Root == root && holdsKey(root, was.Key) {
		return nil
	}
	is := pointer{Root: root, Key: was.Key}
	if is.Key == "" {
		is.Key = newKey()
	}
	base, err := os.OpenRoot(home)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a home that is not there has nothing to remember
	}
	if err != nil {
		return err
	}
	defer base.Close()
	// The key first: what the home records without it would have to be asked about.
	if putKey(root, is.Key) != nil {
		is.Key = was.Key
	}
	if is == was {
		return nil
	}
	data, err := toml.Marshal(is)
	if err != nil {
		return err
	}
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
