package history

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/store/files"
)

// bootstrapSubject is the subject of the first commit, which holds the starters.
const bootstrapSubject = "workspace init"

// starters are the files that a new repository gets unless they exist.
var starters = []struct{ name, content string }{
	{ignoreName, "# What memory does not record.\ntranscripts/\nmedia/\n*.tmp\n*.swp\n.DS_Store\n.lock\n"},
	{attributesName, "# Text has one kind of line end, whoever wrote it.\n* text=auto eol=lf\n"},
}

var errUnmerged = errors.New("files wait for a merge")

// Commit records the files of a scope's root as they are. It leaves out, and names in the
// result, files over [MaxFile], links, nested repositories, unreadable files and files
// that check rejects; if such a file was recorded before, that version stays. Files that
// .gitignore leaves out are not named.
//
// Commit commits to the branch that HEAD is on. If HEAD is on no branch, or a merge or
// the like is under way, it records nothing and Skipped says so.
//
// Its errors have the codes unavailable; unsupported for a repository that does not
// belong to memory; corrupt; busy and conflict for one that others hold or change; full,
// read_only and canceled.
func (h *History) Commit(ctx context.Context, scope strata.Scope, m files.Message, check func(path string, content []byte) error) (files.Commit, error) {
	r, err := h.enter(ctx, opCommit, scope, toCreate)
	if errors.Is(err, errNoDirectory) {
		return files.Commit{Skipped: "the directory does not exist yet"}, nil
	}
	if err != nil {
		return files.Commit{}, err
	}
	defer r.close()
	if m.At.IsZero() {
		m.At = time.Now()
	}
	who := signature(h.author, m.Agent, m.At)
	c, err := r.commit(ctx, who, m, check)
	if errors.Is(err, errUnmerged) {
		return files.Commit{Skipped: "a merge is under way: end it with git, then record again"}, nil
	}
	return c, describe(opCommit, r.dir, err)
}

func (r *repo) commit(ctx context.Context, who object.Signature, m files.Message, check func(string, []byte) error) (files.Commit, error) {
	if what := r.underWay(); what != "" {
		return files.Commit{Skipped: what + " is under way: end it with git, then record again"}, nil
	}
	at, err := r.head()
	if err != nil {
		return files.Commit{}, err
	}
	if at.branch == "" {
		return files.Commit{Skipped: "HEAD is on no branch (detached at " + at.commit.String()[:7] + "): run git switch with a branch in " + r.dir}, nil
	}
	// Hold git's lock throughout, so that what is examined is what is recorded.
	lock, err := r.claimIndex(ctx)
	if err != nil {
		return files.Commit{}, err
	}
	defer lock.drop()
	if at, err = r.head(); err != nil {
		return files.Commit{}, err
	}
	if at.commit.IsZero() {
		if at.commit, err = r.bootstrap(ctx, at, who, check); err != nil {
			return files.Commit{}, err
		}
	}
	c, s, err := r.record(ctx, at, who, text(m), check, nil)
	if err != nil {
		return files.Commit{}, err
	}
	if s.stale {
		if err := lock.put(encodeIndex(s.entries)); err != nil {
			return files.Commit{}, err
		}
	}
	return c, nil
}

// bootstrap makes the first commit of a branch.
func (r *repo) bootstrap(ctx context.Context, at head, who object.Signature, check func(string, []byte) error) (plumbing.Hash, error) {
	for _, s := range starters {
		f, err := r.tree.OpenFile(s.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return plumbing.ZeroHash, err
		}
		_, err = f.WriteString(s.content)
		if err = errors.Join(err, f.Close()); err != nil {
			return plumbing.ZeroHash, err
		}
	}
	isStarter := func(p string) bool { return p == ignoreName || p == attributesName }
	c, _, err := r.record(ctx, at, who, bootstrapSubject+"\n", check, isStarter)
	return plumbing.NewHash(c.ID), err
}

// record compares the work tree with a commit and, if they differ, makes a commit and
// moves the branch. The caller writes the index. If only is set, record examines only
// those paths and always makes a commit.
func (r *repo) record(ctx context.Context, at head, who object.Signature, message string, check func(string, []byte) error, only func(string) bool) (_ files.Commit, _ state, err error) {
	held, dirs, err := r.filesOf(ctx, at.commit)
	if err != nil {
		return files.Commit{}, state{}, err
	}
	w := newObjectWriter(r)
	flushed := false
	defer func() {
		if !flushed {
			err = errors.Join(err, w.flush())
		}
	}()
	s, err := (&snapshot{r: r, write: w, check: check}).take(ctx, held, only)
	if err != nil {
		return files.Commit{}, state{}, err
	}
	if len(s.changes) == 0 && only == nil {
		return files.Commit{Skipped: "nothing changed", LeftOut: s.left}, s, nil
	}
	b := &builder{w: w, before: dirs, touched: make(map[string]bool)}
	for _, p := range s.changes {
		b.touch(p)
	}
	entries := make([]object.TreeEntry, len(s.entries))
	for i, e := range s.entries {
		entries[i] = e.recorded()
	}
	c := &object.Commit{Author: who, Committer: who, Message: message}
	if !at.commit.IsZero() {
		c.ParentHashes = []plumbing.Hash{at.commit}
	}
	if c.TreeHash, err = b.build("", entries); err != nil {
		return files.Commit{}, state{}, err
	}
	if c.Hash, err = w.encode(c); err != nil {
		return files.Commit{}, state{}, err
	}
	flushed = true
	if err := w.flush(); err != nil {
		return files.Commit{}, state{}, err
	}
	failpoint.Hit(failpoint.HistoryWritten)
	var line strings.Builder
	if err := who.Encode(&line); err != nil {
		return files.Commit{}, state{}, err
	}
	line.WriteString("\tcommit")
	if at.commit.IsZero() {
		line.WriteString(" (initial)")
	}
	subject, _, _ := strings.Cut(message, "\n")
	if err := r.moveRef(ctx, at.branch, at.commit, c.Hash, line.String()+": "+subject); err != nil {
		return files.Commit{}, state{}, err
	}
	failpoint.Hit(failpoint.HistoryMoved)
	out := describeCommit(c)
	out.LeftOut, out.Files = s.left, len(s.changes)
	return out, s, nil
}
