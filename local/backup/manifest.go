package backup

import (
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

// validate reports what no backup holds: see [inventory.add].
func (m Manifest) validate() error {
	list := make(inventory, len(m.Entries))
	for _, e := range m.Entries {
		if err := list.add(e); err != nil {
			return err
		}
	}
	return list.complete()
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
