//go:build amd64 || arm64

package powercut

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// tracer records what the system calls of a process do below a directory.
type tracer struct {
	pid    int
	root   string
	memory *os.File     // memory of the process
	calls  map[int]call // pending calls, by thread

	begin  *disk
	tree   map[int]map[string]int // current directory entries: directory number to name to number
	inodes map[uint64]int         // inode to number of the file or directory
	last   int                    // last number assigned
	done   []operation
}

func newTracer(root string) (*tracer, error) {
	begin, numbers, err := readDisk(root)
	if err != nil {
		return nil, err
	}
	tr := &tracer{root: root, calls: make(map[int]call), begin: begin, tree: make(map[int]map[string]int), inodes: make(map[uint64]int), last: len(numbers)}
	for path, number := range numbers {
		tr.inodes[inodeOf(path)] = number
		if n := begin.nodes[number]; n.names != nil {
			tr.tree[number] = make(map[string]int)
			for base, child := range n.names {
				tr.tree[number][base] = child
			}
		}
	}
	return tr, nil
}

// currentDir means the working directory of the process (AT_FDCWD).
const currentDir = ^uint64(99)

// call is a pending system call.
type call struct {
	number uint64
	args   [6]uint64
	thread int
	began  int // number of operations that had ended
	// there means that an opened file existed before.
	there    bool
	from, to string // paths it names
}

// call records the entry of a system call, if it may concern files.
func (tr *tracer) call(thread int, number uint64, args [6]uint64) (call, bool) {
	number, args = modern(number, args)
	c := call{number: number, args: args, thread: thread, began: len(tr.done)}
	switch number {
	case syscall.SYS_OPENAT:
		if args[2]&(syscall.O_CREAT|syscall.O_TRUNC) == 0 {
			return c, false
		}
		c.to = tr.path(thread, args[0], args[1])
		c.there = inodeOf(c.to) != 0
	case syscall.SYS_MKDIRAT:
		c.to = tr.path(thread, args[0], args[1])
	case syscall.SYS_TRUNCATE:
		c.to = tr.path(thread, currentDir, args[0])
	case syscall.SYS_RENAMEAT, sysRenameat2, syscall.SYS_LINKAT:
		c.from, c.to = tr.path(thread, args[0], args[1]), tr.path(thread, args[2], args[3])
	case syscall.SYS_UNLINKAT:
		c.from = tr.path(thread, args[0], args[1])
		if what, ok := strings.CutPrefix(c.from, mark); ok {
			tr.done = append(tr.done, operation{kind: acknowledge, what: what})
			return c, false
		}
	case syscall.SYS_WRITE, syscall.SYS_PWRITE64, syscall.SYS_WRITEV, syscall.SYS_FSYNC, syscall.SYS_FDATASYNC, syscall.SYS_FTRUNCATE,
		syscall.SYS_FALLOCATE, syscall.SYS_SENDFILE, syscall.SYS_SPLICE, sysCopyFileRange, syscall.SYS_MMAP:
	default:
		return c, false
	}
	return c, true
}

// ended records a system call that succeeded.
func (tr *tracer) ended(c call, result int64) error {
	switch c.number {
	case syscall.SYS_OPENAT:
		switch dir, base, ok := tr.locate(c.to); {
		case !ok:
		case !c.there:
			tr.add(create, dir, base, c.to)
		case c.args[2]&syscall.O_TRUNC != 0:
			tr.do(operation{kind: truncate, file: tr.tree[dir][base], what: c.to})
		}
	case syscall.SYS_MKDIRAT:
		if dir, base, ok := tr.locate(c.to); ok {
			tr.tree[tr.add(makeDir, dir, base, c.to)] = make(map[string]int)
		}
	case syscall.SYS_RENAMEAT, sysRenameat2:
		if c.number == sysRenameat2 && c.args[4]&^1 != 0 { // flags other than RENAME_NOREPLACE
			return fmt.Errorf("a rename with flags %x is not known", c.args[4])
		}
		return tr.renamed(c)
	case syscall.SYS_TRUNCATE:
		if dir, base, ok := tr.locate(c.to); ok {
			tr.do(operation{kind: truncate, file: tr.tree[dir][base], offset: int64(c.args[1]), what: c.to})
		}
	case syscall.SYS_LINKAT:
		fromDir, fromBase, ok := tr.locate(c.from)
		toDir, toBase, ok2 := tr.locate(c.to)
		if ok && ok2 {
			file := tr.tree[fromDir][fromBase]
			tr.tree[toDir][toBase] = file
			tr.do(operation{kind: link, file: file, to: name{toDir, toBase}})
		}
	case syscall.SYS_UNLINKAT:
		if dir, base, ok := tr.locate(c.from); ok {
			tr.do(operation{kind: remove, file: tr.tree[dir][base], from: name{dir, base}, what: c.from})
			delete(tr.tree[dir], base)
		}
	default:
		if file := tr.inodes[tr.inode(c)]; file != 0 {
			return tr.changed(c, file, result)
		}
	}
	return nil
}

func (tr *tracer) renamed(c call) error {
	fromDir, fromBase, from := tr.locate(c.from)
	toDir, toBase, to := tr.locate(c.to)
	if !from && !to {
		return nil
	}
	if !from {
		return fmt.Errorf("%s comes from outside, and what it holds is not known", c.to)
	}
	file := tr.tree[fromDir][fromBase]
	delete(tr.tree[fromDir], fromBase)
	if to {
		tr.tree[toDir][toBase] = file
	}
	tr.do(operation{kind: rename, file: file, from: name{fromDir, fromBase}, to: name{toDir, toBase}, what: c.to})
	return nil
}

// changed records a call on an open file or directory.
func (tr *tracer) changed(c call, file int, result int64) error {
	switch c.number {
	case syscall.SYS_FSYNC, syscall.SYS_FDATASYNC:
		tr.do(operation{kind: sync, file: file, began: c.began})
	case syscall.SYS_FTRUNCATE:
		tr.do(operation{kind: truncate, file: file, offset: int64(c.args[1]), what: tr.descriptor(c)})
	case syscall.SYS_WRITE, syscall.SYS_PWRITE64:
		offset := int64(c.args[3])
		if c.number == syscall.SYS_WRITE {
			offset = tr.position(c) - result
		}
		data := make([]byte, result)
		if _, err := tr.memory.ReadAt(data, int64(c.args[1])); err != nil {
			return fmt.Errorf("read what was written: %w", err)
		}
		tr.do(operation{kind: write, file: file, offset: offset, data: data})
	case syscall.SYS_MMAP:
		const shared, writable = syscall.MAP_SHARED, syscall.PROT_WRITE
		if path := tr.descriptor(c); c.args[3]&shared != 0 && c.args[2]&writable != 0 && !strings.HasSuffix(path, "-shm") {
			return fmt.Errorf("%s is written by mapped memory", path)
		}
	case sysCopyFileRange, syscall.SYS_SENDFILE:
		return tr.copied(c, file, result)
	default:
		return fmt.Errorf("system call %d writes to %s, and is not known", c.number, tr.descriptor(c))
	}
	return nil
}

// copied records data that the kernel copied from one file to another.
func (tr *tracer) copied(c call, file int, result int64) error {
	if result == 0 {
		return nil
	}
	offset := tr.position(c) - result
	if c.number == sysCopyFileRange && c.args[3] != 0 { // the call has already advanced the offset it points to
		var moved [8]byte
		if _, err := tr.memory.ReadAt(moved[:], int64(c.args[3])); err != nil {
			return err
		}
		offset = int64(binary.NativeEndian.Uint64(moved[:])) - result
	}
	from, err := os.Open(fmt.Sprintf("/proc/%d/fd/%d", c.thread, tr.target(c)))
	if err != nil {
		return err
	}
	defer from.Close()
	data := make([]byte, result)
	if _, err := from.ReadAt(data, offset); err != nil {
		return err
	}
	tr.do(operation{kind: write, file: file, offset: offset, data: data})
	return nil
}

func (tr *tracer) do(o operation) { tr.done = append(tr.done, o) }

// add assigns a number to a new file or directory.
func (tr *tracer) add(k kind, dir int, base, path string) int {
	tr.last++
	tr.tree[dir][base] = tr.last
	tr.inodes[inodeOf(path)] = tr.last
	tr.do(operation{kind: k, file: tr.last, to: name{dir, base}})
	return tr.last
}

// locate finds the directory of a path below the root.
func (tr *tracer) locate(path string) (dir int, base string, ok bool) {
	rel, below := strings.CutPrefix(path, tr.root+"/")
	if !below {
		return 0, "", false
	}
	parts := strings.Split(rel, "/")
	dir = rootNumber
	for _, part := range parts[:len(parts)-1] {
		if dir = tr.tree[dir][part]; dir == 0 {
			return 0, "", false
		}
	}
	return dir, parts[len(parts)-1], tr.tree[dir] != nil
}

// target returns the descriptor that a call writes to.
func (tr *tracer) target(c call) int32 {
	switch c.number {
	case syscall.SYS_MMAP:
		return int32(c.args[4])
	case sysCopyFileRange, syscall.SYS_SPLICE:
		return int32(c.args[2])
	}
	return int32(c.args[0])
}

func (tr *tracer) inode(c call) uint64 {
	if tr.target(c) < 0 {
		return 0
	}
	return inodeOf(fmt.Sprintf("/proc/%d/fd/%d", c.thread, tr.target(c)))
}

func (tr *tracer) descriptor(c call) string {
	path, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", c.thread, tr.target(c)))
	return path
}

// position returns the current offset of a descriptor.
func (tr *tracer) position(c call) int64 {
	var at int64
	info, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%d", c.thread, tr.target(c)))
	if err == nil {
		fmt.Sscanf(string(info), "pos: %d", &at)
	}
	return at
}

// path reads the path that a thread passes as a directory and an address.
func (tr *tracer) path(thread int, dir, address uint64) string {
	data := make([]byte, 4096)
	n, _ := tr.memory.ReadAt(data, int64(address)) // reads less at the end of mapped memory
	name, _, _ := bytes.Cut(data[:n], []byte{0})
	at := "cwd"
	if int32(dir) >= 0 {
		at = fmt.Sprintf("fd/%d", int32(dir))
	}
	path := string(name)
	if !filepath.IsAbs(path) {
		parent, _ := os.Readlink(fmt.Sprintf("/proc/%d/%s", thread, at))
		path = filepath.Join(parent, path)
	}
	return filepath.Clean(path)
}

// inodeOf returns the inode of a file; 0 if there is none.
func inodeOf(path string) uint64 {
	var s syscall.Stat_t
	if syscall.Stat(path, &s) != nil {
		return 0
	}
	return s.Ino
}
