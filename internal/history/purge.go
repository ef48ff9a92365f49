package history

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
)

// Purge rewrites the history of a scope's root. Every version of a file for which blank
// returns true gets the content that blank returns, or is removed if that is nil.
// Messages of commits and tags also go through blank, with an empty path. Authors, dates
// and the rest of the messages stay; signatures are removed, because they would no longer
// be valid. Purge returns how many commits have a new id.
//
// Objects that no reference or stash reaches afterwards are deleted from the disk, as are
// the reference logs and the texts that git stores outside its objects. Purge does not
// look at the files of the work tree. It does look at other work trees of the repository,
// which only their owner may change: if a file there holds what was blanked, Purge
// completes and then returns a conflict that names the file.
//
// If Purge is killed, it leaves a sound repository, and calling it again completes it.
// Its errors have the codes of [History.Commit], corrupt if any version of any file
// cannot be read, and conflict while a merge or the like is under way; in these cases
// nothing is changed.
func (h *History) Purge(ctx context.Context, scope strata.Scope, blank func(path string, content []byte) ([]byte, bool)) (int, error) {
	r, err := h.enter(ctx, opPurge, scope, toChange)
	if errors.Is(err, errNone) || errors.Is(err, errNoDirectory) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer r.close()
	n, err := r.purge(ctx, blank)
	return n, describe(opPurge, r.dir, err)
}

// purge writes the new history next to the old, moves references and indexes to it, and
// deletes what is no longer reachable.
func (r *repo) purge(ctx context.Context, blank func(string, []byte) ([]byte, bool)) (int, error) {
	if what := r.underWay(); what != "" {
		return 0, &strata.Error{Code: strata.CodeConflict, Message: what + " is under way in " + r.dir, Hint: "end it with git, then purge again"}
	}
	if _, err := r.git.Lstat("shallow"); err == nil {
		return 0, refused("the history in "+r.dir+" is only a part of one (shallow)", "run git fetch --unshallow there, then purge again")
	}
	lock, err := r.claimIndex(ctx)
	if err != nil {
		return 0, err
	}
	defer lock.drop()
	refs, err := r.refs()
	if err != nil {
		return 0, err
	}
	next, commits, err := r.rewrite(ctx, refs, blank)
	if err != nil {
		return 0, err
	}
	failpoint.Hit(failpoint.PurgeWritten)
	if err := r.moveRefs(ctx, refs, next.refs); err != nil {
		return 0, err
	}
	if next.stashLog != "" {
		if err := r.replaceFile(stashLog, []byte(next.stashLog)); err != nil {
			return 0, err
		}
	}
	if err := r.putIndexes(lock, next.indexes); err != nil {
		return 0, err
	}
	if err := r.sweep(ctx, next.roots()); err != nil {
		return commits, err
	}
	return commits, r.checkedOut(blank)
}

// rewritten is the result of rewriting a history.
type rewritten struct {
	refs     []plumbing.Hash      // the new target of each reference
	indexes  map[string][]tracked // the new indexes of all work trees, by name
	stashLog string               // empty if there is none
	stashes  []plumbing.Hash      // stashes that the log names
}

// roots returns the objects from which everything that stays is reachable.
func (h rewritten) roots() []plumbing.Hash {
	roots := slices.Concat(h.refs, h.stashes)
	for _, entries := range h.indexes {
		for _, e := range entries {
			if e.Mode != filemode.Submodule {
				roots = append(roots, e.Hash)
			}
		}
	}
	return roots
}

// rewrite writes new versions of what references, indexes and stashes reach, and returns
// how many commits changed. It changes nothing in the old history.
func (r *repo) rewrite(ctx context.Context, refs []ref, blank func(string, []byte) ([]byte, bool)) (next rewritten, commits int, err error) {
	w := newObjectWriter(r)
	defer func() { err = errors.Join(err, w.flush()) }()
	rw := &rewriter{ctx: ctx, r: r, w: w, blank: blank, done: make(map[placed]plumbing.Hash), commits: make(map[plumbing.Hash]plumbing.Hash)}
	for _, ref := range refs {
		h, err := rw.object(ref.hash, 0)
		if err != nil {
			return next, 0, err
		}
		next.refs = append(next.refs, h)
	}
	if next.indexes, err = rw.indexes(); err != nil {
		return next, 0, err
	}
	next.stashLog, next.stashes, err = rw.stashes()
	return next, rw.rewritten, err
}

// moveRefs moves references to their new objects and removes those that moved from
// packed-refs.
func (r *repo) moveRefs(ctx context.Context, refs []ref, to []plumbing.Hash) error {
	moved := make(map[string]bool)
	for i, ref := range refs {
		if to[i] == ref.hash {
			continue
		}
		if err := r.moveRef(ctx, ref.name, ref.hash, to[i], ""); err != nil {
			return err
		}
		moved[ref.name] = true
		failpoint.Hit(failpoint.PurgeMoved)
	}
	if len(moved) == 0 {
		return nil
	}
	return r.rewritePacked(ctx, moved)
}

// putIndexes replaces the indexes of all work trees. lock is git's lock on the main
// index.
func (r *repo) putIndexes(lock *claim, indexes map[string][]tracked) error {
	for name, entries := range indexes {
		put := func(data []byte) error { return r.replaceFile(name, data) }
		if name == "index" {
			put = lock.put
		}
		if err := put(encodeIndex(entries)); err != nil {
			return err
		}
	}
	return nil
}

// placed is an object at a path; blank may treat the same content differently at two
// paths.
type placed struct {
	path string
	hash plumbing.Hash
}

// rewriter writes the new history without changing the old.
type rewriter struct {
	ctx   context.Context
	r     *repo
	w     *objectWriter
	blank func(string, []byte) ([]byte, bool)

	done      map[placed]plumbing.Hash        // files and trees
	commits   map[plumbing.Hash]plumbing.Hash // commits
	rewritten int
}

// indexes rewrites the indexes of all work trees, by name.
func (rw *rewriter) indexes() (map[string][]tracked, error) {
	names, err := fs.Glob(rw.r.git.FS(), "worktrees/*/index")
	if err != nil {
		return nil, err
	}
	indexes := make(map[string][]tracked)
	for _, name := range append(names, "index") {
		x, ok, err := rw.r.readIndex(name)
		if err != nil {
			return nil, err
		}
		if x.unmerged {
			return nil, &strata.Error{Code: strata.CodeConflict, Message: "files in " + rw.r.dir + " wait for a merge", Hint: "end it with git, then purge again"}
		}
		if !ok {
			if err := rw.r.removeIfThere(name); err != nil {
				return nil, err
			}
			continue
		}
		if indexes[name], err = rw.entries(x.entries); err != nil {
			return nil, err
		}
	}
	return indexes, nil
}

// entries rewrites the entries of an index in place.
func (rw *rewriter) entries(list []tracked) ([]tracked, error) {
	kept := list[:0]
	for _, e := range list {
		h, err := rw.file(e.Name, e.recorded())
		if err != nil {
			return nil, err
		}
		if h != e.Hash {
			e.Entry = index.Entry{Name: e.Name, Mode: e.Mode, Hash: h, SkipWorktree: e.SkipWorktree}
		}
		if !h.IsZero() {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// maxTags limits a chain of tags that name each other.
const maxTags = 64

// object rewrites the object that a reference names.
func (rw *rewriter) object(h plumbing.Hash, depth int) (plumbing.Hash, error) {
	o, err := rw.r.object(h)
	if err != nil {
		return h, err
	}
	switch o := o.(type) {
	case *object.Commit:
		return rw.history(h)
	case *object.Tree:
		return rw.tree("", h, 0)
	case *object.Tag:
		return rw.tag(o, depth)
	}
	to, err := rw.file("", object.TreeEntry{Mode: filemode.Regular, Hash: h})
	if to.IsZero() {
		to = rw.w.put(encoded(plumbing.BlobObject, nil))
	}
	return to, err
}

// tag rewrites a tag.
func (rw *rewriter) tag(t *object.Tag, depth int) (plumbing.Hash, error) {
	if depth > maxTags {
		return t.Hash, damaged("tag %s names no object", t.Hash)
	}
	to, err := rw.object(t.Target, depth+1)
	if err != nil {
		return t.Hash, err
	}
	message, changed := rw.message(t.Message + t.PGPSignature)
	if to == t.Target && !changed {
		return t.Hash, nil
	}
	for _, begin := range signatures {
		message, _, _ = strings.Cut(message, begin)
	}
	t.Target, t.Message, t.PGPSignature = to, message, ""
	return rw.w.encode(t)
}

// signatures are the lines with which a signature in the message of a tag can begin.
var signatures = []string{
	"-----BEGIN PGP SIGNATURE-----", "-----BEGIN PGP MESSAGE-----", "-----BEGIN SSH SIGNATURE-----", "-----BEGIN SIGNED MESSAGE-----",
}

// message rewrites the message of a commit or tag, and reports whether it changed.
func (rw *rewriter) message(text string) (string, bool) {
	out, changed := rw.blank("", []byte(text))
	if !changed || string(out) == text {
		return text, false
	}
	return strings.ReplaceAll(string(out), "\x00", ""), true
}

// history rewrites a commit and all its ancestors, oldest first. It is not recursive,
// because a history may be longer than the stack allows.
func (rw *rewriter) history(top plumbing.Hash) (plumbing.Hash, error) {
	stack := []plumbing.Hash{top}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		if _, ok := rw.commits[id]; ok {
			stack = stack[:len(stack)-1]
			continue
		}
		if err := rw.ctx.Err(); err != nil {
			return top, err
		}
		c, err := rw.r.readCommit(id)
		if err != nil {
			return top, err
		}
		waits := len(stack)
		for _, p := range c.ParentHashes {
			if _, ok := rw.commits[p]; !ok {
				stack = append(stack, p)
			}
		}
		if len(stack) > waits {
			continue
		}
		if rw.commits[id], err = rw.commit(c); err != nil {
			return top, err
		}
		stack = stack[:len(stack)-1]
	}
	return rw.commits[top], nil
}

// commit rewrites a commit whose parents were rewritten before.
func (rw *rewriter) commit(c *object.Commit) (plumbing.Hash, error) {
	to, err := rw.tree("", c.TreeHash, 0)
	if err != nil {
		return c.Hash, err
	}
	message, changed := rw.message(c.Message)
	changed = changed || to != c.TreeHash
	for i, p := range c.ParentHashes {
		changed = changed || rw.commits[p] != p
		c.ParentHashes[i] = rw.commits[p]
	}
	if !changed {
		return c.Hash, nil
	}
	c.TreeHash, c.Message, c.PGPSignature, c.MergeTag = to, message, "", ""
	rw.rewritten++
	return rw.w.encode(c)
}

// tree rewrites the tree of a directory; the zero hash means that it became empty.
func (rw *rewriter) tree(dir string, h plumbing.Hash, depth int) (plumbing.Hash, error) {
	at := placed{dir, h}
	if to, ok := rw.done[at]; ok {
		return to, nil
	}
	if depth > maxDepth {
		return h, damaged("tree %s has too many levels", h)
	}
	if err := rw.ctx.Err(); err != nil {
		return h, err
	}
	t, err := rw.r.readTree(h)
	if err != nil {
		return h, err
	}
	changed := false
	var kept []object.TreeEntry
	for _, e := range t.Entries {
		var to plumbing.Hash
		if e.Mode == filemode.Dir {
			to, err = rw.tree(path.Join(dir, e.Name), e.Hash, depth+1)
		} else {
			to, err = rw.file(path.Join(dir, e.Name), e)
		}
		if err != nil {
			return h, err
		}
		changed = changed || to != e.Hash
		if e.Hash = to; !to.IsZero() {
			kept = append(kept, e)
		}
	}
	to := h
	switch {
	case changed && len(kept) == 0 && dir != "":
		to = plumbing.ZeroHash
	case changed:
		if to, err = rw.w.encode(&object.Tree{Entries: kept}); err != nil {
			return h, err
		}
	}
	rw.done[at] = to
	return to, nil
}

// file rewrites the content of a file; the zero hash means that the file is removed.
func (rw *rewriter) file(name string, e object.TreeEntry) (plumbing.Hash, error) {
	if e.Mode == filemode.Submodule {
		return e.Hash, nil
	}
	at := placed{name, e.Hash}
	if to, ok := rw.done[at]; ok {
		return to, nil
	}
	content, err := rw.r.readFile(e.Hash)
	if err != nil {
		return e.Hash, err
	}
	to := e.Hash
	if out, changed := rw.blank(name, content); changed && out == nil {
		to = plumbing.ZeroHash
	} else if changed {
		to = rw.w.put(encoded(plumbing.BlobObject, out))
	}
	rw.done[at] = to
	return to, nil
}

// peel follows tags to the commit that they name.
func (r *repo) peel(h plumbing.Hash) (plumbing.Hash, error) {
	for range maxTags {
		o, err := r.object(h)
		if err != nil {
			return h, err
		}
		tag, ok := o.(*object.Tag)
		if !ok && o.Type() == plumbing.CommitObject {
			return h, nil
		}
		if !ok {
			break
		}
		h = tag.Target
	}
	return h, damaged("object %s leads to no commit", h)
}
