package ingest

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata/internal/ingest/transcript"
)

// File is a transcript in a directory.
type File struct {
	Path     string // relative to the directory
	Size     int64
	Modified time.Time
	// opencode is the opencode directory that the file belongs to; empty for other files.
	opencode string
}

// Files lists the files in a directory tree that may be transcripts, last modified last,
// so that what was said later replaces what was said before. It skips hidden directories,
// the files that agents keep beside their transcripts, and everything that cannot be
// read.
func Files(fsys fs.FS) ([]File, error) {
	var out []File
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			return fs.SkipDir
		case d.IsDir() && name != "." && passedOver(d.Name()):
			return fs.SkipDir
		case d.IsDir() && isOpencode(fsys, name):
			sessions, _ := fs.Glob(fsys, path.Join(name, "session/*/*.json"))
			for _, s := range sessions {
				out = appendFile(out, fsys, File{Path: s, Modified: changedAt(fsys, name, s), opencode: name})
			}
			return fs.SkipDir
		case d.Type().IsRegular() && !strings.HasPrefix(d.Name(), "."):
			out = appendFile(out, fsys, File{Path: name})
		}
		return nil
	})
	slices.SortFunc(out, func(a, b File) int {
		if c := a.Modified.Compare(b.Modified); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	return out, err
}

func passedOver(dir string) bool {
	return strings.HasPrefix(dir, ".") || dir == "node_modules" || dir == "tool-results"
}

// isOpencode reports whether a directory is one in which opencode stores sessions.
func isOpencode(fsys fs.FS, dir string) bool {
	for _, name := range []string{"session", "message", "part"} {
		if info, err := fs.Stat(fsys, path.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// appendFile appends a file with its size and time, unless the file no longer exists.
func appendFile(out []File, fsys fs.FS, f File) []File {
	info, err := fs.Stat(fsys, f.Path)
	if err != nil {
		return out
	}
	f.Size, f.Modified = info.Size(), later(f.Modified, info.ModTime())
	return append(out, f)
}

// changedAt returns when an opencode session was last extended. Each message is a file,
// and so is each part of a message; the parts of the last message may still be being
// written.
func changedAt(fsys fs.FS, dir, session string) time.Time {
	messages := path.Join(dir, "message", strings.TrimSuffix(path.Base(session), ".json"))
	at := modified(fsys, messages)
	if list, err := fs.ReadDir(fsys, messages); err == nil && len(list) > 0 {
		last := list[len(list)-1].Name()
		at = later(at, modified(fsys, path.Join(messages, last)))
		at = later(at, modified(fsys, path.Join(dir, "part", strings.TrimSuffix(last, ".json"))))
	}
	return at
}

// modified returns the modification time of a file, or the zero time if it does not
// exist.
func modified(fsys fs.FS, name string) time.Time {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Open opens a file found by [Files] in fsys.
func (f File) Open(fsys fs.FS) (io.ReadCloser, error) {
	if f.opencode == "" {
		return fsys.Open(f.Path)
	}
	root, err := fs.Sub(fsys, f.opencode)
	if err != nil {
		return nil, err
	}
	return transcript.Opencode(root, strings.TrimPrefix(strings.TrimPrefix(f.Path, f.opencode), "/")), nil
}
