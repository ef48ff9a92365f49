package history

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/base/filelock"
)

const (
	// ownDir holds Strata's own files in a git directory.
	ownDir   = "strata"
	ownLock  = ownDir + "/lock"
	ownClaim = ownDir + "/claim-"

	// lockWait is how long one process waits for another. Each holds the lock for the
	// time of one commit or purge.
	lockWait = 30 * time.Second
	// claimWait is how long to wait for a lock of git's. Most are held for milliseconds.
	claimWait = 2 * time.Second
	// claimStale is the age from which a lock of git's is assumed to be left by a dead
	// git process. An editor that is open for a commit message may hold a lock for
	// minutes.
	claimStale = 10 * time.Minute
)

// readWait is how long a reader waits for the lock. Tests shorten it.
var readWait = 200 * time.Millisecond

// lock takes the lock of the repository, against other processes and against other users
// in this process. A reader that does not get it goes on without: objects do not change,
// and references are replaced atomically.
func (r *repo) lock(ctx context.Context, a access) error {
	err := r.makeDir(ownDir)
	if err == nil {
		r.lockFile, err = r.git.OpenFile(ownLock, os.O_RDWR|os.O_CREATE, 0o600)
	}
	if refused := diskfault.Of(err, ""); refused != nil && (a == toRead || refused.Code == strata.CodeReadOnly) {
		// A process that cannot write may still read, and keeps writers out meanwhile.
		r.lockFile, err = r.git.Open(ownLock)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil
		}
	}
	if err != nil {
		return err
	}
	wait := lockWait
	if a == toRead {
		wait = readWait
	}
	held, err := waitFor(ctx, wait, func() (bool, error) { return filelock.Try(r.lockFile) })
	if err == nil && !held && a == toRead {
		r.unlocked = true
	} else if err == nil && !held {
		err = &strata.Error{Code: strata.CodeBusy, Message: "another process holds the history in " + r.dir, Hint: "try again"}
	}
	return err
}

// waitFor repeats try until it succeeds or fails, for at most limit.
func waitFor(ctx context.Context, limit time.Duration, try func() (bool, error)) (bool, error) {
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if ok, err := try(); ok || err != nil {
			return ok, err
		}
		select {
		case <-time.After(pause):
		case <-timeout.C:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// claim is git's own lock on one of its files: the file's name plus ".lock". While it is
// held, no git process changes that file.
type claim struct {
	r    *repo
	name string
	own  string // Strata's name for the lock; empty if the file system has no links
	f    *os.File
}

// claim takes git's lock on a file of the git directory.
//
// The lock is made under a name of Strata's own, which is then linked to git's name. If
// this process is killed, the two names of one file tell the next process that the lock
// is Strata's and may be removed; a lock of git's may not. Strata's name becomes durable
// before git's name exists and outlasts it, so that a power cut, too, never leaves git's
// name alone.
func (r *repo) claim(ctx context.Context, name string) (*claim, error) {
	c := &claim{r: r, name: name, own: ownClaim + url.PathEscape(name)}
	if err := r.makeDir(path.Dir(name)); err != nil {
		return nil, err
	}
	if len(c.own) > 200 {
		c.own = "" // longer than some file systems allow
	}
	wait := claimWait
	if r.isStale(name) {
		wait = 0 // its holder is probably dead
	}
	held, err := waitFor(ctx, wait, c.try)
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, r.heldByGit(name)
	}
	return c, nil
}

// try makes the lock unless git holds it.
func (c *claim) try() (bool, error) {
	const flags = os.O_RDWR | os.O_CREATE | os.O_EXCL
	var err error
	if c.own != "" {
		if err := c.r.removeIfThere(c.own); err != nil {
			return false, err
		}
		if c.f, err = c.r.git.OpenFile(c.own, flags, 0o600); err != nil {
			return false, err
		}
		if err = c.r.syncDir(ownDir); err == nil {
			err = c.r.git.Link(c.own, c.name+".lock")
		}
		if err == nil {
			return true, nil
		}
		err = errors.Join(err, c.f.Close(), c.r.removeIfThere(c.own))
		if !errors.Is(err, syscall.EPERM) && !errors.Is(err, errors.ErrUnsupported) {
			return false, unlessExists(err)
		}
		c.own = "" // the file system has no links
	}
	if c.f, err = c.r.git.OpenFile(c.name+".lock", flags, 0o600); err != nil {
		return false, unlessExists(err)
	}
	return true, nil
}

func unlessExists(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// put replaces the file with content and releases the lock.
func (c *claim) put(content []byte) error {
	_, err := c.f.Write(content)
	if err == nil {
		err = c.f.Sync()
	}
	if err == nil {
		err = c.r.git.Rename(c.name+".lock", c.name)
	}
	if err != nil {
		return errors.Join(err, c.drop())
	}
	err = errors.Join(c.f.Close(), c.r.syncDir(path.Dir(c.name)), c.r.removeOwn(c.own))
	c.f = nil
	return err
}

// drop releases the lock and leaves the file as it is. After put it does nothing.
func (c *claim) drop() error {
	if c.f == nil {
		return nil
	}
	err := errors.Join(c.f.Close(), c.r.removeIfThere(c.name+".lock"), c.r.syncDir(path.Dir(c.name)), c.r.removeOwn(c.own))
	c.f = nil
	return err
}

func (r *repo) removeOwn(name string) error {
	if name == "" {
		return nil
	}
	return r.removeIfThere(name)
}

func (r *repo) removeIfThere(name string) error {
	err := r.git.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// isStale reports whether the lock of a file is so old that a dead git process probably
// left it.
func (r *repo) isStale(name string) bool {
	info, err := r.git.Lstat(name + ".lock")
	return err == nil && time.Since(info.ModTime()) > claimStale
}

// heldByGit returns the error for a lock that git holds or left behind.
func (r *repo) heldByGit(name string) error {
	lock := filepath.Join(r.dir, gitName, filepath.FromSlash(name)+".lock")
	hint := "wait for git to end; if none runs in " + r.dir + ", remove " + lock
	info, err := r.git.Lstat(name + ".lock")
	if err == nil && time.Since(info.ModTime()) > claimStale {
		return &strata.Error{Code: strata.CodeCorrupt, Hint: hint,
			Message: lock + " was left on " + info.ModTime().Format(time.DateTime) + ", it seems by a git that was stopped; nothing is recorded until it is gone"}
	}
	return &strata.Error{Code: strata.CodeBusy, Message: "git holds " + lock, Hint: hint}
}

// recoverClaims removes the locks that a killed process of Strata left.
func (r *repo) recoverClaims() error {
	entries, err := fs.ReadDir(r.git.FS(), ownDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		escaped, ok := strings.CutPrefix(ownDir+"/"+e.Name(), ownClaim)
		if !ok {
			continue
		}
		own := ownClaim + escaped
		if name, err := url.PathUnescape(escaped); err == nil && filepath.IsLocal(filepath.FromSlash(name)) {
			mine, errMine := r.git.Lstat(own)
			lock, errLock := r.git.Lstat(name + ".lock")
			if errMine == nil && errLock == nil && os.SameFile(mine, lock) {
				if err := r.removeIfThere(name + ".lock"); err != nil {
					return err
				}
			}
		}
		if err := r.removeIfThere(own); err != nil {
			return err
		}
	}
	return nil
}
