package history

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/plumbing/object"
	gitbinary "github.com/go-git/go-git/v5/utils/binary"
)

// gitIndex is git's index: which files are tracked, what they held when they were last
// read, and the stat data of each at that time.
type gitIndex struct {
	entries []tracked // sorted by path
	written time.Time // when the index was written; zero if there is none
	// unmerged is set if a merge left files in several versions.
	unmerged bool
	// sparse is set if git is configured not to check out some of the files.
	sparse bool
}

// tracked is an entry of the index.
type tracked struct {
	index.Entry
	assumed bool // the user says that the file does not change
}

// recorded returns the entry as it is in a tree, named by its full path.
func (t tracked) recorded() object.TreeEntry {
	return object.TreeEntry{Name: t.Name, Mode: t.Mode, Hash: t.Hash}
}

func (x *gitIndex) lookup(path string) (tracked, bool) {
	i, ok := slices.BinarySearchFunc(x.entries, path, func(t tracked, path string) int { return strings.Compare(t.Name, path) })
	if !ok {
		return tracked{}, false
	}
	return x.entries[i], true
}

// readIndex reads an index in the git directory; name is "index" or the path of the index
// of another work tree. ok is false if there is none that can be read; it can be rebuilt
// from the commit.
func (r *repo) readIndex(name string) (x *gitIndex, ok bool, err error) {
	info, err := r.git.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &gitIndex{}, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	data, err := r.git.ReadFile(name)
	if err != nil {
		return nil, false, err
	}
	if x, err = decodeIndex(data); err != nil {
		return &gitIndex{}, false, nil
	}
	x.written = info.ModTime()
	return x, true, nil
}

var errIndex = errors.New("the index cannot be read")

// Bits of an entry's flags.
const (
	flagAssumed  = 0x8000
	flagExtended = 0x4000
	flagStage    = 0x3000
	flagName     = 0x0fff
	flagSkipped  = 0x4000 // in the second half
	flagIntended = 0x2000 // in the second half
)

// entrySize is the length of an entry without its name and extended flags.
const entrySize = 62

// decodeIndex decodes an index of version 2, 3 or 4. It skips optional extensions; an
// index with a required one, such as a split index, cannot be read.
//
// Go-git's decoder and encoder take seven times as long, which is a third of a commit
// among 10,000 files, and they drop the assume-unchanged flag.
func decodeIndex(data []byte) (*gitIndex, error) {
	if len(data) < 12+sha1.Size || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	body, sum := data[:len(data)-sha1.Size], data[len(data)-sha1.Size:]
	if got := sha1.Sum(body); !bytes.Equal(got[:], sum) && !bytes.Equal(sum, make([]byte, sha1.Size)) {
		return nil, errIndex // git writes zeros if it is configured not to hash
	}
	version, count := binary.BigEndian.Uint32(body[4:]), binary.BigEndian.Uint32(body[8:])
	if version < 2 || version > 4 || uint64(count) > uint64(len(body)/entrySize) {
		return nil, errIndex
	}
	x := &gitIndex{entries: make([]tracked, count)}
	rest, last := body[12:], ""
	for i := range x.entries {
		e := &x.entries[i]
		n, ok := e.decode(rest, version, last)
		if !ok {
			return nil, errIndex
		}
		rest, last = rest[n:], e.Name
		x.unmerged = x.unmerged || e.Stage != 0
		x.sparse = x.sparse || e.SkipWorktree
	}
	for len(rest) > 0 {
		if len(rest) < 8 || rest[0] < 'A' || rest[0] > 'Z' {
			return nil, errIndex
		}
		size := uint64(binary.BigEndian.Uint32(rest[4:]))
		if size > uint64(len(rest)-8) {
			return nil, errIndex
		}
		rest = rest[8+size:]
	}
	return x, nil
}

// decode decodes an entry that follows one named last, and returns its length.
func (t *tracked) decode(b []byte, version uint32, last string) (n int, ok bool) {
	if len(b) < entrySize+2 {
		return 0, false
	}
	u := func(i int) uint32 { return binary.BigEndian.Uint32(b[i:]) }
	flags := binary.BigEndian.Uint16(b[60:])
	t.assumed = flags&flagAssumed != 0
	t.Entry = index.Entry{
		CreatedAt: stamp(int64(u(0)), int64(u(4))), ModifiedAt: stamp(int64(u(8)), int64(u(12))),
		Dev: u(16), Inode: u(20), Mode: filemode.FileMode(u(24)), UID: u(28), GID: u(32), Size: u(36),
		Hash: plumbing.Hash(b[40:60]), Stage: index.Stage(flags & flagStage >> 12),
	}
	n = entrySize
	if flags&flagExtended != 0 {
		more := binary.BigEndian.Uint16(b[n:])
		t.SkipWorktree, t.IntentToAdd = more&flagSkipped != 0, more&flagIntended != 0
		n += 2
	}
	if version == 4 {
		// The name is a prefix of the name before plus what follows here.
		in := bytes.NewReader(b[n:])
		cut, err := gitbinary.ReadVariableWidthInt(in)
		if err != nil || cut > int64(len(last)) {
			return 0, false
		}
		n = len(b) - in.Len()
		t.Name = last[:int64(len(last))-cut]
	}
	end := bytes.IndexByte(b[n:], 0)
	if end < 0 {
		return 0, false
	}
	t.Name += string(b[n : n+end])
	n += end + 1
	if version != 4 {
		n = (n + 7) &^ 7 // the name is padded with 1 to 8 zeros
	}
	return n, n <= len(b) && t.Name != ""
}

// encodeIndex encodes an index of sorted entries.
func encodeIndex(entries []tracked) []byte {
	version := uint32(2)
	size := 12 + sha1.Size
	for _, e := range entries {
		size += entrySize + 10 + len(e.Name)
		if e.SkipWorktree {
			version = 3
		}
	}
	u, half := binary.BigEndian.AppendUint32, binary.BigEndian.AppendUint16
	out := append(make([]byte, 0, size), "DIRC"...)
	out = u(u(out, version), uint32(len(entries)))
	for i := range entries {
		e, start := &entries[i], len(out)
		for _, t := range []time.Time{e.CreatedAt, e.ModifiedAt} {
			sec := uint32(0) // for the zero time
			if !t.IsZero() {
				sec = uint32(t.Unix())
			}
			out = u(u(out, sec), uint32(t.Nanosecond()))
		}
		for _, v := range [...]uint32{e.Dev, e.Inode, uint32(e.Mode), e.UID, e.GID, e.Size} {
			out = u(out, v)
		}
		out = append(out, e.Hash[:]...)
		flags := uint16(min(len(e.Name), flagName))
		if e.assumed {
			flags |= flagAssumed
		}
		if e.SkipWorktree {
			out = half(half(out, flags|flagExtended), flagSkipped)
		} else {
			out = half(out, flags)
		}
		out = append(out, e.Name...)
		out = append(out, make([]byte, 8-(len(out)-start)%8)...)
	}
	sum := sha1.Sum(out)
	return append(out, sum[:]...)
}

// claimIndex takes git's lock on its index, so that no git process changes what is
// tracked or commits meanwhile.
func (r *repo) claimIndex(ctx context.Context) (*claim, error) { return r.claim(ctx, "index") }

// emptyFile is the hash of an empty file.
var emptyFile = plumbing.ComputeHash(plumbing.BlobObject, nil)

// unchanged reports whether a file with the stat data s certainly holds what it held when
// the entry was made.
func (x *gitIndex) unchanged(e tracked, s index.Entry) bool {
	if e.IntentToAdd || !e.ModifiedAt.Equal(s.ModifiedAt) || !e.CreatedAt.Equal(s.CreatedAt) || e.Size != s.Size || e.Inode != s.Inode {
		return false
	}
	if s.Size == 0 && e.Hash != emptyFile {
		return false // the size is zeroed where it must not be relied on
	}
	// A file written at the same time as the index or later may have changed again
	// without a new time.
	return e.ModifiedAt.Before(x.written)
}
