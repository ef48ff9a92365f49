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

// A marker says which workspace a directory is, and anybody can copy one: it comes with
// archives and clones. So a home puts a key of its own beside it, which does not: it is
// outside of version control. A directory that is moved takes its key along, and the home
// knows it by that. Several homes may have a key in one directory.

// keyDir is the directory of the keys of homes, below .strata. Documents never lie in one
// whose name begins with a dot.
const keyDir = ".keys"

// newKey returns a random key.
func newKey() string { return rand.Text() + rand.Text() } // 52 letters of 5 bits each

// keyName is the name of the file with a key, which tells nothing of the key.
func keyName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}

// holdsKey reports whether a directory has the key itself: not one that a link leads to,
// which may come with an archive as well.
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

// putKey writes the key of a home into the .strata of a directory. The directory of the
// keys is kept out of every repository, also where one brought such a directory along.
func putKey(root, key string) error {
	if holdsKey(root, key) {
		return nil
	}
	project, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer project.Close()
	// One that is a link has no key: it would be that of every directory with such a link.
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
