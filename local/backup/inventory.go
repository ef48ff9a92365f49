package backup

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	sqlite "github.com/strata-memory/strata/store/sqlite/backup"
)

// A file of a few kilobytes can claim to hold anything. Reading it takes memory and disk in
// proportion to its own size.
const (
	// maxManifest is the size of the largest list of files, in bytes: some 1.5 million.
	maxManifest = 256 << 20
	// A list has a hash for each file, which cannot be compressed, and so is less than
	// manifestRatio times as large as the backup. A small one may be within manifestBase.
	manifestBase, manifestRatio = 4 << 20, 64
	// maxRatio is more than either compression can make of a byte: zstandard stores a
	// block of 128 KiB in 4 bytes at least.
	maxRatio = 1 << 16
	// maxSize is more bytes than a file has. Sizes below can be added up.
	maxSize = 1 << 42
)

// readManifest reads the list of files that a backup of a size begins with. It reports one
// that this program cannot restore, and one that no backup of the size has.
func readManifest(r *tar.Reader, size int64) (m Manifest, err error) {
	h, err := r.Next()
	if err != nil || h.Name != manifestName || h.Size > maxManifest {
		return m, foreign(err)
	}
	if h.Size > manifestBase+manifestRatio*size {
		return m, damaged("its list of files is larger than one of its size has", nil)
	}
	if m, err = decodeManifest(r); err != nil {
		return m, err
	}
	var total int64
	for _, e := range m.Entries {
		if total += e.Size; total > maxRatio*size {
			return m, damaged("it names more bytes than fit into it", nil)
		}
	}
	return m, nil
}

// decodeManifest reads a manifest entry by entry, and ends at the first that is none.
func decodeManifest(from io.Reader) (m Manifest, err error) {
	d := json.NewDecoder(from)
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return m, unlisted(err)
	}
	fields := map[string]any{
		"kind": &m.Kind, "format": &m.Format, "strata": &m.Strata, "time": &m.Time,
		"home": &m.Home, "database": &m.Database, "outside": &m.Outside,
	}
	list := make(inventory)
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return m, unlisted(err)
		}
		name, _ := key.(string)
		to := fields[name]
		switch {
		case name == "entries":
			if m.Entries, err = list.decode(d, m.Entries); err != nil {
				return m, err
			}
			continue
		case to == nil:
			to = new(json.RawMessage) // of a newer version, perhaps
		}
		if err := d.Decode(to); err != nil {
			return m, unlisted(err)
		}
	}
	if _, err := d.Token(); err != nil || m.Kind != kindName {
		return m, unlisted(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return m, unlisted(err)
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
	return m, list.complete()
}

// inventory is what a manifest names, by path.
type inventory map[string]kind

type kind byte

const (
	aFile kind = 1 + iota
	aDirectory
	aLink
)

func (e Entry) kind() kind {
	switch {
	case e.Dir:
		return aDirectory
	case e.Link != "":
		return aLink
	}
	return aFile
}

// decode reads a list of entries and adds them to others.
func (v inventory) decode(d *json.Decoder, list []Entry) ([]Entry, error) {
	switch t, err := d.Token(); {
	case err != nil:
		return nil, unlisted(err)
	case t == nil:
		return list, nil
	case t != json.Delim('['):
		return nil, foreign(nil)
	}
	for d.More() {
		var e Entry
		if err := d.Decode(&e); err != nil {
			return nil, unlisted(err)
		}
		if err := v.add(e); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	if _, err := d.Token(); err != nil {
		return nil, unlisted(err)
	}
	return list, nil
}

// unlisted is the error of a manifest that is none, or cannot be read.
func unlisted(err error) error {
	var syntax *json.SyntaxError
	var other *json.UnmarshalTypeError
	if err == nil || errors.As(err, &syntax) || errors.As(err, &other) || errors.Is(err, io.EOF) {
		return foreign(err)
	}
	return damaged("its list of files cannot be read", err)
}

// add reports a name that leads out of the home or through a link, stands twice, or comes
// before its directory, and a size that is none.
func (v inventory) add(e Entry) error {
	switch {
	case !fs.ValidPath(e.Path) || e.Path == "." || strings.ContainsAny(e.Path, "\\\x00"):
		return damaged("it names a file outside of the home: "+e.Path, nil)
	case v[e.Path] != 0:
		return damaged("it names "+e.Path+" twice", nil)
	case e.Size < 0 || e.Size > maxSize || e.Size > 0 && !e.isFile():
		return damaged("the size of "+e.Path+" is none", nil)
	case e.Path == databaseName && (!e.isFile() || e.SHA256 == ""):
		return damaged("it holds no database", nil)
	}
	// What lies below something comes after it.
	if dir := path.Dir(e.Path); dir != "." && v[dir] != aDirectory {
		return damaged(e.Path+" lies in no directory of the backup", nil)
	}
	v[e.Path] = e.kind()
	return nil
}

// complete reports a backup without a database.
func (v inventory) complete() error {
	if v[databaseName] != aFile {
		return damaged("it holds no database", nil)
	}
	return nil
}
