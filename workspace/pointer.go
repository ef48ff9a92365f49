package workspace

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
)

// pointer is what the home remembers of a workspace that has a .strata of its own:
// <home>/workspaces/<id>/root.toml. With it the workspace's files are found from
// everywhere, also from other worktrees of its repository. If they cannot be found, the
// home knows that they are elsewhere and not deleted.
type pointer struct {
	Root string `toml:"workspace_root"`
	// Key is the key that the home put into the .strata, by which it recognizes the
	// workspace after a move; empty until a key is written.
	Key string `toml:"key,omitempty"`
}

const pointerName = "root.toml"

func pointerDir(id string) string { return filepath.Join("workspaces", fileName(id)) }

// readPointer returns what the home remembers of a workspace; the zero pointer if it
// remembers nothing.
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
		return pointer{}, corrupt(path, "does not name a directory", "open the workspace once in its own directory; that rewrites it")
	}
	return p, nil
}

// lastRoot returns the directory in which a workspace was last seen; empty if the home
// does not know.
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

// writePointer records where a workspace is and puts the home's key into it. If the
// directory is not writable, the home can recognize the workspace only by its path.
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
		return nil // a home that does not exist remembers nothing
	}
	if err != nil {
		return err
	}
	defer base.Close()
	// Write the key first: a recorded key that the directory lacks would make the
	// workspace disputed.
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
