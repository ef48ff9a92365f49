package history

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// snapshot compares a work tree with its last commit.
type snapshot struct {
	r     *repo
	write *objectWriter
	check func(path string, content []byte) error

	held    listing // files of the last commit
	index   *gitIndex
	indexed bool // whether there was an index
	walker  walker
	ends    lineEnds
	now     time.Time

	// entries are the new state, unsorted.
	entries []tracked
}

// state is the state of a work tree to record.
type state struct {
	entries []tracked // sorted by path
	changes []string  // paths that differ from the last commit, sorted
	left    []files.Skipped
	// stale reports whether the index must be rewritten for the entries.
	stale bool
}

// take examines the work tree and writes the objects that are new in it. If only is set,
// it examines only those paths; the rest stays as recorded.
func (s *snapshot) take(ctx context.Context, held listing, only func(string) bool) (state, error) {
	var err error
	if s.index, s.indexed, err = s.r.readIndex("index"); err != nil {
		return state{}, err
	}
	if s.index.unmerged {
		return state{}, errUnmerged
	}
	s.held = held
	s.walker = walker{r: s.r, held: held, unchanged: make(map[string]bool), tracked: s.trackedPaths()}
	exclude, err := readRules(s.r.git, "info/exclude")
	if err != nil {
		return state{}, err
	}
	if err := s.walker.walk(ctx, nil, parseIgnore(exclude, nil), false); err != nil {
		return state{}, err
	}
	s.now = time.Now()
	// Sort the small found list now; the entries made from it are then nearly sorted.
	slices.SortFunc(s.walker.found, func(a, b onDisk) int { return cmp.Compare(a.path, b.path) })
	s.entries = make([]tracked, 0, len(s.walker.found))
	s.ends = lineEnds{r: s.r, files: make(map[string]string)}
	for i, f := range s.walker.found {
		if i%64 == 0 {
			if err := ctx.Err(); err != nil {
				return state{}, err
			}
		}
		if only != nil && !only(f.path) {
			continue
		}
		if err := s.file(f); err != nil {
			return state{}, err
		}
	}
	s.addUnchanged(only)
	return s.finish(), nil
}

// trackedPaths returns, sorted, the paths that the index tracks, or those of the last
// commit if there is no index.
func (s *snapshot) trackedPaths() []string {
	paths := make([]string, 0, len(s.held))
	if s.indexed {
		for _, e := range s.index.entries {
			paths = append(paths, e.Name)
		}
	} else {
		for _, e := range s.held {
			paths = append(paths, e.Name)
		}
	}
	return paths
}

// maxLooks is how often a file is examined again if it is replaced before it is read, as
// Strata replaces its own files.
const maxLooks = 5

// file decides what to record of one file.
func (s *snapshot) file(f onDisk) error {
	known, isTracked := s.index.lookup(f.path)
	held := s.held.at(f.path)
	now := statOf(f.info)
	now.Name, now.Mode, now.Hash = f.path, s.mode(f.info, known.Mode, held.Mode), known.Hash
	same := isTracked && isFile(known.Mode) && (known.assumed || s.index.unchanged(known, now))
	if same && known.Hash == held.Hash {
		if known.assumed {
			known.Mode, known.SkipWorktree = now.Mode, false
			now = known.Entry
		}
		s.entries = append(s.entries, tracked{now, known.assumed})
		return nil
	}
	if f.info.Size() > MaxFile {
		s.walker.leave(f.path, reasonLarge)
		return nil
	}
	content, reason, err := s.content(f)
	if err != nil {
		return err
	}
	if reason == reasonUnstable && f.looks < maxLooks {
		if info, err := s.r.tree.Lstat(f.path); err == nil && info.Mode().IsRegular() {
			return s.file(onDisk{f.path, info, f.looks + 1})
		}
	}
	if reason != "" {
		s.walker.leave(f.path, reason)
		return nil
	}
	before := known.recorded()
	if !isTracked {
		before = held
	}
	if content, err = s.ends.stored(f.path, content, before); err != nil {
		return err
	}
	o := encoded(plumbing.BlobObject, content)
	if now.Hash = o.Hash(); now.Hash != held.Hash {
		if s.check != nil {
			if err := s.check(f.path, bytes.Clone(content)); err != nil {
				s.walker.leave(f.path, reasonOf(err))
				return nil
			}
		}
		s.write.put(o)
	}
	if tooFresh(f.info, s.now) {
		now.Size = 0 // as git does, so that the file is read again
	}
	s.entries = append(s.entries, tracked{Entry: now})
	return nil
}

// reasonOf returns the reason that a commit gives for a file that check rejected.
func reasonOf(err error) string {
	var e *strata.Error
	if errors.As(err, &e) && e.Message != "" {
		return e.Message
	}
	return err.Error()
}

func isFile(mode filemode.FileMode) bool {
	return mode == filemode.Regular || mode == filemode.Executable
}

// mode returns the mode to record. If the executable bit is not recorded, the recorded
// mode stays.
func (s *snapshot) mode(info fs.FileInfo, known, held filemode.FileMode) filemode.FileMode {
	switch {
	case !s.r.settings.fileMode && isFile(known):
		return known
	case !s.r.settings.fileMode && isFile(held):
		return held
	case s.r.settings.fileMode && info.Mode().Perm()&0o100 != 0:
		return filemode.Executable
	}
	return filemode.Regular
}

// content reads a file if it is still the one that was found. Otherwise it returns the
// reason to leave the file out.
func (s *snapshot) content(f onDisk) (content []byte, reason string, err error) {
	in, err := s.r.tree.Open(filepath.FromSlash(f.path))
	if errors.Is(err, fs.ErrPermission) {
		return nil, reasonRead, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, reasonUnstable, nil
	}
	if err != nil {
		return nil, "", err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, "", err
	}
	if !os.SameFile(info, f.info) {
		return nil, reasonUnstable, nil
	}
	content, err = io.ReadAll(io.LimitReader(in, MaxFile+1))
	if err != nil {
		return nil, reasonRead, nil // a bad sector, or a directory now
	}
	if len(content) > MaxFile {
		return nil, reasonLarge, nil
	}
	return content, "", nil
}

// addUnchanged adds the files that stay as in the last commit: those that were left out,
// and those that git is configured not to check out.
func (s *snapshot) addUnchanged(only func(string) bool) {
	if only == nil && len(s.walker.unchanged) == 0 && !s.index.sparse {
		return
	}
	done := make(map[string]bool, len(s.entries))
	for _, e := range s.entries {
		done[e.Name] = true
	}
	for _, e := range s.held {
		p := e.Name
		known, _ := s.index.lookup(p)
		stays := s.walker.isUnchanged(p) || only != nil && !only(p) || known.SkipWorktree && !anyAbove(done, p)
		if done[p] || never(strings.Split(p, "/"), false) || !stays {
			continue
		}
		if known.Hash != e.Hash || known.Mode != e.Mode {
			known = tracked{Entry: index.Entry{Name: p, Mode: e.Mode, Hash: e.Hash, SkipWorktree: known.SkipWorktree}}
		}
		s.entries = append(s.entries, known)
	}
}

// anyAbove reports whether one of the paths is a parent directory of file.
func anyAbove(paths map[string]bool, file string) bool {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if paths[dir] {
			return true
		}
	}
	return false
}

// finish compares the new state with the last commit and with the index.
func (s *snapshot) finish() state {
	out := state{entries: s.entries, left: s.walker.left, stale: !s.indexed || len(s.entries) != len(s.index.entries)}
	slices.SortFunc(out.entries, func(a, b tracked) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(out.left, func(a, b files.Skipped) int { return cmp.Compare(a.Path, b.Path) })
	held := s.held
	for i, e := range out.entries {
		for len(held) > 0 && held[0].Name < e.Name { // it is gone
			out.changes, held = append(out.changes, held[0].Name), held[1:]
		}
		if len(held) > 0 && held[0].Name == e.Name {
			if held[0] != e.recorded() {
				out.changes = append(out.changes, e.Name)
			}
			held = held[1:]
		} else {
			out.changes = append(out.changes, e.Name)
		}
		out.stale = out.stale || s.index.entries[i] != e
	}
	for _, e := range held {
		out.changes = append(out.changes, e.Name)
	}
	return out
}
