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
	// Format is the version of the backup format. Manifests of version 1 listed all
	// entries with their hashes, which the seal makes unnecessary.
	Format = 2

	manifestName = "manifest.json"
	homePrefix   = "home/"         // prefix of the entries of a home
	kindName     = "strata-backup" // distinguishes a manifest from other JSON
)

// Manifest describes the content of a backup.
type Manifest struct {
	Kind     string           `json:"kind"`   // "strata-backup"
	Format   int              `json:"format"` // version of the format
	Strata   string           `json:"strata"` // version of the program that wrote it
	Time     time.Time        `json:"time"`   // when it began, in UTC
	Home     string           `json:"home"`   // directory that was backed up
	Database salvage.Contents `json:"database"`
	Files    int              `json:"files"` // the database included
	Bytes    int64            `json:"bytes"` // of the files, before they are compressed
	// Outside lists directories of workspaces outside the home. The backup does not
	// contain their files.
	Outside []string `json:"outside,omitempty"`
}

// Limits that make reading a file take memory and disk in proportion to its own size. A
// file of a few kilobytes can claim to contain anything.
const (
	// maxManifest is the maximum size of a manifest in bytes.
	maxManifest = 256 << 20
	// A manifest of version 1 contains an incompressible hash for each file, and is thus
	// less than manifestRatio times as large as the backup. Up to manifestBase it may be
	// larger.
	manifestBase, manifestRatio = 4 << 20, 64
	// maxRatio is a bound on the compression ratio: zstandard stores a block of 128 KiB
	// in no less than 4 bytes.
	maxRatio = 1 << 16
	// maxSize is larger than any real file, and small enough that sizes can be added up.
	maxSize = 1 << 42
	// manyEntries is the number of entries that even a small backup may have. In a larger
	// one, each takes more than 16 bytes.
	manyEntries = 1 << 17
)

// readManifest reads the manifest of a backup of the given size. It returns an error if
// the manifest is too large for that size, or if this program cannot restore the backup.
func readManifest(r *tar.Reader, size int64) (m Manifest, err error) {
	h, err := r.Next()
	if err != nil || h.Name != manifestName || h.Size > maxManifest {
		return m, foreign(err)
	}
	if h.Size > manifestBase+manifestRatio*size {
		return m, damaged("its manifest is too large for its size", nil)
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
			Hint: "install the newest version of strata"}
	}
	return m, nil
}

// entry is one file, directory or link of a backup.
type entry struct {
	path string // inside of the home, with slashes
	dir  bool
	link string // target of a symbolic link
	size int64  // bytes of a file
	time time.Time
}

func (e entry) isFile() bool { return !e.dir && e.link == "" }

// inventory holds what has been read of a backup.
type inventory struct {
	size  int64
	total int64           // bytes of files
	isDir map[string]bool // by path; false for files and links
}

func newInventory(size int64) *inventory { return &inventory{size: size, isDir: make(map[string]bool)} }

// add returns the entry of a header. It returns an error for a name that is invalid,
// leads out of the home or through a link, occurs twice, or precedes its directory, for
// an invalid size, and for more content than a backup of this size can have.
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
		return e, damaged("it holds something that is not a file of a home: "+h.Name, nil)
	case twice:
		return e, damaged("it holds "+e.path+" twice", nil)
	case e.size < 0 || e.size > maxSize || e.size > 0 && !e.isFile():
		return e, damaged("the size of "+e.path+" is not valid", nil)
	case e.path == databaseName && !e.isFile():
		return e, damaged("it holds no database", nil)
	}
	// A directory precedes what it contains.
	if dir := path.Dir(e.path); dir != "." && !v.isDir[dir] {
		return e, damaged(e.path+" is in no directory of the backup", nil)
	}
	v.isDir[e.path] = e.dir
	if v.total += e.size; v.total > maxRatio*v.size || int64(len(v.isDir)) > manyEntries+v.size/16 {
		return e, damaged("it claims to hold more than fits into it", nil)
	}
	return e, nil
}

// complete returns an error if the backup contains no database.
func (v *inventory) complete() error {
	if _, there := v.isDir[databaseName]; !there {
		return damaged("it holds no database", nil)
	}
	return nil
}

func foreign(err error) error {
	return &strata.Error{Code: strata.CodeInvalid, Op: "read backup", Message: "the file is not a Strata backup",
		Hint: "name a file that strata backup wrote", Err: err}
}

func damaged(message string, err error) error {
	return &strata.Error{Code: strata.CodeCorrupt, Op: "read backup", Message: "the backup is damaged: " + message,
		Hint: "take another backup; nothing was changed", Err: err}
}
