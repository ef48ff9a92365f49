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

// load reads the document at a name. The error is fs.ErrNotExist if there is none.
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

// loadListed reads a document whose name came from a directory listing, so that its
// spelling is exact and no link is above it.
func (t *Tree) loadListed(o *opened, doc, name string) (files.File, error) {
	now := t.now()
	f, info, err := openFile(o.root, name, o.op)
	if err != nil {
		return files.File{}, err
	}
	defer f.Close()
	// Reading one byte more than allowed is enough to detect a file that is too large.
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

// unsure is how long after its last change a file may change again and keep its
// modification time: file systems in use have a resolution of up to 2 seconds (FAT).
const unsure = 2 * time.Second

// statOf describes a file that was just read. It truncates the time to microseconds, as
// the database does. If the file may still change without a new time, statOf records a
// time one microsecond earlier, which never matches, so that the next scan reads the file
// again.
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

// checkCase returns a conflict unless the file has exactly this name, including case.
// Some file systems ignore case, but MEMORY.md is not memory.md.
func checkCase(root *os.Root, name string, info fs.FileInfo, op string) error {
	for at := name; at != "."; at = filepath.Dir(at) {
		dir, base := filepath.Split(at)
		other, err := root.Lstat(dir + swapCase(base))
		if err != nil || other.Name() == base {
			continue // no file has the name in other case: this file system distinguishes case
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

// checkListed returns a conflict unless a directory lists a name. It ignores the Unicode
// normalization of accents, which some file systems change.
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
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: "there is another file at " + base + ", whose name differs only in case, which this disk ignores",
		Hint: "choose another name"}
}

// swapCase exchanges upper and lower case.
func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if u := unicode.ToUpper(r); u != r {
			return u
		}
		return unicode.ToLower(r)
	}, s)
}
