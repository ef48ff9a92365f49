package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/diskfault"
	"github.com/strata-memory/strata/internal/plainfile"
)

// writeArchive writes a backup of the files that lie in dir to path, durably, encrypted
// where there are recipients.
func writeArchive(ctx context.Context, path, dir string, m Manifest, to []age.Recipient, report func(n int64)) (err error) {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	var file io.WriteCloser = keepOpen{out}
	if len(to) > 0 {
		if file, err = age.Encrypt(out, to...); err != nil {
			return err
		}
	}
	sum := sha256.New()
	// The fastest level: a backup waits for this more than for anything else.
	zip, err := zstd.NewWriter(io.MultiWriter(file, sum), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return err
	}
	if err := errors.Join(writeTar(ctx, zip, dir, m, report), zip.Close()); err != nil {
		return err
	}
	if _, err := file.Write(zstandard.seal(sum.Sum(nil))); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return out.Sync()
}

// keepOpen is a file that is synced before it is closed.
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
	for _, e := range m.Entries {
		if err := w.WriteHeader(e.header()); err != nil {
			return err
		}
		if !e.isFile() {
			continue
		}
		in, err := os.Open(filepath.Join(dir, filepath.FromSlash(e.Path)))
		if err != nil {
			return err
		}
		_, err = io.Copy(w, &reader{ctx: ctx, from: in, report: report})
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
	}
	return w.Close()
}

func (e Entry) header() *tar.Header {
	h := &tar.Header{Name: homePrefix + e.Path, Mode: 0o600, Size: e.Size, ModTime: e.Time, Format: tar.FormatPAX}
	switch {
	case e.Dir:
		h.Typeflag, h.Mode, h.Name = tar.TypeDir, 0o700, h.Name+"/"
	case e.Link != "":
		h.Typeflag, h.Linkname = tar.TypeSymlink, e.Link
	}
	return h
}

// readArchive reads a backup: begin gets its manifest, and take each file, directory
// and link in order, with bytes that are compared with their hash as they are read. It
// fails where anything is not as it was written.
func readArchive(ctx context.Context, path string, keys []age.Identity, begin func(Manifest) error, take func(Entry, io.Reader) error) error {
	f, err := plainfile.Open(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return strata.NotFound("read backup", "file", path)
	case errors.Is(err, plainfile.ErrPipe):
		return strata.Invalid("read backup", path+" is a pipe", "name a file")
	}
	if err != nil {
		return unavailable("the backup cannot be read", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return unavailable("the backup cannot be read", err)
	}
	from, err := packed(ctx, f, keys)
	if err != nil {
		return err
	}
	zip, err := decompressed(from)
	if err != nil {
		return damaged("it cannot be unpacked", err)
	}
	defer zip.Close()
	r := tar.NewReader(zip)
	m, err := readManifest(r, info.Size())
	if err != nil {
		return err
	}
	if err := begin(m); err != nil {
		return err
	}
	for _, e := range m.Entries {
		if err := readEntry(ctx, r, e, take); err != nil {
			return err
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		return damaged("it holds more than it names", err)
	}
	if n, err := io.Copy(io.Discard, zip); err != nil || n > 0 {
		return damaged("something follows its end", err)
	}
	return nil
}

func readEntry(ctx context.Context, r *tar.Reader, e Entry, take func(Entry, io.Reader) error) error {
	h, err := r.Next()
	if err != nil {
		return damaged(e.Path+" is missing", err)
	}
	if want := e.header(); h.Name != want.Name || h.Size != want.Size || h.Linkname != want.Linkname ||
		h.Typeflag != want.Typeflag && (want.Typeflag != 0 || h.Typeflag != tar.TypeReg) {
		return damaged("it holds "+h.Name+" where its list has "+e.Path, nil)
	}
	sum := sha256.New()
	bytes := &reader{ctx: ctx, from: io.TeeReader(r, sum), report: func(int64) {}}
	if err := take(e, bytes); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, bytes); err != nil {
		return damaged(e.Path+" cannot be read", err)
	}
	if e.isFile() && hex.EncodeToString(sum.Sum(nil)) != e.SHA256 {
		return damaged(e.Path+" is not what was written", nil)
	}
	return nil
}

// unsealed returns how many bytes of a backup come before its seal, once it has found
// that they are those that it was made of.
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
			return 0, damaged("its end is missing, or it is the file of another program", nil)
		}
		return 0, damaged("it is not what was written", nil)
	}
	return length, nil
}

// reader ends with its context, and reports the bytes that were read.
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
	if errors.As(err, &known) {
		return err
	}
	return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "backup", Message: message, Hint: "see that it may be read and written, and that there is room on the disk", Err: err}, "")
}
