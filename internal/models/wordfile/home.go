// Package wordfile keeps files of word vectors in a home. Their words replace those that
// the built-in embedder ships with.
//
// A file is prepared and quantized once, at import, and named by its digest. A separate
// file names the one in use. The digest is part of a model's name, so vectors of
// different files are never compared, and an earlier file stays as long as vectors made
// with it serve. If a file is missing or damaged, the embedder uses the words that the
// program ships with.
package wordfile

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/strata-memory/strata/internal/text/wordvec"
	"github.com/strata-memory/strata/llm/builtin"
)

const (
	// directory is the name of the directory in a home that holds the files. Only the
	// owner can read it.
	directory = "words"
	// currentName is the file that holds the digest of the file in use.
	currentName = "current"
	// fileEnd is the extension of the files, after the digest.
	fileEnd = ".words"
)

// Home manages the files of word vectors in a home. It is safe for concurrent use, and
// sees changes by other processes at once.
type Home struct {
	dir     string
	log     *slog.Logger
	shipped func() *builtin.Embedder

	mu     sync.Mutex // guards the fields below
	seen   stamp
	state  builtin.Words
	using  *builtin.Embedder
	missed map[string]bool // digests of missing files that were reported
}

// stamp identifies a state of the file currentName and of the file that it names.
type stamp struct {
	file  fs.FileInfo // nil if there is none
	named string
	words fs.FileInfo
}

// In returns the Home for a home directory, whose files need not exist yet.
func In(home string, log *slog.Logger) *Home {
	return &Home{dir: filepath.Join(home, directory), log: log, shipped: sync.OnceValue(builtin.New)}
}

// Embedder returns the built-in embedder with the words in use.
func (h *Home) Embedder() *builtin.Embedder {
	h.look()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.using
}

// Words returns which words are in use.
func (h *Home) Words() builtin.Words {
	h.look()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state
}

// Of returns the embedder of a model that was made with a file of the home, or nil if
// there is no such file.
func (h *Home) Of(model string) *builtin.Embedder {
	digest := builtin.DigestOf(model)
	if digest == "" || !isDigest(digest) {
		return nil
	}
	h.mu.Lock()
	using := h.using
	h.mu.Unlock()
	if using != nil && using.Model() == model {
		return using
	}
	table, err := open(h.path(digest))
	if err != nil {
		h.miss(digest, err)
		return nil
	}
	if e := builtin.WithWords(table, digest); e.Model() == model {
		return e
	}
	return nil
}

// miss logs once that a file is missing that vectors in memory were made with.
func (h *Home) miss(digest string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.missed == nil {
		h.missed = make(map[string]bool)
	}
	if !h.missed[digest] {
		h.missed[digest] = true
		h.log.Warn("vectors were made with a file of word vectors that is not used any more", "file", h.path(digest),
			"why", problem(err), "cure", Cure)
	}
}

func (h *Home) path(digest string) string { return filepath.Join(h.dir, digest+fileEnd) }

// look opens the words in use if they have changed.
func (h *Home) look() {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.stamp()
	if h.using != nil && now.same(h.seen) {
		return
	}
	h.seen = now
	h.state = builtin.Words{}
	h.using = h.shipped()
	if now.named == "" && now.file == nil {
		return
	}
	if h.state.Path = h.path(now.named); now.named == "" {
		h.state.Path = filepath.Join(h.dir, currentName)
	}
	table, err := open(h.state.Path) // fails for currentName itself, if that names no file
	if err != nil {
		h.state.Problem = problem(err)
		h.log.Warn("the file of word vectors is not used, those of the program are", "file", h.state.Path,
			"why", h.state.Problem, "cure", Cure)
		return
	}
	h.using = builtin.WithWords(table, now.named)
	h.state.Count, h.state.Dimensions = table.Words(), table.Dimensions()
}

// Cure is advice on what to do about a file that cannot be used.
const Cure = "strata embedder import FILE takes it in again, strata embedder remove does without"

// stamp returns the present state of the files.
func (h *Home) stamp() (s stamp) {
	path := filepath.Join(h.dir, currentName)
	info, err := os.Stat(path)
	if err != nil {
		return s
	}
	s.file = info
	if h.seen.file != nil && sameFile(info, h.seen.file) {
		s.named = h.seen.named
	} else if data, err := os.ReadFile(path); err == nil && isDigest(strings.TrimSpace(string(data))) {
		s.named = strings.TrimSpace(string(data))
	}
	if words, err := os.Stat(h.path(s.named)); err == nil {
		s.words = words
	}
	return s
}

func (s stamp) same(o stamp) bool { return sameFile(s.file, o.file) && sameFile(s.words, o.words) }

// sameFile reports whether a and b describe the same state of a file; nil means no file.
func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// digestLength is how many hexadecimal digits of a file's SHA-256 its name has.
const digestLength = 16

func isDigest(s string) bool {
	return len(s) == digestLength && strings.Trim(s, "0123456789abcdef") == ""
}

// open opens a file that was imported.
func open(path string) (*wordvec.Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		var table *wordvec.Table
		if table, err = wordvec.OpenFile(f, info.Size()); err == nil {
			return table, nil // the table keeps the file open
		}
	}
	return nil, errors.Join(err, f.Close())
}

// problem describes why a file is not used.
func problem(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it is missing"
	case errors.Is(err, wordvec.ErrFile):
		return "it is damaged: " + wordvec.ErrFile.Error()
	}
	return "it cannot be read: " + err.Error()
}

// keepFor is how long a file stays after no model needs it: another process may have just
// written it.
const keepFor = time.Hour

// Keep removes the files that are not in use and did not make the vectors of any of the
// models. It ignores files that cannot be removed.
func (h *Home) Keep(models []string) {
	entries, err := os.ReadDir(h.dir)
	if err != nil {
		return
	}
	needed := map[string]bool{currentName: true}
	for _, m := range models {
		needed[builtin.DigestOf(m)+fileEnd] = true
	}
	h.look()
	h.mu.Lock()
	needed[h.seen.named+fileEnd] = true
	h.mu.Unlock()
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || needed[e.Name()] || !info.Mode().IsRegular() || time.Since(info.ModTime()) < keepFor {
			continue
		}
		_ = os.Remove(filepath.Join(h.dir, e.Name())) // the next call tries again
	}
}
