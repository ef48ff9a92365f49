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

// deltaCache limits the memory for cached objects, in bytes.
const deltaCache = 32 << 20

// store gives go-git the objects of a repository, loose and packed, and verifies that
// each matches its hash.
type store struct{ *filesystem.Storage }

// openObjects prepares reading the objects of the repository. It reads nothing yet.
func (r *repo) openObjects() {
	r.objects = &store{filesystem.NewStorageWithOptions(gitFS{r.git}, cache.NewObjectLRU(deltaCache), filesystem.Options{KeepDescriptors: true})}
}

// emptyTree is the hash of the empty tree, which git knows without storing it.
var emptyTree = plumbing.ComputeHash(plumbing.TreeObject, nil)

// EncodedObject returns an object of a kind, or damage. Packs may be damaged in any way,
// so it also reports a panic in go-git as damage.
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

// encoded makes an object from its content.
func encoded(kind plumbing.ObjectType, data []byte) plumbing.EncodedObject {
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	_, _ = o.Write(data) // cannot fail
	return o
}

// contentOf reads the content of an object.
func contentOf(o interface{ Reader() (io.ReadCloser, error) }) ([]byte, error) {
	in, err := o.Reader()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(in)
	return data, errors.Join(err, in.Close())
}

// object reads and decodes an object of any kind.
func (r *repo) object(h plumbing.Hash) (object.Object, error) {
	o, err := object.GetObject(r.objects, h)
	return o, undecoded(h, err)
}

func (r *repo) readCommit(h plumbing.Hash) (*object.Commit, error) {
	c, err := object.GetCommit(r.objects, h)
	return c, undecoded(h, err)
}

// readTree reads a tree; the zero hash means the empty tree.
func (r *repo) readTree(h plumbing.Hash) (*object.Tree, error) {
	if h.IsZero() {
		h = emptyTree
	}
	t, err := object.GetTree(r.objects, h)
	return t, undecoded(h, err)
}

// readFile reads the content of a file.
func (r *repo) readFile(h plumbing.Hash) ([]byte, error) {
	o, err := r.objects.EncodedObject(plumbing.BlobObject, h)
	if err != nil {
		return nil, err
	}
	return contentOf(o)
}

// undecoded adds to an error of go-git's which object it is about.
func undecoded(h plumbing.Hash, err error) error {
	var bad *damage
	if err == nil || errors.As(err, &bad) {
		return err
	}
	return damagedBy(err, "object %s cannot be read", h)
}

// eachObject calls fn with the hash of every stored object, reachable or not. It calls fn
// several times for an object that is stored several times.
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

// eachLoose calls fn for every loose object.
func (r *repo) eachLoose(ctx context.Context, fn func(plumbing.Hash) error) error {
	if _, err := r.git.Stat("objects"); err != nil {
		return damagedBy(err, "its objects cannot be listed")
	}
	var stopped error
	err := r.objects.ForEachObjectHash(func(h plumbing.Hash) error {
		// go-git also takes files that a stopped git process left for objects
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

// looseName returns the path of a loose object.
func looseName(h plumbing.Hash) string {
	s := h.String()
	return "objects/" + s[:2] + "/" + s[2:]
}

// writeLoose writes a loose object through a durable temporary file. It replaces an
// existing file, which a power cut may have damaged.
func (r *repo) writeLoose(z *zlib.Writer, o plumbing.EncodedObject) error {
	name := looseName(o.Hash())
	dir := path.Dir(name)
	temp := dir + "/tmp_obj_" + path.Base(name) // git cleans up files with such names
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

// compress writes an object to a file in git's format, durably.
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
