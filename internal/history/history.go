package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/durable"
	"github.com/strata-memory/strata/store/files"
)

var _ files.History = (*History)(nil)

// MaxFile is the size, in bytes, of the largest file that a commit records.
const MaxFile = 1 << 20

// History is the version history of the directories of scopes. It is safe for concurrent
// use, even by several processes.
type History struct {
	dir    func(strata.Scope) (root string, ok bool)
	author string
}

// Options configure a [History]. The zero value is ready for use.
type Options struct {
	// Author is the author of commits, as "name <mail>"; {agent} in it is replaced by
	// [files.Message].Agent. Empty means "{agent} <agent@localhost>".
	Author string
}

// New returns a history. For a scope, dir returns the directory whose .git is the
// repository, which several scopes may share, or false if none is available. The
// directory need not exist. A nil opts means the zero Options.
func New(dir func(strata.Scope) (root string, ok bool), opts *Options) *History {
	h := &History{dir: dir, author: defaultAuthor}
	if opts != nil && opts.Author != "" {
		h.author = opts.Author
	}
	return h
}

// The names of the operations in errors.
const (
	opCommit = "commit"
	opRead   = "read history"
	opPurge  = "purge history"
)

// errNone means that there is no repository, and errNoDirectory that there is not even a
// directory.
var (
	errNone        = errors.New("nothing is recorded here yet")
	errNoDirectory = errors.New("the directory does not exist")
)

// access says what a repository is opened for.
type access uint8

const (
	toRead   access = iota // read it, even if others change it meanwhile
	toChange               // change it; it must exist
	toCreate               // change it; make it if necessary
)

// enter opens the repository of a scope and takes its lock, for which a reader waits only
// briefly. The caller must close the repository. If there is none and none is made, the
// error is errNone.
func (h *History) enter(ctx context.Context, op string, scope strata.Scope, a access) (*repo, error) {
	dir, ok := h.dir(scope)
	if !ok {
		return nil, &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: fmt.Sprintf("the directory of %s is not available", scope),
			Hint: "run it inside that workspace"}
	}
	r, err := openRepo(ctx, dir, a)
	return r, describe(op, dir, err)
}

// openRepo opens the repository in a directory and takes its lock.
func openRepo(ctx context.Context, dir string, a access) (_ *repo, err error) {
	r := &repo{dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	r.tree, err = os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoDirectory
	}
	if err != nil {
		return nil, err
	}
	if err := r.openGit(a == toCreate); err != nil {
		return nil, err
	}
	if err := r.lock(ctx, a); err != nil {
		return nil, err
	}
	switch fresh, err := r.isFresh(); {
	case err != nil:
		return nil, err
	case fresh && a != toCreate:
		return nil, errNone
	case fresh:
		if err := r.initialize(); err != nil {
			return nil, err
		}
	}
	if err := r.readSettings(); err != nil {
		return nil, err
	}
	if !r.unlocked {
		if err := r.recoverClaims(); err != nil && a == toCreate {
			return nil, err
		}
	}
	r.openObjects()
	return r, nil
}

// openGit opens the .git of the directory, which must be a directory and not a link.
func (r *repo) openGit(create bool) error {
	info, err := r.tree.Lstat(gitName)
	if errors.Is(err, fs.ErrNotExist) {
		if !create {
			return errNone
		}
		if err := r.tree.Mkdir(gitName, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err := durable.DirectoryIn(r.tree, "."); err != nil {
			return err
		}
		info, err = r.tree.Lstat(gitName)
	}
	if err != nil {
		return err
	}
	path := filepath.Join(r.dir, gitName)
	if !info.IsDir() {
		what := "a file: the directory is a worktree or submodule of another repository"
		if info.Mode()&fs.ModeSymlink != 0 {
			what = "a link"
		}
		return refused(path+" is "+what, "memory keeps a repository of its own; move "+path+" away to let it make one")
	}
	if r.git, err = r.tree.OpenRoot(gitName); err != nil {
		return err
	}
	if opened, err := r.git.Stat("."); err != nil || !os.SameFile(info, opened) {
		return errors.Join(damaged("%s changed while it was opened", path), err)
	}
	if _, err := r.git.Lstat("commondir"); err == nil {
		return refused(path+" belongs to a worktree of another repository", "memory keeps a repository of its own; move it away to let it make one")
	}
	return nil
}
