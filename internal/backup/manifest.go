package backup

import (
	"archive/tar"
	"encoding/json"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/salvage"
)

const (
	// Format is the version of the format of a backup. Manifests of version 1 listed all
	// entries with their hashes, which the seal makes needless.
	Format = 2

	manifestName = "manifest.json"
	homePrefix   = "home/"         // of entries, before the path inside of the home
	kindName     = "strata-backup" // tells a manifest from other JSON
)

// Manifest says what a backup holds.
type Manifest struct {
	Kind     string           `json:"kind"`   // "strata-backup"
	Format   int              `json:"format"` // version of the format
	Strata   string           `json:"strata"` // version of the program that wrote it
	Time     time.Time        `json:"time"`   // when it began, in UTC
	Home     string           `json:"home"`   // the directory that it is of
	Database salvage.Contents `json:"database"`
	Files    int              `json:"files"` // the database included
	Bytes    int64            `json:"bytes"` // of the files, before they are compressed
	// Outside are directories of workspaces that are not in the home: their files are
	// not in the backup.
	Outside []string `json:"outside,omitempty"`
}

// A file of a few kilobytes can claim to hold anything. Reading it takes memory and disk in
// proportion to its own size.
const (
	// maxManifest is the size of the largest manifest, in bytes.
	maxManifest = 256 << 20
	// A manifest of version 1 has a hash for each file, which cannot be compressed, and so
	// is less than manifestRatio times as large as the backup. A small one may be within
	// manifestBase.
	manifestBase, manifestRatio = 4 << 20, 64
	// maxRatio is more than either compression can make of a byte: zstandard stores a
	// block of 128 KiB in 4 bytes at least.
	maxRatio = 1 << 16
	// maxSize is more bytes than a file has. Sizes below can be added up.
	maxSize = 1 << 42
	// manyEntries is how many entries a small backup may have. One takes more than 16 bytes.
	manyEntries = 1 << 17
)

// readManifest reads what a backup of a size begins with. It reports one that this program
// cannot restore, and one that no backup of the size has.
func readManifest(r *tar.Reader, size int64) (m Manifest, err error) {
	h, err := r.Next()
	if err != nil || h.Name != manifestName || h.Size > maxManifest {
		return m, foreign(err)
	}
	if h.Size > manifestBase+manifestRatio*size {
		return m, damaged("its manifest is larger than one of its size has", nil)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return m, damaged("its manifest cannot be read", err)
	}
	return parseManifest(text)
}

func parseManifest(text []byte) (m Manifest, err error) {
	if err := json.Unmarshal(text, &m); err != nil || m.Kind != kindName {
		return m, foreign(err)
	}
	newest, err := salvage.Newest()
	if err != nil {
		return m, err
	}
	if m.Format > Format || m.Database.Schema > newest {
		return m, &strata.Error{Code: strata.CodeNewerVersion, Op: "read backup", Message: "the backup was written by a newer Strata",
			Hint: "install the newest strata"}
	}
	return m, nil
}

// entry is one file, directory or link of a backup.
type entry struct {
	path string // inside of the home, with slashes
	dir  bool
	link string // where a symbolic link leads
	size int64  // bytes of a file
	time time.Time
}

func (e entry) isFile() bool { return !e.dir && e.link == "" }

// inventory is what came of a backup of a size.
type inventory struct {
	size  int64
	total int64           // bytes of files
	isDir map[string]bool // by path; false for files and links
}

func newInventory(size int64) *inventory { return &inventory{size: size, isDir: make(map[string]bool)} }

// add returns the entry of a header. It reports a name that leads out of the home or
// through a link, stands twice, or comes before its directory, a size that is none, and
// more than a backup of the size holds.
func (v *inventory) add(h *tar.Header) (e entry, err error) {
	name, inHome := strings.CutPrefix(h.Name, homePrefix)
	e = entry{path: strings.TrimSuffix(name, "/"), size: h.Size, time: h.ModTime}
	switch h.Typeflag {
	case tar.TypeReg:
	case tar.TypeDir:
		e.dir = true
	case tar.TypeSymlink:
		e.link = h.Linkname
	default:
		inHome = false
	}
	_, twice := v.isDir[e.path]
	switch {
	case !inHome || !fs.ValidPath(e.path) || e.path == "." || strings.ContainsAny(e.path, "\\\x00") || h.Typeflag == tar.TypeSymlink && e.link == "":
		return e, damaged("it holds what is no file of a home: "+h.Name, nil)
	case twice:
		return e, damaged("it holds "+e.path+" twice", nil)
	case e.size < 0 || e.size > maxSize || e.size > 0 && !e.isFile():
		return e, damaged("the size of "+e.path+" is none", nil)
	case e.path == databaseName && !e.isFile():
		return e, damaged("it holds no database", nil)
	}
	// What lies below something comes after it.
	if dir := path.Dir(e.path); dir != "." && !v.isDir[dir] {
		return e, damaged(e.path+" lies in no directory of the backup", nil)
	}
	v.isDir[e.path] = e.dir
	if v.total += e.size; v.total > maxRatio*v.size || int64(len(v.isDir)) > manyEntries+v.size/16 {
		return e, damaged("it holds more than fits into it", nil)
	}
	return e, nil
}

// complete reports a backup without a database.
func (v *inventory) complete() error {
	if _, there := v.isDir[databaseName]; !there {
		return damaged("it holds no database", nil)
	}
	return nil
}

func foreign(err error) error {
	return &strata.Error{Code: strata.CodeInvalid, Op: "read backup", Message: "the file is no backup of Strata",
		Hint: "name a file that strata backup wrote", Err: err}
}

func damaged(message string, err error) error {
	return &strata.Error{Code: strata.CodeCorrupt, Op: "read backup", Message: "the backup is damaged: " + message,
		Hint: "take another backup; nothing was changed", Err: err}
}
