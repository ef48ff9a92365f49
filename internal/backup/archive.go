package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/base/plainfile"
)

// writeArchive writes a backup of dir to path and syncs it. The backup is encrypted if
// there are recipients. writeArchive returns the hash of the uncompressed content.
func writeArchive(ctx context.Context, path, dir string, m Manifest, to []age.Recipient, report func(n int64)) (sum []byte, err error) {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	var file io.WriteCloser = keepOpen{out}
	if len(to) > 0 {
		if file, err = age.Encrypt(out, to...); err != nil {
			return nil, err
		}
	}
	content, packed := sha256.New(), sha256.New()
	// The fastest level, since compression dominates the time of a backup.
	zip, err := zstd.NewWriter(io.MultiWriter(file, packed), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, err
	}
	if err := errors.Join(writeTar(ctx, io.MultiWriter(zip, content), dir, m, report), zip.Close()); err != nil {
		return nil, err
	}
	if _, err := file.Write(zstandard.seal(packed.Sum(nil))); err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	return content.Sum(nil), out.Sync()
}

// keepOpen hides the Close method of a file, which must be synced before it is closed.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

func writeTar(ctx context.Context, to io.Writer, dir string, m Manifest, report func(n int64)) error {
	w := tar.NewWriter(to)
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	head := &tar.Header{Name: manifestName, Mode: 0o600, Size: int64(len(text)), ModTime: m.Time}
	if err := w.WriteHeader(head); err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	// The database comes first, for readers that need nothing else.
	info, err := os.Stat(filepath.Join(dir, databaseName))
	if err != nil {
		return err
	}
	if err := writeEntry(ctx, w, filepath.Join(dir, databaseName), homePrefix+databaseName, fs.FileInfoToDirEntry(info), report); err != nil {
		return err
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(dir, name)
		if err = errors.Join(err, relErr); err != nil || rel == "." || rel == databaseName {
			return err
		}
		return writeEntry(ctx, w, name, homePrefix+filepath.ToSlash(rel), d, report)
	})
	return errors.Join(err, w.Close())
}

func writeEntry(ctx context.Context, w *tar.Writer, from, name string, d fs.DirEntry, report func(n int64)) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	h := &tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o600, Size: info.Size(), ModTime: info.ModTime(), Format: tar.FormatPAX}
	switch {
	case d.IsDir():
		h.Typeflag, h.Name, h.Mode, h.Size = tar.TypeDir, name+"/", 0o700, 0
	case d.Type()&fs.ModeSymlink != 0:
		h.Typeflag, h.Size = tar.TypeSymlink, 0
		if h.Linkname, err = os.Readlink(from); err != nil {
			return err
		}
	}
	if err := w.WriteHeader(h); err != nil || h.Typeflag != tar.TypeReg {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, &reader{ctx: ctx, from: in, report: report})
	return errors.Join(err, in.Close())
}

// read is what was read from a backup.
type read struct {
	files int
	bytes int64  // of the files
	sum   []byte // hash of the uncompressed content
}

// readArchive reads a backup. It calls begin with the manifest, and take with each file,
// directory and link in order. It fails if anything differs from what was written.
func readArchive(ctx context.Context, path string, keys []age.Identity, begin func(Manifest), take func(entry, io.Reader) error) (n read, err error) {
	f, err := plainfile.Open(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return n, strata.NotFound("read backup", "file", path)
	case errors.Is(err, plainfile.ErrPipe):
		return n, strata.Invalid("read backup", path+" is a pipe", "name a file")
	}
	if err != nil {
		return n, unavailable("the backup cannot be read", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return n, unavailable("the backup cannot be read", err)
	}
	from, err := packed(ctx, f, keys)
	if err != nil {
		return n, err
	}
	zip, err := decompressed(from)
	if err != nil {
		return n, damaged("it cannot be unpacked", err)
	}
	defer zip.Close()
	sum := sha256.New()
	content := io.TeeReader(zip, sum)
	r := tar.NewReader(content)
	m, err := readManifest(r, info.Size())
	if err != nil {
		return n, err
	}
	begin(m)
	list := newInventory(info.Size())
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return n, damaged("it cannot be unpacked", err)
		}
		e, err := list.add(h)
		if err != nil {
			return n, err
		}
		source := &reading{from: r}
		if err := take(e, &reader{ctx: ctx, from: source, report: func(int64) {}}); source.err != nil {
			return n, damaged(e.path+" cannot be read", source.err)
		} else if err != nil {
			return n, err
		}
		if e.isFile() {
			n.files, n.bytes = n.files+1, n.bytes+e.size
		}
	}
	if more, err := io.Copy(io.Discard, content); err != nil || more > 0 {
		return n, damaged("something follows its end", err)
	}
	n.sum = sum.Sum(nil)
	return n, list.complete()
}

// unsealed returns the number of bytes before the seal of a backup, after verifying that
// the seal matches them.
func unsealed(ctx context.Context, f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, unavailable("the backup cannot be read", err)
	}
	if !info.Mode().IsRegular() {
		return 0, foreign(nil)
	}
	head := make([]byte, len(zstandard.magic))
	if _, err := f.ReadAt(head, 0); err != nil {
		return 0, foreign(nil)
	}
	c, ok := compressionOf(head)
	if !ok {
		return 0, foreign(nil)
	}
	sum := sha256.New()
	end := c.seal(sum.Sum(nil))
	length := info.Size() - int64(len(end))
	if length <= 0 {
		return 0, damaged("its end is missing", nil)
	}
	if _, err := io.Copy(sum, &reader{ctx: ctx, from: io.NewSectionReader(f, 0, length), report: func(int64) {}}); err != nil {
		return 0, unavailable("the backup cannot be read", err)
	}
	end = c.seal(sum.Sum(nil))
	is := make([]byte, len(end))
	if _, err := f.ReadAt(is, length); err != nil {
		return 0, unavailable("the backup cannot be read", err)
	}
	if !bytes.Equal(is, end) {
		if !bytes.Contains(is, []byte(kindName)) {
			return 0, damaged("its end is missing, or another program wrote it", nil)
		}
		return 0, damaged("it is not what was written", nil)
	}
	return length, nil
}

// reader stops when its context is done, and reports the number of bytes of each read.
type reader struct {
	ctx    context.Context
	from   io.Reader
	report func(n int64)
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.from.Read(p)
	r.report(int64(n))
	return n, err
}

func unavailable(message string, err error) error {
	var known *strata.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "backup", Message: message, Hint: "make sure that it can be read and written, and that the disk has room", Err: err}, "")
}
