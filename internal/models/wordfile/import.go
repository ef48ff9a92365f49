package wordfile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/text/wordvec"
	"github.com/strata-memory/strata/llm/builtin"
)

// maxWords is the most words kept of a file. Rarer ones hardly ever occur, and they take
// memory while the file is made.
const maxWords = 1 << 20

// Import imports a file of word vectors (see [wordvec.Read]) into the home and puts it
// into use. It keeps the words in memory and their values in a temporary file. A file
// that cannot be used changes nothing. Import calls progress from time to time with the
// number of words seen.
//
// Errors: invalid for a bad file, canceled, read_only, full.
func (h *Home) Import(ctx context.Context, in io.Reader, progress func(seen int64)) error {
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		return unwritable(h.dir, err)
	}
	wait, err := os.CreateTemp(h.dir, ".values-*") // mode 0600
	if err != nil {
		return unwritable(h.dir, err)
	}
	defer os.Remove(wait.Name())
	defer wait.Close()
	words, err := wordvec.Read(&ctxReader{ctx, in}, maxWords, wait, progress)
	if err != nil {
		return writeFailed(h.dir, err)
	}
	digest, err := h.write(words)
	if err == nil {
		err = h.replace(currentName, digest+"\n")
	}
	if err != nil {
		return writeFailed(h.dir, err)
	}
	return nil
}

// write writes the file of words under its digest, atomically.
func (h *Home) write(words *wordvec.Builder) (digest string, err error) {
	sum := sha256.New()
	temp, err := h.fill("words", func(w io.Writer) error { return words.Finish(io.MultiWriter(w, sum)) })
	if err != nil {
		return "", err
	}
	digest = hex.EncodeToString(sum.Sum(nil))[:digestLength]
	return digest, h.publish(temp, digest+fileEnd)
}

// replace writes a small file atomically.
func (h *Home) replace(name, text string) error {
	temp, err := h.fill(name, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	if err != nil {
		return err
	}
	return h.publish(temp, name)
}

// fill writes a temporary file and syncs it.
func (h *Home) fill(name string, content func(io.Writer) error) (temp string, err error) {
	f, err := os.CreateTemp(h.dir, "."+name+"-*") // mode 0600
	if err != nil {
		return "", err
	}
	if err := errors.Join(content(f), f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// publish renames a temporary file to its name and syncs the directory.
func (h *Home) publish(temp, name string) error {
	if err := os.Rename(temp, filepath.Join(h.dir, name)); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return h.sync()
}

// sync syncs the directory.
func (h *Home) sync() error {
	d, err := os.Open(h.dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Remove puts the words that the program ships with back into use. It reports whether a
// file was in use. The file itself stays as long as its vectors serve: see [Home.Keep].
func (h *Home) Remove() (bool, error) {
	err := os.Remove(filepath.Join(h.dir, currentName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = h.sync()
	}
	if err != nil {
		return false, unwritable(h.dir, err)
	}
	return true, nil
}

// Check reads all of the file in use and returns the result of Words, with Problem set if
// the file differs from what was imported.
func (h *Home) Check(ctx context.Context) (builtin.Words, error) {
	w := h.Words()
	if w.Path == "" || w.Problem != "" {
		return w, nil
	}
	f, err := os.Open(w.Path)
	if err != nil {
		w.Problem = problem(err)
		return w, nil
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, &ctxReader{ctx, f}); err != nil {
		if ctx.Err() != nil {
			return w, err
		}
		w.Problem = problem(err)
		return w, nil
	}
	if digest := hex.EncodeToString(sum.Sum(nil))[:digestLength]; h.path(digest) != w.Path {
		w.Problem = "it is damaged: its bytes are not those that were imported"
	}
	return w, nil
}

// ctxReader reads from in until ctx ends.
type ctxReader struct {
	ctx context.Context
	in  io.Reader
}

// Read reads into p.
func (r *ctxReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, &strata.Error{Code: strata.CodeCanceled, Op: importOp, Message: "given up; nothing was changed", Err: err}
	}
	return r.in.Read(p)
}

// importOp is the operation that errors name.
const importOp = "import word vectors"

// writeFailed explains errors of the home's own files, and passes on errors about the
// imported file.
func writeFailed(dir string, err error) error {
	var coded *strata.Error
	if errors.As(err, &coded) {
		return err
	}
	var path *fs.PathError
	if errors.As(err, &path) && filepath.Dir(path.Path) == dir {
		return unwritable(dir, err)
	}
	return strata.Invalid(importOp, "the file of word vectors cannot be read: "+err.Error(), "check the file")
}

func unwritable(dir string, err error) error {
	return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: importOp, Message: fmt.Sprintf("%s cannot be written", dir),
		Hint: "see that the home can be written and has room", Err: err}, dir)
}
