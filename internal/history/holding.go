package history

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// Holding returns the commits for which match reports true, newest first. match is called
// with the path of each file and no content, and with each content and each commit
// message without a path. Holding examines all stored commits, even those that no branch
// reaches. Contents that are in no commit, for example because a file was only staged,
// come last, with their own id. Files is not set.
//
// If a part of the history is damaged, Holding returns what it finds in the rest together
// with an error. Its errors have the codes of [History.Log], and corrupt.
func (h *History) Holding(ctx context.Context, scope strata.Scope, match func(path string, content []byte) bool) ([]files.Commit, error) {
	r, err := h.enter(ctx, opRead, scope, toChange)
	if errors.Is(err, errNone) || errors.Is(err, errNoDirectory) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer r.close()
	s := search{r: r, match: match, blobs: make(map[plumbing.Hash]bool), trees: make(map[placed]bool), named: make(map[plumbing.Hash]bool)}
	out, err := s.run(ctx)
	return out, describe(opRead, r.dir, err)
}

// search finds the commits for which match reports true.
type search struct {
	r     *repo
	match func(string, []byte) bool

	commits []*object.Commit
	blobs   map[plumbing.Hash]bool // blobs that match
	trees   map[placed]bool        // whether a tree, at its path, contains a match
	named   map[plumbing.Hash]bool // matching blobs that are in a commit
	damaged error                  // the first damage
}

// stagedSubject replaces the subject if there is no commit.
const stagedSubject = "(in no commit: staged only, or left by a git that was stopped)"

func (s *search) run(ctx context.Context) ([]files.Commit, error) {
	if err := s.r.eachObject(ctx, s.object); err != nil {
		s.note(err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.order(ctx)
	var out []files.Commit
	listed := make(map[plumbing.Hash]bool)
	for _, c := range s.commits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if listed[c.Hash] {
			continue
		}
		listed[c.Hash] = true
		inTree := s.below("", c.TreeHash, 0) // also fills s.named
		if inTree || s.match("", []byte(c.Message)) {
			out = append(out, describeCommit(c))
		}
	}
	var orphaned []string // in no commit
	for h := range s.blobs {
		if !s.named[h] {
			orphaned = append(orphaned, h.String())
		}
	}
	slices.Sort(orphaned)
	for _, id := range orphaned {
		out = append(out, files.Commit{ID: id, Subject: stagedSubject})
	}
	return out, s.damaged
}

// order sorts the commits, newest first: those that a reference reaches, then the others.
func (s *search) order(ctx context.Context) {
	refs, err := s.r.refs()
	if err != nil {
		s.note(err)
	}
	var from []plumbing.Hash
	for _, ref := range refs {
		if id, err := s.r.peel(ref.hash); err == nil {
			from = append(from, id)
		}
	}
	place := make(map[plumbing.Hash]int)
	err = s.r.newest(ctx, from, func(c *object.Commit) error {
		place[c.Hash] = len(place)
		return nil
	})
	if err != nil {
		s.note(err)
	}
	slices.SortFunc(s.commits, func(a, b *object.Commit) int {
		i, reachedA := place[a.Hash]
		j, reachedB := place[b.Hash]
		switch {
		case reachedA && reachedB:
			return cmp.Compare(i, j)
		case reachedA:
			return -1
		case reachedB:
			return 1
		}
		return cmp.Or(byTime(b, a), bytes.Compare(a.Hash[:], b.Hash[:]))
	})
}

// note keeps the first damage found.
func (s *search) note(err error) {
	if s.damaged == nil {
		s.damaged = err
	}
}

// object examines one stored object.
func (s *search) object(h plumbing.Hash) error {
	o, err := s.r.object(h)
	switch o := o.(type) {
	case *object.Blob:
		var data []byte
		if data, err = contentOf(o); err == nil && s.match("", data) {
			s.blobs[h] = true
		}
	case *object.Commit:
		s.commits = append(s.commits, o)
	}
	if err != nil {
		s.note(err)
	}
	return nil
}

// below reports whether a file of a tree, or its path, matches, and records the matching
// blobs in s.named.
func (s *search) below(dir string, tree plumbing.Hash, depth int) bool {
	at := placed{dir, tree}
	if holds, ok := s.trees[at]; ok || depth > maxDepth {
		return holds
	}
	t, err := s.r.readTree(tree)
	if err != nil {
		s.note(err)
		t = &object.Tree{}
	}
	holds := false
	for _, e := range t.Entries {
		name := path.Join(dir, e.Name)
		if e.Mode == filemode.Dir {
			holds = s.below(name, e.Hash, depth+1) || holds
			continue
		}
		if s.blobs[e.Hash] {
			s.named[e.Hash] = true
			holds = true
		}
		if s.match(name, nil) {
			holds = true
		}
	}
	s.trees[at] = holds
	return holds
}
