package history

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/strata-memory/strata/internal/failpoint"
)

// leftovers are what git keeps of texts and old commits beside its objects,
// below a git directory. All of it git makes again or does without.
var leftovers = []string{
	"ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG",
	"NOTES_EDITMSG", "EDIT_DESCRIPTION", "rr-cache", "lost-found",
	"objects/info/commit-graph", "objects/info/commit-graphs", "objects/pack/multi-pack-index", "objects/info/packs",
}

// sweep deletes every object that the roots do not lead to. Packs with such an
// object are taken apart.
func (r *repo) sweep(ctx context.Context, roots []plumbing.Hash) error {
	wanted, err := r.reach(ctx, roots)
	if err != nil {
		return err
	}
	packs, err := r.impurePacks(ctx, wanted)
	if err != nil {
		return err
	}
	// The names in go-git's open packs would keep them on the disk.
	if err := r.objects.Close(); err != nil {
		return err
	}
	r.openObjects()
	if err := r.removePacks(packs); err != nil {
		return err
	}
	err = r.eachLoose(ctx, func(h plumbing.Hash) error {
		if wanted[h] {
			return nil
		}
		err := r.removeIfThere(looseName(h))
		failpoint.Hit(failpoint.PurgeSwept)
		return err
	})
	if err != nil {
		return err
	}
	return r.removeLeftovers()
}

// removeLogs removes the logs of references, but that of the stashes.
func (r *repo) removeLogs() error {
	err := fs.WalkDir(r.git.FS(), "logs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == stashLog {
			return err
		}
		return r.git.Remove(name)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// reach lists every object that the roots lead to, and proves that those are
// there through which others are reached.
func (r *repo) reach(ctx context.Context, roots []plumbing.Hash) (map[plumbing.Hash]bool, error) {
	wanted := make(map[plumbing.Hash]bool)
	stack := append([]plumbing.Hash(nil), roots...)
	push := func(h plumbing.Hash) {
		if !wanted[h] {
			stack = append(stack, h)
		}
	}
	for len(stack) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if wanted[h] || h == emptyTree {
			wanted[h] = true
			continue
		}
		wanted[h] = true
		kind, data, err := r.readAny(h)
		if err != nil {
			return nil, err
		}
		switch kind {
		case plumbing.TreeObject:
			names, err := parseTree(h, data)
			if err != nil {
				return nil, err
			}
			for _, e := range names {
				switch e.mode {
				case modeRepository:
				case modeTree:
					push(e.hash)
				default:
					wanted[e.hash] = true // read when it was rewritten
				}
			}
		case plumbing.CommitObject, plumbing.TagObject:
			c, err := parseCommit(h, data)
			if err != nil {
				return nil, err
			}
			for _, next := range c.headers {
				if next.key != "tree" && next.key != "parent" && next.key != "object" {
					continue
				}
				to, ok := parseHash(next.value)
				if !ok {
					return nil, damaged("object %s leads nowhere", h)
				}
				push(to)
			}
		}
	}
	return wanted, nil
}

// impurePacks names the packs that hold what is not wanted, once all that is
// wanted of them is written apart.
func (r *repo) impurePacks(ctx context.Context, wanted map[plumbing.Hash]bool) (_ []string, err error) {
	packs, err := r.objects.ObjectPacks()
	if err != nil {
		return nil, damagedBy(err, "its packs cannot be listed")
	}
	var names []string
	w := newObjectWriter(r)
	defer func() { err = errors.Join(err, w.flush()) }()
	for _, pack := range packs {
		hashes, err := r.packIndex(pack)
		if err != nil {
			return nil, damagedBy(err, "the pack %s cannot be read", pack)
		}
		pure := true
		for _, h := range hashes {
			pure = pure && wanted[h]
		}
		if pure {
			continue
		}
		names = append(names, "pack-"+pack.String()+".")
		for _, h := range hashes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if !wanted[h] {
				continue
			}
			kind, data, err := r.readAny(h)
			if err != nil {
				return nil, err
			}
			w.put(kind, data)
		}
	}
	return names, nil
}

// removePacks removes packs with all that git made for them, and what a git
// left that was stopped while it wrote one.
func (r *repo) removePacks(prefixes []string) error {
	entries, err := fs.ReadDir(r.git.FS(), "objects/pack")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		remove := strings.HasPrefix(e.Name(), "tmp_") || strings.HasPrefix(e.Name(), ".tmp-")
		for _, p := range prefixes {
			remove = remove || strings.HasPrefix(e.Name(), p)
		}
		if !remove {
			continue
		}
		if err := r.removeIfThere("objects/pack/" + e.Name()); err != nil {
			return err
		}
	}
	return nil
}

// removeLeftovers removes what is left beside objects.
func (r *repo) removeLeftovers() error {
	if err := r.removeLogs(); err != nil {
		return err
	}
	trees, err := fs.Glob(r.git.FS(), "worktrees/*")
	if err != nil {
		return err
	}
	for _, dir := range trees {
		if err := r.git.RemoveAll(dir + "/logs"); err != nil {
			return err
		}
	}
	for _, dir := range append(trees, ".") {
		for _, name := range leftovers {
			if err := r.git.RemoveAll(path.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	for _, pattern := range []string{"sharedindex.*", "objects/tmp_*", "objects/??/tmp_obj_*", "objects/incoming-*"} {
		names, err := fs.Glob(r.git.FS(), pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := r.git.RemoveAll(name); err != nil {
				return err
			}
		}
	}
	return nil
}
