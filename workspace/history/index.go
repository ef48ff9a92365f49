package history

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// index is git's index: which files are tracked, what they held when they were
// last read, and the state of each on the disk at that time.
//
// It is read and written here, and not by go-git, whose encoder takes 20 ms for
// 10,000 files and drops the mark of a file that is assumed to be unchanged.
type index struct {
	entries []indexEntry
	at      map[string]int // into entries, by path
	written stamp          // when the index was written; zero if it is not there
	// unmerged is set if a merge left files in several versions.
	unmerged bool
	// sparse is set if git is configured not to have some of the files in the work
	// tree.
	sparse bool
}

// indexEntry is one file of an index.
type indexEntry struct {
	entry
	stat         stat
	assumed      bool // the user says that it does not change
	skipped      bool // it is not in the work tree, and not deleted
	intended     bool // it is to be added, with what it will hold
	mergedStages bool // several versions wait for a merge
}

// stamp is a time as git's index has it.
type stamp struct{ sec, nsec uint32 }

func stampOf(t time.Time) stamp { return stamp{uint32(t.Unix()), uint32(t.Nanosecond())} }

func (s stamp) before(t stamp) bool {
	return s.sec < t.sec || s.sec == t.sec && s.nsec < t.nsec
}

// stat is the state of a file by which a later write is detected, as git's
// index has it.
type stat struct {
	changed, modified stamp
	device, inode     uint32
	user, group       uint32
	size              uint32
}

// Bits of an entry's flags.
const (
	flagAssumed  = 0x8000
	flagExtended = 0x4000
	flagStage    = 0x3000
	flagName     = 0x0fff
	flagSkipped  = 0x4000 // in the second half
	flagIntended = 0x2000 // in the second half
)

// entrySize is the length of an entry before its name and without extensions.
const entrySize = 62

func (x *index) lookup(path string) (indexEntry, bool) {
	i, ok := x.at[path]
	if !ok {
		return indexEntry{}, false
	}
	return x.entries[i], true
}

// readIndex reads the index below a git directory; name is "index", or that of
// another work tree. ok is false where there is none that can be read: it can be
// made again from the commit.
func (r *repo) readIndex(name string) (x *index, ok bool, err error) {
	info, err := r.git.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &index{}, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	data, err := r.git.ReadFile(name)
	if err != nil {
		return nil, false, err
	}
	if x, err = parseIndex(data); err != nil {
		return &index{}, false, nil
	}
	x.written = stampOf(info.ModTime())
	return x, true, nil
}

var errIndex = errors.New("the index cannot be read")

// parseIndex reads an index of version 2, 3 or 4. Extensions that git may do
// without are passed over; with others, such as that of an index in two parts,
// the index cannot be read.
func parseIndex(data []byte) (*index, error) {
	if len(data) < 12+sha1.Size || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	body, sum := data[:len(data)-sha1.Size], data[len(data)-sha1.Size:]
	if got := sha1.Sum(body); !bytes.Equal(got[:], sum) && !bytes.Equal(sum, make([]byte, sha1.Size)) {
		return nil, errIndex // git writes zeros where it is configured not to hash
	}
	version, count := binary.BigEndian.Uint32(body[4:]), binary.BigEndian.Uint32(body[8:])
	if version < 2 || version > 4 || uint64(count) > uint64(len(body)/entrySize) {
		return nil, errIndex
	}
	x := &index{entries: make([]indexEntry, 0, count), at: make(map[string]int, count)}
	rest, last := body[12:], ""
	for range count {
		e, n, err := parseEntry(rest, version, last)
		if err != nil {
			return nil, err
		}
		rest, last = rest[n:], e.path
		if e.mergedStages {
			x.unmerged = true
			continue
		}
		x.sparse = x.sparse || e.skipped
		x.at[e.path] = len(x.entries)
		x.entries = append(x.entries, e)
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

// parseEntry reads one entry and returns how long it is.
func parseEntry(b []byte, version uint32, last string) (e indexEntry, n int, err error) {
	if len(b) < entrySize {
		return e, 0, errIndex
	}
	u := func(i int) uint32 { return binary.BigEndian.Uint32(b[i:]) }
	e.stat = stat{
		changed: stamp{u(0), u(4)}, modified: stamp{u(8), u(12)},
		device: u(16), inode: u(20), user: u(28), group: u(32), size: u(36),
	}
	e.mode = u(24)
	copy(e.hash[:], b[40:60])
	flags := binary.BigEndian.Uint16(b[60:])
	e.assumed, e.mergedStages = flags&flagAssumed != 0, flags&flagStage != 0
	n = entrySize
	if flags&flagExtended != 0 {
		if version < 3 || len(b) < n+2 {
			return e, 0, errIndex
		}
		more := binary.BigEndian.Uint16(b[n:])
		e.skipped, e.intended = more&flagSkipped != 0, more&flagIntended != 0
		n += 2
	}
	if version == 4 {
		// The name is what stays of the one before, and what follows it.
		cut, size := offsetVarint(b[n:])
		if size == 0 || cut > uint64(len(last)) {
			return e, 0, errIndex
		}
		n += size
		e.path = last[:uint64(len(last))-cut]
	}
	end := bytes.IndexByte(b[n:], 0)
	if end < 0 {
		return e, 0, errIndex
	}
	e.path += string(b[n : n+end])
	n += end + 1
	if version != 4 {
		n = (n + 7) &^ 7 // the name ends in 1 to 8 zeros
	}
	if n > len(b) || e.path == "" {
		return e, 0, errIndex
	}
	return e, n, nil
}

// offsetVarint reads a number as packs and version 4 have it; size is 0 if it
// does not end.
func offsetVarint(b []byte) (v uint64, size int) {
	for i, c := range b {
		if i > 8 {
			return 0, 0
		}
		v = v<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			return v, i + 1
		}
		v++
	}
	return 0, 0
}

// encodeIndex makes an index of sorted entries.
func encodeIndex(entries []indexEntry) []byte {
	version := uint32(2)
	size := 12 + sha1.Size
	for _, e := range entries {
		size += entrySize + 10 + len(e.path)
		if e.skipped {
			version = 3
		}
	}
	out := make([]byte, 0, size)
	u := binary.BigEndian.AppendUint32
	out = append(out, "DIRC"...)
	out = u(u(out, version), uint32(len(entries)))
	for _, e := range entries {
		start := len(out)
		s := e.stat
		for _, v := range [...]uint32{
			s.changed.sec, s.changed.nsec, s.modified.sec, s.modified.nsec,
			s.device, s.inode, e.mode, s.user, s.group, s.size,
		} {
			out = u(out, v)
		}
		out = append(out, e.hash[:]...)
		flags := uint16(min(len(e.path), flagName))
		if e.assumed {
			flags |= flagAssumed
		}
		if e.skipped {
			out = binary.BigEndian.AppendUint16(out, flags|flagExtended)
			out = binary.BigEndian.AppendUint16(out, flagSkipped)
		} else {
			out = binary.BigEndian.AppendUint16(out, flags)
		}
		out = append(out, e.path...)
		pad := 8 - (len(out)-start)%8
		out = append(out, strings.Repeat("\x00", pad)...)
	}
	sum := sha1.Sum(out)
	return append(out, sum[:]...)
}

// claimIndex takes git's lock on its index, so that no git changes what is
// tracked or commits meanwhile.
func (r *repo) claimIndex(ctx context.Context) (*claim, error) { return r.claim(ctx, "index") }

// emptyFile is the name of the content of an empty file.
var emptyFile = hashOf(plumbing.BlobObject, nil)

// unchanged reports whether a file that is now in the state s certainly holds
// what it held when the entry was made.
func (x *index) unchanged(e indexEntry, s stat) bool {
	if e.intended || e.stat.modified != s.modified || e.stat.changed != s.changed || e.stat.size != s.size || e.stat.inode != s.inode {
		return false
	}
	if s.size == 0 && e.hash != emptyFile {
		return false // the size is left out where it must not be relied on
	}
	// A file that was written while or after the index was may have changed
	// again without a change of its time.
	return e.stat.modified.before(x.written)
}
