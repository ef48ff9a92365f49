package backup

import (
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	sqlite "github.com/strata-memory/strata/store/sqlite/backup"
)

const (
	// Format is the version of the format of a backup.
	Format = 1

	manifestName = "manifest.json"
	homePrefix   = "home/"         // of entries, before the path inside of the home
	kindName     = "strata-backup" // tells a manifest from other JSON
	maxManifest  = 256 << 20       // bytes: some 1.5 million files
)

// Manifest says what a backup holds.
type Manifest struct {
	Kind     string          `json:"kind"`   // "strata-backup"
	Format   int             `json:"format"` // version of the format
	Strata   string          `json:"strata"` // version of the program that wrote it
	Time     time.Time       `json:"time"`   // when it began, in UTC
	Home     string          `json:"home"`   // the directory that it is of
	Database sqlite.Contents `json:"database"`
	// Outside are directories of workspaces that are not in the home: their files are
	// not in the backup.
	Outside []string `json:"outside,omitempty"`
	Entries []Entry  `json:"entries"`
}

// Entry is one file, directory or link of a home.
type Entry struct {
	Path   string    `json:"path"`             // inside of the home, with slashes
	Dir    bool      `json:"dir,omitempty"`    // a directory
	Link   string    `json:"link,omitempty"`   // where a symbolic link leads
	Size   int64     `json:"size,omitempty"`   // bytes of a file
	Time   time.Time `json:"time,omitzero"`    // of the last change of a file
	SHA256 string    `json:"sha256,omitempty"` // of a file, in hexadecimal
}

// Bytes is the size of all files of a backup before they are compressed.
func (m Manifest) Bytes() (n int64) {
	for _, e := range m.Entries {
		n += e.Size
	}
	return n
}

// Files is the number of its files, the database included.
func (m Manifest) Files() (n int) {
	for _, e := range m.Entries {
		if e.isFile() {
			n++
		}
	}
	return n
}

func (e Entry) isFile() bool { return !e.Dir && e.Link == "" }

// decodeManifest reads a manifest and reports one that this program cannot restore.
func decodeManifest(data []byte) (m Manifest, err error) {
	if err := json.Unmarshal(data, &m); err != nil || m.Kind != kindName {
		return m, foreign(err)
	}
	if m.Format > Format {
		return m, newer()
	}
	newest, err := sqlite.Newest()
	if err != nil {
		return m, err
	}
	if m.Database.Schema > newest {
		return m, newer()
	}
	return m, m.validate()
}

// validate reports names that lead out of the home, or through a link.
func (m Manifest) validate() error {
	kinds := make(map[string]Entry, len(m.Entries))
	for _, e := range m.Entries {
		_, twice := kinds[e.Path]
		switch {
		case !fs.ValidPath(e.Path) || e.Path == "." || strings.ContainsAny(e.Path, "\\\x00"):
			return damaged("it names a file outside of the home: "+e.Path, nil)
		case twice:
			return damaged("it names "+e.Path+" twice", nil)
		case e.Size < 0 || e.Size > 0 && !e.isFile():
			return damaged("the size of "+e.Path+" is none", nil)
		}
		// What lies below something comes after it.
		if dir := path.Dir(e.Path); dir != "." && !kinds[dir].Dir {
			return damaged(e.Path+" lies in no directory of the backup", nil)
		}
		kinds[e.Path] = e
	}
	if !kinds[databaseName].isFile() || kinds[databaseName].SHA256 == "" {
		return damaged("it holds no database", nil)
	}
	return nil
}

func foreign(err error) error {
	return &strata.Error{Code: strata.CodeInvalid, Op: "read backup", Message: "the file is no backup of Strata",
		Hint: "name a file that strata backup wrote", Err: err}
}

func newer() error {
	return &strata.Error{Code: strata.CodeNewerVersion, Op: "read backup", Message: "the backup was written by a newer Strata",
		Hint: "install the newest strata"}
}

func damaged(message string, err error) error {
	return &strata.Error{Code: strata.CodeCorrupt, Op: "read backup", Message: "the backup is damaged: " + message,
		Hint: "take another backup; nothing was changed", Err: err}
}
