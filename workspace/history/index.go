package history

import (
	"bytes"
	"context"
	"crypto"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/plumbing/hash"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// tracking is git's index: which files are tracked, what they held when they were
// last read, and the state of each on the disk at that time.
type tracking struct {
	entries []tracked // sorted by path
	written time.Time // when the index was written; zero if it is not there
	// unmerged is set if a merge left files in several versions.
	unmerged bool
	// sparse is set if git is configured not to have some of the files in the work
	// tree.
	sparse bool
}

// tracked is one file of an index.
type tracked struct {
	index.Entry
	assumed bool // the user says that it does not change
}

// recorded is the file as a tree has it, by its path.
func (t tracked) recorded() object.TreeEntry {
	return object.TreeEntry{Name: t.Name, Mode: t.Mode, Hash: t.Hash}
}

func (x *tracking) lookup(path string) (tracked, bool) {
	i, ok := slices.BinarySearchFunc(x.entries, path, func(t tracked, path string) int { return strings.Compare(t.Name, path) })
	if !ok {
		return tracked{}, false
	}
	return x.entries[i], true
}

// readIndex reads the index below a git directory; name is "index", or that of
// another work tree. ok is false where there is none that can be read: it can be
// made again from the commit.
func (r *repo) readIndex(name string) (x *tracking, ok bool, err error) {
	info, err := r.git.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &tracking{}, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	data, err := r.git.ReadFile(name)
	if err != nil {
		return nil, false, err
	}
	if x, err = decodeIndex(data); err != nil {
		return &tracking{}, false, nil
	}
	x.written = info.ModTime()
	return x, true, nil
}

// decodeIndex reads an index. Extensions that git may do without are passed over; with
// others, such as that of an index in two parts, the index cannot be read.
func decodeIndex(data []byte) (*tracking, error) {
	if end := len(data) - crypto.SHA1.Size(); end > 0 && bytes.Equal(data[end:], make([]byte, crypto.SHA1.Size())) {
		data = sealed(data[:end:end]) // git writes zeros where it is configured not to hash
	}
	var in index.Index
	if err := index.NewDecoder(bytes.NewReader(data)).Decode(&in); err != nil {
		return nil, err
	}
	x := &tracking{entries: make([]tracked, 0, len(in.Entries))}
	eachFlags(data, &in, func(e *index.Entry, flags *byte) {
		x.unmerged = x.unmerged || e.Stage != 0
		x.sparse = x.sparse || e.SkipWorktree
		x.entries = append(x.entries, tracked{*e, *flags&flagAssumed != 0})
	})
	return x, nil
}

// encodeIndex makes an index of entries, which it sorts.
func encodeIndex(entries []tracked) ([]byte, error) {
	out := index.Index{Version: 2, Entries: make([]*index.Entry, len(entries))}
	assumed := make(map[*index.Entry]bool)
	for i := range entries {
		e := &entries[i].Entry
		e.IntentToAdd = false // it is a file like any other once it is recorded
		if out.Entries[i] = e; e.SkipWorktree {
			out.Version = 3
		}
		if entries[i].assumed {
			assumed[e] = true
		}
	}
	var buf bytes.Buffer
	if err := index.NewEncoder(&buf).Encode(&out); err != nil || len(assumed) == 0 {
		return buf.Bytes(), err
	}
	data := buf.Bytes()
	eachFlags(data, &out, func(e *index.Entry, flags *byte) {
		if assumed[e] {
			*flags |= flagAssumed
		}
	})
	return sealed(data[:len(data)-crypto.SHA1.Size()]), nil
}

// Bits of the first byte of an entry's flags.
const (
	flagAssumed  = 0x80
	flagExtended = 0x40
)

// eachFlags calls fn with each entry of an encoded index and its flags. Go-git neither
// reads nor writes the mark of a file that the user assumes to be unchanged.
func eachFlags(data []byte, x *index.Index, fn func(e *index.Entry, flags *byte)) {
	const head, fixed = 12, 62 // the lengths of what is before the entries, and of one without its name
	at := head
	for _, e := range x.Entries {
		flags, name := at+fixed-2, at+fixed
		if data[flags]&flagExtended != 0 {
			name += 2
		}
		if x.Version == 4 { // how much stays of the name before, and what follows it
			for data[name]&0x80 != 0 {
				name++
			}
			at = name + 1 + bytes.IndexByte(data[name+1:], 0) + 1
		} else { // the name ends in 1 to 8 zeros
			at += (name - at + len(e.Name) + 8) &^ 7
		}
		fn(e, &data[flags])
	}
}

// sealed ends an index with its sum.
func sealed(data []byte) []byte {
	h := hash.New(crypto.SHA1)
	_, _ = h.Write(data) // which never fails
	return h.Sum(data)
}

// claimIndex takes git's lock on its index, so that no git changes what is
// tracked or commits meanwhile.
func (r *repo) claimIndex(ctx context.Context) (*claim, error) { return r.claim(ctx, "index") }

// putIndex replaces the index and releases the lock.
func (c *claim) putIndex(entries []tracked) error {
	data, err := encodeIndex(entries)
	if err != nil {
		return err
	}
	return c.put(data)
}

// emptyFile is the name of the content of an empty file.
var emptyFile = plumbing.ComputeHash(plumbing.BlobObject, nil)

// unchanged reports whether a file that is now in the state s certainly holds
// what it held when the entry was made.
func (x *tracking) unchanged(e tracked, s index.Entry) bool {
	if e.IntentToAdd || !e.ModifiedAt.Equal(s.ModifiedAt) || !e.CreatedAt.Equal(s.CreatedAt) || e.Size != s.Size || e.Inode != s.Inode {
		return false
	}
	if s.Size == 0 && e.Hash != emptyFile {
		return false // the size is left out where it must not be relied on
	}
	// A file that was written while or after the index was may have changed
	// again without a change of its time.
	return e.ModifiedAt.Before(x.written)
}
