package workspace

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// load reads a document by its name. The error says fs.ErrNotExist if there is
// none.
func (t *Tree) load(o *opened, doc, name string) (files.File, error) {
	if err := checkDirs(o.root, filepath.Dir(name), o.op); err != nil {
		return files.File{}, err
	}
	info, err := o.root.Lstat(name)
	if err != nil {
		return files.File{}, err
	}
	if err := checkCase(o.root, name, info, o.op); err != nil {
		return files.File{}, err
	}
	return t.loadListed(o, doc, name)
}

// loadListed reads a document whose name is on the disk's own list, so that it
// is known to be spelled right and to lie below no link.
func (t *Tree) loadListed(o *opened, doc, name string) (files.File, error) {
	now := t.now()
	f, info, err := openFile(o.root, name, o.op)
	if err != nil {
		return files.File{}, err
	}
	defer f.Close()
	// A byte more than there may be is enough to know.
	content := make([]byte, 0, min(info.Size(), strata.MaxDocumentBytes)+bytes.MinRead)
	buf := bytes.NewBuffer(content)
	if _, err := buf.ReadFrom(io.LimitReader(f, strata.MaxDocumentBytes+1)); err != nil {
		return files.File{}, err
	}
	content = buf.Bytes()
	if err := files.CheckContent(doc, content); err != nil {
		return files.File{}, err
	}
	return files.File{Path: doc, Content: content, Stat: statOf(content, info, now)}, nil
}

// unsure is how long after its last change a file may change again without
// getting another time: the coarsest that file systems in use keep is 2 seconds
// (FAT).
const unsure = 2 * time.Second

// statOf describes a file that was read now. Its time is kept to the
// microsecond, as the database keeps times. That of a file which may change once
// more without showing it is kept a microsecond early, so that it fits no file
// and the next scan reads it again.
func statOf(content []byte, info fs.FileInfo, now time.Time) files.Stat {
	at := timeOf(info)
	if mayChange(at, now) {
		at = at.Add(-time.Microsecond)
	}
	return files.Stat{Hash: files.Hash(content), Size: int64(len(content)), ModifiedAt: at}
}

func timeOf(info fs.FileInfo) time.Time {
	return info.ModTime().UTC().Truncate(time.Microsecond)
}

func mayChange(at, now time.Time) bool { return at.After(now.Add(-unsure)) }

// checkCase returns a conflict unless a file has its name in just this case. Some disks
// find a file by a name in other letters, and MEMORY.md is not memory.md.
func checkCase(root *os.Root, name string, info fs.FileInfo, op string) error {
	for at := name; at != "."; at = filepath.Dir(at) {
		dir, base := filepath.Split(at)
		other, err := root.Lstat(dir + swapCase(base))
		if err != nil || other.Name() == base {
			continue // nothing has the name in other letters: here case counts
		}
		if at != name {
			if info, err = root.Lstat(at); err != nil {
				return err
			}
		}
		if !os.SameFile(info, other) {
			continue
		}
		if err := checkListed(root, filepath.Clean(dir), base, op); err != nil {
			return err
		}
	}
	return nil
}

// checkListed returns a conflict unless a directory lists a name. How accents are
// composed does not count, because some disks change it.
func checkListed(root *os.Root, dir, base, op string) error {
	f, err := root.Open(dir)
	if err != nil {
		return err
	}
	names, err := f.Readdirnames(-1)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	for _, n := range names {
		if norm.NFC.String(n) == norm.NFC.String(base) {
			return nil
		}
	}
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: "another file stands at " + base + ": on this disk its name is the same but for case",
		Hint: "choose another name"}
}

// swapCase exchanges capitals and small letters.
func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if u := unicode.ToUpper(r); u != r {
			return u
		}
		return unicode.ToLower(r)
	}, s)
}
