// Package wordfile keeps files of word vectors in a home: the built-in embedder
// then has their words in place of those of the program.
//
// A file is imported once, made ready and quantised, and named by its digest; a
// file beside them says which of them is in use. A model's name holds the digest,
// so vectors of one are never compared with those of another, and an earlier file
// stays as long as vectors that were made with it serve. Where a file is missing or
// damaged the words of the program take its place.
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
	// directory is where the files lie in a home, readable by the owner only.
	directory = "words"
	// currentName is the file that names the digest of the one in use.
	currentName = "current"
	// fileEnd follows the digest in the name of a file.
	fileEnd = ".words"
)

// Home is the files of word vectors of a home. It is safe for concurrent use, and
// sees at once what other processes change.
type Home struct {
	dir     string
	log     *slog.Logger
	shipped func() *builtin.Embedder

	mu     sync.Mutex // guards what follows
	seen   stamp
	state  builtin.Words
	using  *builtin.Embedder
	missed map[string]bool // digests of files that were looked for in vain
}

// stamp tells one state of currentName from another, and of the file it names.
type stamp struct {
	file  fs.FileInfo // nil: there is none
	named string
	words fs.FileInfo
}

// In returns the files of a home, which need not be there yet.
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

// Words says which words are in use.
func (h *Home) Words() builtin.Words {
	h.look()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state
}

// Of returns the embedder that a file of the home makes for a model; nil if there
// is no such file.
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

// miss says once that a file is not there whose vectors memory has.
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

// look opens the words in use where they are not those that were opened before.
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
	table, err := open(h.state.Path) // which the file that names none is not
	if err != nil {
		h.state.Problem = problem(err)
		h.log.Warn("the file of word vectors is not used, those of the program are", "file", h.state.Path,
			"why", h.state.Problem, "cure", Cure)
		return
	}
	h.using = builtin.WithWords(table, now.named)
	h.state.Count, h.state.Dimensions = table.Words(), table.Dimensions()
}

// Cure is what mends a file that cannot be used.
const Cure = "strata embedder import FILE takes it in again, strata embedder remove does without"

// stamp looks at the files.
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

// sameFile reports whether two looks at a name found the same; nil is nothing.
func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// digestLength is how many hexadecimal digits of the SHA-256 of a file name it.
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
			return table, nil // which keeps the file open
		}
	}
	return nil, errors.Join(err, f.Close())
}

// problem says in words why a file is not used.
func problem(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it is missing"
	case errors.Is(err, wordvec.ErrFile):
		return "it is damaged: " + wordvec.ErrFile.Error()
	}
	return "it cannot be read: " + err.Error()
}

// keepFor is how long a file stays that no model needs: another process may just
// have written it.
const keepFor = time.Hour

// Keep removes the files that neither are in use nor have made the vectors of one
// of the models. What cannot be removed stays.
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
		_ = os.Remove(filepath.Join(h.dir, e.Name())) // the next look tries again
	}
}
