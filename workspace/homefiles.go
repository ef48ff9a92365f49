package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// homeFiles is the directory in which the home keeps the files of a workspace that has no
// .strata, while they move into a .strata. Its lock is held, so that nobody writes to it
// meanwhile. The zero value has no files.
type homeFiles struct {
	dir     *directory
	release func()
	moved   []string // names of the files that were copied
}

func openHomeFiles(ctx context.Context, home, id string) (*homeFiles, error) {
	if home == "" {
		return &homeFiles{}, nil
	}
	base, err := os.OpenRoot(home)
	if errors.Is(err, fs.ErrNotExist) {
		return &homeFiles{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer base.Close()
	if err := checkDirs(base, pointerDir(id), opInit); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return &homeFiles{}, nil
		}
		return nil, err
	}
	dir, err := base.OpenRoot(pointerDir(id))
	if err != nil {
		return nil, err
	}
	release, err := lockIn(ctx, dir, lockName, opInit, "the directory of the workspace in the home")
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return &homeFiles{dir: &directory{dir}, release: release}, nil
}

// Close releases the lock.
func (h *homeFiles) Close() {
	if h.dir != nil {
		h.release()
		h.dir.Close()
	}
}

// moveTo copies the files into .strata unless something is in their place. A repository
// with their history is copied only if .strata has none. moveTo returns the documents
// that moved and the files that stay because another is in their place.
func (h *homeFiles) moveTo(to *directory) (moved, left []string, err error) {
	if h.dir == nil {
		return nil, nil, nil
	}
	if known, err := h.dir.Lstat(pointerName); err == nil && known.Mode().IsRegular() {
		return nil, nil, nil // they were moved before
	}
	history := false
	if _, err := to.Lstat(".git"); errors.Is(err, fs.ErrNotExist) {
		history = true
	}
	names, err := h.names()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		if strings.HasPrefix(name, ".git"+string(filepath.Separator)) && !history {
			continue
		}
		done, err := h.copy(name, to)
		switch {
		case err != nil:
			return moved, left, err
		case !done:
			left = append(left, filepath.ToSlash(name))
		default:
			h.moved = append(h.moved, name)
			if strings.HasSuffix(name, ".md") {
				moved = append(moved, filepath.ToSlash(name))
			}
		}
	}
	return moved, left, nil
}

// names lists the files to move. It leaves out transcripts and links.
func (h *homeFiles) names() ([]string, error) {
	var names []string
	err := fs.WalkDir(h.dir.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "transcripts" && !strings.HasPrefix(name, ".git/"):
			return fs.SkipDir
		case !e.Type().IsRegular(), name == lockName, name == tempName:
			return nil
		}
		names = append(names, filepath.FromSlash(name))
		return nil
	})
	slices.Sort(names)
	return names, err
}

// copy copies a file unless another is in its place. done reports whether to has the
// content.
func (h *homeFiles) copy(name string, to *directory) (done bool, err error) {
	content, err := h.dir.ReadFile(name)
	if err != nil {
		return false, err
	}
	if err := makePrivate(to.Root, filepath.Dir(name)); err != nil {
		return false, err
	}
	if was, err := to.ReadFile(name); err == nil {
		return bytes.Equal(was, content), nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, nil // something other than a file is there
	}
	at, err := to.OpenRoot(filepath.Dir(name))
	if err != nil {
		return false, err
	}
	d := &directory{at}
	defer d.Close()
	return true, d.replace(filepath.Base(name), content)
}

// drop removes the files that were copied and the directories that become empty.
func (h *homeFiles) drop() error {
	for _, name := range h.moved {
		if err := removeIfThere(h.dir.Root, name); err != nil {
			return err
		}
		for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
			if h.dir.Remove(dir) != nil {
				break // it holds something else
			}
		}
	}
	return nil
}
