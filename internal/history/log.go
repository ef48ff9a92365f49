package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// Limits of a log, in commits.
const (
	defaultLimit = 10
	maxLimit     = 100
)

// Log lists the newest commits reachable from HEAD, newest first, at most limit; 0 means
// 10, and the maximum is 100. With diff, Log.Diff holds what changed between the oldest
// of them and the newest, or for a single commit what that commit changed. After about 1
// MiB the diff ends with the number of files that are missing from it.
//
// A damaged repository is not an error: the log holds what can be read, and its Note says
// what is wrong. A directory without a repository has an empty log. Errors have the codes
// unavailable, invalid for a limit out of range, busy, and canceled.
func (h *History) Log(ctx context.Context, scope strata.Scope, limit int, diff bool) (files.Log, error) {
	if limit < 0 || limit > maxLimit {
		return files.Log{}, strata.Invalid(opRead, fmt.Sprintf("the limit %d is not among 0 to %d", limit, maxLimit), "ask for fewer commits")
	}
	if limit == 0 {
		limit = defaultLimit
	}
	log := files.Log{Commits: []files.Commit{}}
	r, err := h.enter(ctx, opRead, scope, toRead)
	if err == nil {
		defer r.close()
		var at head
		if at, err = r.head(); err == nil {
			err = r.log(ctx, &log, at, limit, diff)
		}
		if r.unlocked && err != nil && r.hasMoved(at) {
			return h.Log(ctx, scope, limit, diff) // a purge removed what was being read
		}
		err = describe(opRead, r.dir, err)
		if r.unlocked && err == nil && log.Note == "" {
			log.Note = "another process records files in " + r.dir + " meanwhile; the newest commit may be missing"
		}
	}
	switch strata.CodeOf(err) {
	case strata.CodeCorrupt, strata.CodeUnsupported, strata.CodeReadOnly:
		log.Note = noteOf(err)
		return log, nil
	}
	if errors.Is(err, errNone) || errors.Is(err, errNoDirectory) {
		return log, nil
	}
	return log, err
}

// noteOf formats an error for a user.
func noteOf(err error) string {
	var e *strata.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	out := e.Message
	if e.Hint != "" {
		out += "; " + e.Hint
	}
	return out
}

// hasMoved reports whether HEAD has changed since it was read.
func (r *repo) hasMoved(was head) bool {
	now, err := r.head()
	return err == nil && now != was
}

// log fills in a log starting at a commit, as far as the repository can be read.
func (r *repo) log(ctx context.Context, log *files.Log, at head, limit int, diff bool) error {
	var oldest, newest, before plumbing.Hash // trees
	err := r.newest(ctx, []plumbing.Hash{at.commit}, func(c *object.Commit) error {
		if len(log.Commits) == 0 {
			newest = c.TreeHash
		}
		oldest, before = c.TreeHash, plumbing.ZeroHash
		log.Commits = append(log.Commits, describeCommit(c))
		if len(c.ParentHashes) > 0 {
			parent, err := r.readCommit(c.ParentHashes[0])
			if err != nil {
				return err
			}
			before = parent.TreeHash
		}
		changes, err := r.diffTrees(ctx, before, c.TreeHash)
		log.Commits[len(log.Commits)-1].Files = len(changes)
		if err == nil && len(log.Commits) == limit {
			err = errStop
		}
		return err
	})
	if err != nil && !errors.Is(err, errStop) {
		return err
	}
	if diff && len(log.Commits) > 0 {
		if len(log.Commits) == 1 {
			oldest = before
		}
		if log.Diff, err = r.unified(ctx, oldest, newest); err != nil {
			return err
		}
	}
	return r.staleLock()
}

// errStop ends a traversal early.
var errStop = errors.New("enough commits")

// staleLock returns an error if an old lock of git's blocks commits.
func (r *repo) staleLock() error {
	info, err := r.git.Lstat("index.lock")
	if err != nil || time.Since(info.ModTime()) <= claimStale {
		return nil
	}
	path := filepath.Join(r.dir, gitName, "index.lock")
	return &strata.Error{Code: strata.CodeCorrupt,
		Message: "nothing is recorded while " + path + " is there, which was left on " + info.ModTime().Format(time.DateTime),
		Hint:    "if no git runs in " + r.dir + ", remove it"}
}

// newest calls fn for commits and all their ancestors, newest first, and never for a
// commit before its descendants as far as the commit times are right. It skips commits
// that cannot be read and returns the first such error at the end.
func (r *repo) newest(ctx context.Context, from []plumbing.Hash, fn func(*object.Commit) error) error {
	var queue []*object.Commit // the next one is last
	var broken error
	seen := make(map[plumbing.Hash]bool)
	add := func(hashes []plumbing.Hash) {
		for _, h := range hashes {
			if h.IsZero() || seen[h] {
				continue
			}
			seen[h] = true
			c, err := r.readCommit(h)
			if err != nil {
				broken = cmp.Or(broken, err)
				continue
			}
			at, _ := slices.BinarySearchFunc(queue, c, byTime)
			queue = slices.Insert(queue, at, c)
		}
	}
	for add(from); len(queue) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if err := fn(next); err != nil {
			return err
		}
		add(next.ParentHashes)
	}
	return broken
}

// byTime compares the times of commits.
func byTime(a, b *object.Commit) int { return a.Committer.When.Compare(b.Committer.When) }
