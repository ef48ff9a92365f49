package workspace

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Anybody can copy the marker that says which workspace a directory is: it comes with
// archives and clones. So a home puts a key of its own next to the marker, outside
// version control. A directory that is moved takes its key along, and the home recognizes
// it by the key. Several homes may have a key in one directory.

// keyDir is the directory for the keys of homes, below .strata. Documents are never in a
// directory whose name begins with a dot.
const keyDir = ".keys"

// newKey returns a random key.
func newKey() string { return rand.Text() + rand.Text() } // 52 letters of 5 bits each

// keyName returns the name of the file for a key, which reveals nothing of the key.
func keyName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}

// holdsKey reports whether the directory itself holds the key. It follows no links,
// because a link may come with an archive as well.
func holdsKey(root, key string) bool {
	if key == "" {
		return false
	}
	project, err := os.OpenRoot(root)
	if err != nil {
		return false
	}
	defer project.Close()
	dir := filepath.Join(markerDir, keyDir)
	if checkDirs(project, dir, op) != nil {
		return false
	}
	f, info, err := openFile(project, filepath.Join(dir, keyName(key)), op)
	if err != nil {
		return false
	}
	defer f.Close()
	got := make([]byte, len(key))
	if _, err := f.ReadAt(got, 0); err != nil || info.Size() != int64(len(key)) {
		return false
	}
	return subtle.ConstantTimeCompare(got, []byte(key)) == 1
}

// putKey writes the key of a home into the .strata of a directory. It keeps the key
// directory out of every repository, even if the directory came with one.
func putKey(root, key string) error {
	if holdsKey(root, key) {
		return nil
	}
	project, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer project.Close()
	// A .strata that is a link gets no key, because every directory with such a link
	// would share it.
	if err := checkDirs(project, markerDir, op); err != nil {
		return err
	}
	dir := filepath.Join(markerDir, keyDir)
	if err := checkDirs(project, dir, op); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makePrivate(project, dir); err != nil {
		return err
	}
	at, err := project.OpenRoot(dir)
	if err != nil {
		return err
	}
	d := &directory{at}
	defer d.Close()
	if had, err := d.ReadFile(".gitignore"); err != nil || string(had) != ignoreAll {
		if err := d.replace(".gitignore", []byte(ignoreAll)); err != nil {
			return err
		}
	}
	return d.replace(keyName(key), []byte(key))
}
