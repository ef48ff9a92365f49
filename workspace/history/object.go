package history

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// hashOf is the name of an object.
func hashOf(kind plumbing.ObjectType, data []byte) plumbing.Hash {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(data))
	h.Write(data)
	return plumbing.Hash(h.Sum(nil))
}

// looseName is where an object lies that is in no pack.
func looseName(h plumbing.Hash) string {
	s := h.String()
	return "objects/" + s[:2] + "/" + s[2:]
}

// read returns an object of a kind, and proves that it is what its name says.
func (r *repo) read(kind plumbing.ObjectType, h plumbing.Hash) ([]byte, error) {
	found, data, err := r.readAny(h)
	if err == nil && found != kind {
		err = damaged("object %s is a %s and not a %s", h, found, kind)
	}
	return data, err
}

// readAny returns an object of any kind.
func (r *repo) readAny(h plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	kind, data, err := r.readLoose(h)
	if errors.Is(err, fs.ErrNotExist) {
		var missing error
		if kind, data, missing = r.readPacked(h); errors.Is(missing, plumbing.ErrObjectNotFound) {
			return 0, nil, damaged("object %s is missing", h)
		}
		err = missing
	}
	if err != nil {
		return 0, nil, damagedBy(err, "object %s cannot be read", h)
	}
	if hashOf(kind, data) != h {
		return 0, nil, damaged("object %s holds something else", h)
	}
	return kind, data, nil
}

// readLoose reads an object that is in no pack.
func (r *repo) readLoose(h plumbing.Hash) (plumbing.ObjectType, []byte, error) {
	f, err := r.git.Open(looseName(h))
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	z, err := zlib.NewReader(bufio.NewReader(f))
	if err != nil {
		return 0, nil, err
	}
	in := bufio.NewReader(z)
	name, err := in.ReadString(' ')
	if err != nil {
		return 0, nil, err
	}
	kind, err := plumbing.ParseObjectType(name[:len(name)-1])
	if err != nil {
		return 0, nil, err
	}
	size, err := in.ReadString(0)
	if err != nil {
		return 0, nil, err
	}
	n, err := strconv.ParseInt(size[:len(size)-1], 10, 64)
	if err != nil {
		return 0, nil, err
	}
	var data bytes.Buffer
	if n < MaxFile {
		data.Grow(int(max(n, 0)) + bytes.MinRead)
	}
	_, err = io.Copy(&data, in)
	if err == nil && int64(data.Len()) != n {
		err = io.ErrUnexpectedEOF
	}
	return kind, data.Bytes(), err
}

// readPacked reads an object out of a pack. The packs may be damaged in any
// way, and the code that reads them is not this project's: what it should panic
// at is damage like any other.
func (r *repo) readPacked(h plumbing.Hash) (kind plumbing.ObjectType, data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("read pack: %v", p)
		}
	}()
	o, err := r.objects.EncodedObject(plumbing.AnyObject, h)
	if err != nil {
		return 0, nil, err
	}
	in, err := o.Reader()
	if err != nil {
		return 0, nil, err
	}
	data, err = io.ReadAll(in)
	return o.Type(), data, errors.Join(err, in.Close())
}

// eachObject calls fn with the name of every object there is, reachable or not.
// One that lies in several places comes several times.
func (r *repo) eachObject(ctx context.Context, fn func(plumbing.Hash) error) error {
	if err := r.eachLoose(ctx, fn); err != nil {
		return err
	}
	return r.eachPacked(ctx, fn)
}

// eachLoose calls fn for every object that is in no pack.
func (r *repo) eachLoose(ctx context.Context, fn func(plumbing.Hash) error) error {
	dirs, err := fs.ReadDir(r.git.FS(), "objects")
	if err != nil {
		return damagedBy(err, "its objects cannot be listed")
	}
	for _, dir := range dirs {
		if len(dir.Name()) != 2 || !isHex(dir.Name()) {
			continue
		}
		names, err := fs.ReadDir(r.git.FS(), "objects/"+dir.Name())
		if err != nil {
			return damagedBy(err, "its objects cannot be listed")
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, f := range names {
			if name := dir.Name() + f.Name(); len(name) == 40 && isHex(name) {
				if err := fn(plumbing.NewHash(name)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// eachPacked calls fn for every object in a pack.
func (r *repo) eachPacked(ctx context.Context, fn func(plumbing.Hash) error) error {
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
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(h); err != nil {
				return err
			}
		}
	}
	return nil
}

// packIndex lists the objects of a pack.
func (r *repo) packIndex(pack plumbing.Hash) (hashes []plumbing.Hash, err error) {
	defer func() {
		if p := recover(); p != nil { // see readPacked
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

func isHex(s string) bool {
	if len(s)%2 != 0 {
		return false
	}
	_, err := hex.DecodeString(s)
	return err == nil && s == string(bytes.ToLower([]byte(s)))
}

// writeLoose writes an object to a temporary file, makes it durable and moves it
// there. What stood there is replaced: it may be what a power cut left.
func (r *repo) writeLoose(z *zlib.Writer, kind plumbing.ObjectType, h plumbing.Hash, data []byte) error {
	name := looseName(h)
	dir := path.Dir(name)
	temp := dir + "/tmp_obj_" + h.String()[2:] // git clears such names away
	if err := r.makeDir(dir); err != nil {
		return err
	}
	if err := r.removeIfThere(temp); err != nil {
		return err
	}
	f, err := r.git.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o400)
	if err != nil {
		return err
	}
	z.Reset(f)
	_, err = fmt.Fprintf(z, "%s %d\x00", kind, len(data))
	if err == nil {
		_, err = z.Write(data)
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = r.git.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, r.removeIfThere(temp))
	}
	return nil
}
