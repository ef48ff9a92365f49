package workspace

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/strata-memory/strata"
)

// MarkerPath is the path of a workspace's identity file, relative to its root.
const MarkerPath = ".strata/workspace.toml"

// maxSmallFile is the largest size in bytes of the files read here. Each holds a few
// lines; a larger file is something else.
const maxSmallFile = 64 << 10

// Marker is the content of a workspace's identity file. All fields except the last are
// required.
type Marker struct {
	ID        string    `toml:"workspace_id"` // a ULID in upper case
	CreatedAt time.Time `toml:"created_at"`
	// RealPath is the real path of the root when the marker was made. It distinguishes a
	// workspace that was moved from one that was copied.
	RealPath string `toml:"realpath_at_creation"`
	// Ingest is false if the file says "ingest = false": conversations that agents hold
	// in the project are not ingested.
	Ingest *bool `toml:"ingest,omitempty"`
}

// ParseMarker parses an identity file. An unknown or missing key is an error, because a
// guess could give one project the memory of another.
func ParseMarker(data []byte) (Marker, error) {
	var m Marker
	dec := toml.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return Marker{}, err
	}
	switch id, ok := parseID(m.ID); {
	case !ok || id != m.ID:
		return Marker{}, errors.New("workspace_id is not a ULID")
	case m.CreatedAt.IsZero():
		return Marker{}, errors.New("created_at is missing")
	case !filepath.IsAbs(m.RealPath):
		return Marker{}, errors.New("realpath_at_creation is not an absolute path")
	}
	return m, nil
}

// marked looks for a marker in one directory.
func (b bounds) marked(root string) (Found, error) {
	if b.strata != "" && realPath(filepath.Join(root, filepath.Dir(MarkerPath))) == b.strata {
		return Found{}, nil
	}
	m, ok, err := readMarker(root)
	if err != nil || !ok {
		return Found{}, err
	}
	if err := b.checkIdentity(root, m.ID, m.RealPath); err != nil {
		return Found{}, err
	}
	return Found{Root: root, ID: m.ID, Source: SourceMarker, NoIngest: m.optsOut()}, nil
}

// optsOut reports whether conversations held in the project are not ingested.
func (m Marker) optsOut() bool { return m.Ingest != nil && !*m.Ingest }

func readMarker(root string) (m Marker, ok bool, err error) {
	path := filepath.Join(root, filepath.FromSlash(MarkerPath))
	data, ok, err := readSmall(path)
	if err != nil || !ok {
		return Marker{}, false, err
	}
	m, err = ParseMarker(data)
	if err != nil {
		return Marker{}, false, &strata.Error{
			Code: strata.CodeCorrupt, Op: op, Message: path + " is damaged",
			Hint: "repair or restore " + path + "; removing it gives the project a new, empty memory", Err: err,
		}
	}
	return m, true, nil
}

// owns reports whether a directory has the marker of a workspace.
func owns(root, id string) bool {
	m, ok, err := readMarker(root)
	return err == nil && ok && m.ID == id
}

// readSmall reads a regular file. It returns false if the file does not exist.
func readSmall(path string) ([]byte, bool, error) {
	info, err := os.Stat(path)
	if isMissing(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, unreadable(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, false, corrupt(path, "is not a file", "remove it, or name the workspace with --workspace")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, false, unreadable(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSmallFile+1))
	switch {
	case err != nil:
		return nil, false, unreadable(path, err)
	case len(data) > maxSmallFile:
		return nil, false, corrupt(path, "is far too long", "restore it, or name the workspace with --workspace")
	}
	return data, true, nil
}

// isMissing reports whether an error says that nothing is at a path: no such file, or a
// file where the path needs a directory.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
