package history

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/strata-memory/strata/internal/base/failpoint"
)

// auxiliaryFiles are the files in a git directory in which git keeps texts and old
// commits outside its objects. Git can recreate all of them or do without.
var auxiliaryFiles = []string{
	"ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG",
	"NOTES_EDITMSG", "EDIT_DESCRIPTION", "rr-cache", "lost-found",
	"objects/info/commit-graph", "objects/info/commit-graphs", "objects/pack/multi-pack-index", "objects/info/packs",
}

// sweep deletes every object that the roots do not reach. It unpacks packs that hold such
// an object. Once it has returned, no power cut brings anything back.
func (r *repo) sweep(ctx context.Context, roots []plumbing.Hash) error {
	gone := removals{r: r, from: make(map[string]bool)}
	wanted, err := r.reach(ctx, roots)
	if err != nil {
		return err
	}
	packs, err := r.impurePacks(ctx, wanted)
	if err != nil {
		return err
	}
	// Remove logs first, then objects before those that they refer to, so that a stopped
	// sweep leaves nothing with a missing reference.
	if err := gone.auxiliary(); err != nil {
		return err
	}
	unwanted, err := r.unwanted(ctx, wanted)
	if err != nil {
		return err
	}
	for _, h := range unwanted {
		if err := gone.remove(looseName(h)); err != nil {
			return err
		}
		failpoint.Hit(failpoint.PurgeSwept)
	}
	// The file handles of go-git's open packs would keep them on the disk.
	if err := r.objects.Close(); err != nil {
		return err
	}
	r.openObjects()
	if err := gone.packs(packs); err != nil {
		return err
	}
	return gone.sync()
}

// removals tracks names that were removed from a git directory. A power cut may bring
// them back until their directories are synced.
type removals struct {
	r    *repo
	from map[string]bool // directories
}

// remove removes a file, or a directory with everything in it.
func (g removals) remove(name string) error {
	g.from[path.Dir(name)] = true
	return g.r.git.RemoveAll(name)
}

// sync makes the removals durable.
func (g removals) sync() error {
	for dir := range g.from {
		if err := g.r.syncDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// unwanted lists the loose objects that are not wanted, each before those that it refers
// to.
func (r *repo) unwanted(ctx context.Context, wanted map[plumbing.Hash]bool) ([]plumbing.Hash, error) {
	links := make(map[plumbing.Hash][]plumbing.Hash)
	err := r.eachLoose(ctx, func(h plumbing.Hash) error {
		if wanted[h] {
			return nil
		}
		links[h] = nil // an unreadable object refers to nothing
		if o, err := r.object(h); err == nil {
			links[h] = linksOf(o)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return referrersFirst(links), nil
}

// referrersFirst orders objects so that each comes before those that it refers to.
func referrersFirst(links map[plumbing.Hash][]plumbing.Hash) []plumbing.Hash {
	referred := make(map[plumbing.Hash]int) // number of references to each
	for _, to := range links {
		for _, h := range to {
			referred[h]++
		}
	}
	var out []plumbing.Hash
	for h := range links {
		if referred[h] == 0 {
			out = append(out, h)
		}
	}
	for i := 0; i < len(out); i++ {
		for _, h := range links[out[i]] {
			if referred[h]--; referred[h] == 0 {
				if _, ok := links[h]; ok {
					out = append(out, h)
				}
			}
		}
	}
	// Damaged objects may refer to each other in a circle.
	listed := make(map[plumbing.Hash]bool, len(out))
	for _, h := range out {
		listed[h] = true
	}
	for h := range links {
		if !listed[h] {
			out = append(out, h)
		}
	}
	return out
}

// linksOf lists the objects that an object refers to.
func linksOf(o object.Object) (out []plumbing.Hash) {
	switch o := o.(type) {
	case *object.Tree:
		for _, e := range o.Entries {
			if e.Mode != filemode.Submodule {
				out = append(out, e.Hash)
			}
		}
	case *object.Commit:
		out = append(o.ParentHashes, o.TreeHash)
	case *object.Tag:
		out = []plumbing.Hash{o.Target}
	}
	return out
}

// logs removes the logs of references except that of the stashes.
func (g removals) logs() error {
	err := fs.WalkDir(g.r.git.FS(), "logs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == stashLog {
			return err
		}
		return g.remove(name)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// reach returns every object that the roots reach, and verifies that all exist.
func (r *repo) reach(ctx context.Context, roots []plumbing.Hash) (map[plumbing.Hash]bool, error) {
	wanted := make(map[plumbing.Hash]bool)
	stack := append([]plumbing.Hash(nil), roots...)
	for len(stack) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if wanted[h] {
			continue
		}
		wanted[h] = true
		o, err := r.object(h)
		if err != nil {
			return nil, err
		}
		stack = append(stack, linksOf(o)...)
	}
	return wanted, nil
}

// impurePacks returns the names of the packs that hold unwanted objects, after writing
// their wanted objects as loose ones.
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
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // the rest of a pack whose removal was stopped
		}
		if err != nil {
			return nil, damagedBy(err, "the pack %s cannot be read", pack)
		}
		pure := len(hashes) > 0
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
			o, err := r.objects.EncodedObject(plumbing.AnyObject, h)
			if err != nil {
				return nil, err
			}
			w.put(o)
		}
	}
	return names, nil
}

// packs removes packs with all files that git made for them, and what a stopped git
// process left of a pack. It removes the index of a pack first, because a pack without an
// index does not exist for any reader.
func (g removals) packs(prefixes []string) error {
	for _, p := range prefixes {
		if err := g.remove("objects/pack/" + p + "idx"); err != nil {
			return err
		}
	}
	entries, err := fs.ReadDir(g.r.git.FS(), "objects/pack")
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
		if err := g.remove("objects/pack/" + e.Name()); err != nil {
			return err
		}
	}
	return nil
}

// auxiliary removes the auxiliary files.
func (g removals) auxiliary() error {
	if err := g.logs(); err != nil {
		return err
	}
	trees, err := fs.Glob(g.r.git.FS(), "worktrees/*")
	if err != nil {
		return err
	}
	for _, dir := range trees {
		if err := g.remove(dir + "/logs"); err != nil {
			return err
		}
	}
	for _, dir := range append(trees, ".") {
		for _, name := range auxiliaryFiles {
			if err := g.remove(path.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	for _, pattern := range []string{"sharedindex.*", "objects/tmp_*", "objects/??/tmp_obj_*", "objects/incoming-*"} {
		names, err := fs.Glob(g.r.git.FS(), pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := g.remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}
