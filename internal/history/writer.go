package history

import (
	"compress/zlib"
	"errors"
	"path"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// writers is how many objects are written concurrently. Each write mostly waits for the
// disk, and disks handle many waiting writes together.
const writers = 8

// objectWriter writes new objects concurrently. Its user must call flush.
type objectWriter struct {
	r       *repo
	started int
	seen    map[plumbing.Hash]bool
	jobs    chan plumbing.EncodedObject
	group   sync.WaitGroup

	mu  sync.Mutex // guards err
	err error      // all errors, joined
}

func newObjectWriter(r *repo) *objectWriter {
	return &objectWriter{r: r, seen: make(map[plumbing.Hash]bool), jobs: make(chan plumbing.EncodedObject, writers)}
}

// encode encodes an object with go-git, queues it for writing and returns its hash.
func (w *objectWriter) encode(x object.Object) (plumbing.Hash, error) {
	o := &plumbing.MemoryObject{}
	if err := x.Encode(o); err != nil {
		return plumbing.ZeroHash, err
	}
	return w.put(o), nil
}

// put queues an object for writing and returns its hash. The object must not be changed
// afterwards.
func (w *objectWriter) put(o plumbing.EncodedObject) plumbing.Hash {
	h := o.Hash()
	if w.seen[h] {
		return h
	}
	w.seen[h] = true
	if w.started == 0 || w.started < writers && len(w.jobs) > 0 {
		w.started++
		w.group.Go(w.work)
	}
	w.jobs <- o
	return h
}

func (w *objectWriter) work() {
	// Use the fastest level: the objects are small texts and trees, and trees are mostly
	// hashes, which hardly compress.
	z, err := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	for o := range w.jobs {
		if err == nil {
			err = w.r.writeLoose(z, o)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = errors.Join(w.err, err)
}

// flush waits until all objects are durable. No object can be put afterwards.
func (w *objectWriter) flush() error {
	close(w.jobs)
	w.group.Wait()
	if w.err != nil || len(w.seen) == 0 {
		return w.err
	}
	dirs := map[string]bool{"objects": true}
	for h := range w.seen {
		dirs[path.Dir(looseName(h))] = true
	}
	for dir := range dirs {
		if err := w.r.syncDir(dir); err != nil {
			return err
		}
	}
	return nil
}
