package history

import (
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// deltaCache bounds the memory for objects that were read, in bytes.
const deltaCache = 32 << 20

// store gives go-git the objects of a repository, loose and packed, and proves each to be
// what its name says.
type store struct{ *filesystem.Storage }

// openObjects makes the objects of the repository readable. Nothing is read
// yet.
func (r *repo) openObjects() {
	r.objects = &store{filesystem.NewStorageWithOptions(gitFS{r.git}, cache.NewObjectLRU(deltaCache), filesystem.Options{KeepDescriptors: true})}
}

// emptyTree is the empty tree, which git knows without having it.
var emptyTree = plumbing.ComputeHash(plumbing.TreeObject, nil)

// EncodedObject returns an object of a kind, or damage. Packs may be damaged in any way,
// and what go-git should panic at is damage like any other.
func (s *store) EncodedObject(kind plumbing.ObjectType, h plumbing.Hash) (o plumbing.EncodedObject, err error) {
	defer func() {
		if p := recover(); p != nil {
			o, err = nil, damaged("object %s cannot be read: %v", h, p)
		}
	}()
	o, err = s.Storage.EncodedObject(plumbing.AnyObject, h)
	switch {
	case errors.Is(err, plumbing.ErrObjectNotFound) && h == emptyTree:
		return encoded(plumbing.TreeObject, nil), nil
	case errors.Is(err, plumbing.ErrObjectNotFound):
		return nil, damaged("object %s is missing", h)
	case err != nil:
		return nil, damagedBy(err, "object %s cannot be read", h)
	case o.Hash() != h:
		return nil, damaged("object %s holds something else", h)
	case kind != plumbing.AnyObject && kind != o.Type():
		return nil, damaged("object %s is a %s and not a %s", h, o.Type(), kind)
	}
	return o, nil
}

// encoded makes an object of what it holds.
func encoded(kind plumbing.ObjectType, data []byte) plumbing.EncodedObject {
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	_, _ = o.Write(data) // which only fills memory
	return o
}

// contentOf is what an object holds.
func contentOf(o interface{ Reader() (io.ReadCloser, error) }) ([]byte, error) {
	in, err := o.Reader()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(in)
	return data, errors.Join(err, in.Close())
}

// object returns an object of any kind, decoded.
func (r *repo) object(h plumbing.Hash) (object.Object, error) {
	o, err := object.GetObject(r.objects, h)
	return o, undecoded(h, err)
}

func (r *repo) readCommit(h plumbing.Hash) (*object.Commit, error) {
	c, err := object.GetCommit(r.objects, h)
	return c, undecoded(h, err)
}

// readTree returns a tree; that of the zero hash is empty.
func (r *repo) readTree(h plumbing.Hash) (*object.Tree, error) {
	if h.IsZero() {
		h = emptyTree
	}
	t, err := object.GetTree(r.objects, h)
	return t, undecoded(h, err)
}

// readFile returns the content of a file.
func (r *repo) readFile(h plumbing.Hash) ([]byte, error) {
	o, err := r.objects.EncodedObject(plumbing.BlobObject, h)
	if err != nil {
		return nil, err
	}
	return contentOf(o)
}

// undecoded says of an error of go-git's in which object it is.
func undecoded(h plumbing.Hash, err error) error {
	var bad *damage
	if err == nil || errors.As(err, &bad) {
		return err
	}
	return damagedBy(err, "object %s cannot be read", h)
}

// eachObject calls fn with the name of every object there is, reachable or not.
// One that lies in several places comes several times.
func (r *repo) eachObject(ctx context.Context, fn func(plumbing.Hash) error) error {
	if err := r.eachLoose(ctx, fn); err != nil {
		return err
	}
	packs, err := r.objects.ObjectPacks()
	if err != nil {
		return damagedBy(err, "its packs cannot be listed")
	}
	for _, pack := range packs {
		hashes, err := r.packIndex(pack)
		if err != nil {
			return damagedBy(err, "the pack %s cannot be read", pack)
		}
		for _, h := range hashes {
			if err := errors.Join(ctx.Err(), fn(h)); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachLoose calls fn for every object that is in no pack.
func (r *repo) eachLoose(ctx context.Context, fn func(plumbing.Hash) error) error {
	if _, err := r.git.Stat("objects"); err != nil {
		return damagedBy(err, "its objects cannot be listed")
	}
	var stopped error
	err := r.objects.ForEachObjectHash(func(h plumbing.Hash) error {
		// go-git makes a name of what a git leaves that was stopped, too.
		if _, err := r.git.Lstat(looseName(h)); err == nil {
			stopped = errors.Join(ctx.Err(), fn(h))
		}
		return stopped
	})
	if stopped == nil && err != nil {
		return damagedBy(err, "its objects cannot be listed")
	}
	return stopped
}

// packIndex lists the objects of a pack.
func (r *repo) packIndex(pack plumbing.Hash) (hashes []plumbing.Hash, err error) {
	defer func() {
		if p := recover(); p != nil { // see EncodedObject
			err = fmt.Errorf("read index of pack: %v", p)
		}
	}()
	f, err := r.git.Open("objects/pack/pack-" + pack.String() + ".idx")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	idx := idxfile.NewMemoryIndex()
	if err := idxfile.NewDecoder(f).Decode(idx); err != nil {
		return nil, err
	}
	entries, err := idx.Entries()
	if err != nil {
		return nil, err
	}
	defer entries.Close()
	for {
		e, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return hashes, nil
		}
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, e.Hash)
	}
}

// looseName is where an object lies that is in no pack.
func looseName(h plumbing.Hash) string {
	s := h.String()
	return "objects/" + s[:2] + "/" + s[2:]
}

// writeLoose writes an object to a temporary file, makes it durable and moves it
// there. What stood there is replaced: it may be what a power cut left.
func (r *repo) writeLoose(z *zlib.Writer, o plumbing.EncodedObject) error {
	name := looseName(o.Hash())
	dir := path.Dir(name)
	temp := dir + "/tmp_obj_" + path.Base(name) // git clears such names away
	if err := errors.Join(r.makeDir(dir), r.removeIfThere(temp)); err != nil {
		return err
	}
	f, err := r.git.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o400)
	if err != nil {
		return err
	}
	if err = errors.Join(compress(z, f, o), f.Close()); err == nil {
		err = r.git.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, r.removeIfThere(temp))
	}
	return nil
}

// compress writes an object to a file as git has it, durably.
func compress(z *zlib.Writer, to *os.File, o plumbing.EncodedObject) error {
	in, err := o.Reader()
	if err != nil {
		return err
	}
	defer in.Close()
	z.Reset(to)
	if _, err := fmt.Fprintf(z, "%s %d\x00", o.Type(), o.Size()); err != nil {
		return err
	}
	if _, err := io.Copy(z, in); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return to.Sync()
}
