package powercut

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// sector is the unit that a disk writes atomically, in bytes.
const sector = 512

// disk is the durable state of files, and the operations on them since.
type disk struct {
	nodes map[int]*node
}

// rootNumber is the number of the root directory.
const rootNumber = 1

// node is the durable state of a file or a directory.
type node struct {
	bytes   []byte         // of a file
	names   map[string]int // of a directory: node numbers by name; nil for a file
	pending []pending
}

// pending is an operation that is not yet durable.
type pending struct {
	operation
	number int // of the operation
}

// readDisk returns a disk with the files of a directory, all durable, and their numbers
// by path.
func readDisk(root string) (*disk, map[string]int, error) {
	d, numbers := &disk{nodes: make(map[int]*node)}, make(map[string]int)
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		n := &node{}
		if e.IsDir() {
			n.names = make(map[string]int)
		} else if n.bytes, err = os.ReadFile(path); err != nil {
			return err
		}
		number := len(numbers) + rootNumber
		d.nodes[number], numbers[path] = n, number
		if path != root {
			d.nodes[numbers[filepath.Dir(path)]].names[filepath.Base(path)] = number
		}
		return nil
	})
	return d, numbers, err
}

// clone returns a copy that may be modified.
func (d *disk) clone() *disk {
	out := &disk{nodes: make(map[int]*node, len(d.nodes))}
	for number, n := range d.nodes {
		out.nodes[number] = &node{bytes: slices.Clone(n.bytes), names: maps.Clone(n.names), pending: slices.Clone(n.pending)}
	}
	return out
}

// do applies an operation. Only what a sync covers becomes durable.
func (d *disk) do(o operation, number int) {
	p := pending{operation: o, number: number}
	switch o.kind {
	case write, truncate:
		d.wait(o.file, p)
	case sync:
		d.sync(o.file, o.began)
	case create:
		d.nodes[o.file] = &node{}
		d.wait(o.to.dir, p)
	case makeDir:
		d.nodes[o.file] = &node{names: make(map[string]int)}
		d.wait(o.to.dir, p)
	case rename:
		d.wait(o.to.dir, p)
		if o.from.dir != o.to.dir {
			d.wait(o.from.dir, p)
		}
	case link:
		d.wait(o.to.dir, p)
	case remove:
		d.wait(o.from.dir, p)
	}
}

func (d *disk) wait(number int, p pending) {
	if n := d.nodes[number]; n != nil {
		n.pending = append(n.pending, p)
	}
}

// sync makes everything done to a file or directory before an operation durable.
func (d *disk) sync(number, before int) {
	n := d.nodes[number]
	if n == nil {
		return
	}
	for len(n.pending) > 0 && n.pending[0].number < before {
		p := n.pending[0]
		n.pending = n.pending[1:]
		d.settle(number, p)
	}
}

// settle makes an operation on a file or directory durable.
func (d *disk) settle(number int, p pending) {
	n := d.nodes[number]
	switch p.kind {
	case write:
		n.bytes = overwrite(n.bytes, p.offset, p.data)
	case truncate:
		n.bytes = resize(n.bytes, p.offset)
	case create, makeDir, link:
		n.names[p.to.base] = p.file
	case remove:
		delete(n.names, p.from.base)
	case rename:
		// Both names change at once, whichever directory was synced. Earlier changes of
		// the old name settle with them.
		if from := d.nodes[p.from.dir]; from != nil {
			delete(from.names, p.from.base)
			from.pending = slices.DeleteFunc(from.pending, func(q pending) bool {
				return q.number < p.number && (q.to == p.from || q.from == p.from)
			})
		}
		if to := d.nodes[p.to.dir]; to != nil {
			to.names[p.to.base] = p.file
		}
		for _, dir := range []int{p.from.dir, p.to.dir} {
			if other := d.nodes[dir]; other != nil {
				other.pending = slices.DeleteFunc(other.pending, func(q pending) bool { return q.number == p.number })
			}
		}
	}
}

func overwrite(b []byte, offset int64, data []byte) []byte {
	if end := offset + int64(len(data)); end > int64(len(b)) {
		b = resize(b, end)
	}
	copy(b[offset:], data)
	return b
}

func resize(b []byte, size int64) []byte {
	if size <= int64(len(b)) {
		return b[:size:size]
	}
	return append(b, make([]byte, size-int64(len(b)))...)
}

// cut simulates a power cut, after which any part of the pending operations may remain.
func (d *disk) cut(rng *rand.Rand) {
	// Sometimes everything survives, sometimes nothing, and mostly some of it.
	share := [...]float64{0, 0.1, 0.5, 0.9, 1}[rng.IntN(5)]
	for _, number := range slices.Sorted(maps.Keys(d.nodes)) {
		n := d.nodes[number]
		if n.names != nil {
			kept := 0
			for kept < len(n.pending) && rng.Float64() < share {
				kept++
			}
			for _, p := range slices.Clone(n.pending[:kept]) {
				if slices.ContainsFunc(n.pending, func(q pending) bool { return q.number == p.number }) {
					d.settle(number, p)
				}
			}
			continue
		}
		for _, p := range n.pending {
			switch {
			case rng.Float64() >= share:
			case p.kind == write && rng.IntN(4) == 0:
				n.tear(p, rng)
			default:
				d.settle(number, p)
			}
		}
	}
}

// tear applies only some sectors of a write.
func (n *node) tear(p pending, rng *rand.Rand) {
	for at := 0; at < len(p.data); {
		offset := p.offset + int64(at)
		end := min(at+sector-int(offset%sector), len(p.data))
		if rng.IntN(2) == 0 {
			n.bytes = overwrite(n.bytes, offset, p.data[at:end])
		}
		at = end
	}
}

// writeTo writes the durable state into a directory.
func (d *disk) writeTo(dir string) error { return d.write(rootNumber, dir, make(map[int]string)) }

// write writes a file or directory. written holds the paths of files already written,
// because a file may have two names.
func (d *disk) write(number int, path string, written map[int]string) error {
	n := d.nodes[number]
	if n.names == nil {
		if first, ok := written[number]; ok {
			return os.Link(first, path)
		}
		written[number] = path
		return os.WriteFile(path, n.bytes, 0o600)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		return err
	}
	for base, child := range n.names {
		if err := d.write(child, filepath.Join(path, base), written); err != nil {
			return err
		}
	}
	return nil
}
