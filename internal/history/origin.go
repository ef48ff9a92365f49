package history

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/workspace"
)

var _ files.Origins = (*Origins)(nil)

// Origins finds out where files come from, using the git repositories around them:
// Strata's own in .strata and those of the project. It is safe for concurrent use.
type Origins struct{ tree *workspace.Tree }

// NewOrigins returns the origins of the files of a tree.
func NewOrigins(tree *workspace.Tree) *Origins { return &Origins{tree} }

// Home reports whether the files of a scope are in the home.
func (o *Origins) Home(scope strata.Scope) bool { return o.tree.InHome(scope) }

// Agents returns the agents that have files in the directory of a workspace.
func (o *Origins) Agents(scope strata.Scope) []string { return o.tree.Agents(scope) }

// Origin returns the versions of a file in the repositories around it and how each got
// there.
func (o *Origins) Origin(ctx context.Context, scope strata.Scope, f files.File) (files.Origin, error) {
	var out files.Origin
	file, err := o.tree.Locate(scope, f.Path)
	if err != nil {
		return out, ctx.Err() // the file is gone
	}
	around, err := workspace.Repositories(file)
	if err != nil {
		return files.Origin{Versions: []files.Committed{{How: strata.MessageOf(err)}}}, ctx.Err()
	}
	for _, at := range around {
		list, err := committed(ctx, at, file, f.Content)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			list = []files.Committed{{How: "its git repository cannot be read"}}
		}
		out.Versions = append(out.Versions, list...)
	}
	return out, nil
}

// committed returns the versions of a file that a repository has checked out or that a
// merge or the like under way brings in.
func committed(ctx context.Context, at workspace.Repository, file string, content []byte) (out []files.Committed, err error) {
	below, err := filepath.Rel(at.Root, file)
	if err != nil {
		return nil, err
	}
	b, err := openBranch(at, filepath.ToSlash(below))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	tip, err := b.head()
	if err != nil || tip.commit.IsZero() {
		return nil, err // nothing is committed yet
	}
	blob, err := b.blobAt(tip.commit)
	if err != nil {
		return nil, err
	}
	if !blob.IsZero() {
		v, err := b.version(blob)
		if err != nil {
			return nil, err
		}
		b.brought(ctx, &v, tip.commit, blob)
		out = append(out, v)
	}
	for _, name := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"} {
		h, err := b.pseudoRef(name)
		if err != nil || h.IsZero() {
			continue
		}
		other, err := b.blobAt(h)
		if err != nil || other.IsZero() || other == blob {
			continue
		}
		v, err := b.version(other)
		if err == nil && slices.Contains(v.Hashes, files.Hash(content)) {
			v.How = strings.ToLower(strings.ReplaceAll(strings.TrimSuffix(name, "_HEAD"), "_", "-")) + " that is under way"
			b.describe(&v, h)
			out = append(out, v)
		}
	}
	return out, nil
}

// branch is a repository as checked out in one work tree, with one file in it.
type branch struct {
	repo
	path  string // path of the file
	blobs map[plumbing.Hash]plumbing.Hash
}

// openBranch opens a repository for reading. It returns an error if the repository stores
// references or objects in a newer format.
func openBranch(at workspace.Repository, path string) (*branch, error) {
	b := &branch{path: path, blobs: make(map[plumbing.Hash]plumbing.Hash)}
	b.dir = at.Root
	var err error
	if b.git, err = os.OpenRoot(at.Common); err != nil {
		return nil, err
	}
	if b.own, err = os.OpenRoot(at.GitDir); err == nil {
		_, err = b.readFormat()
	}
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	b.openObjects()
	return b, nil
}

// pseudoRef returns the first commit named in a file next to HEAD; zero if there is no
// such file.
func (b *branch) pseudoRef(name string) (plumbing.Hash, error) {
	data, err := b.readSmall(name)
	if errors.Is(err, fs.ErrNotExist) {
		return plumbing.ZeroHash, nil
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	h, _ := parseHash(strings.TrimSpace(string(line)))
	return h, err
}

// blobAt returns the file's blob in a commit; zero if the commit does not have the file.
func (b *branch) blobAt(commit plumbing.Hash) (blob plumbing.Hash, err error) {
	if blob, ok := b.blobs[commit]; ok || commit.IsZero() {
		return blob, nil
	}
	c, err := b.readCommit(commit)
	if err != nil {
		return blob, err
	}
	t, err := b.readTree(c.TreeHash)
	if err != nil {
		return blob, err
	}
	switch e, err := t.FindEntry(b.path); {
	case err == nil && (e.Mode.IsFile() || e.Mode == filemode.Deprecated):
		blob = e.Hash
	case err != nil && !errors.Is(err, object.ErrEntryNotFound) && !errors.Is(err, object.ErrDirectoryNotFound):
		return blob, err
	}
	b.blobs[commit] = blob
	return blob, nil
}

// version reads a blob and returns the hashes of its bytes, with either kind of line end.
func (b *branch) version(blob plumbing.Hash) (files.Committed, error) {
	data, err := b.readFile(blob)
	if err != nil {
		return files.Committed{}, err
	}
	lf := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	v := files.Committed{Hashes: []string{files.Hash(data)}}
	for _, as := range [][]byte{lf, bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n"))} {
		if h := files.Hash(as); !slices.Contains(v.Hashes, h) {
			v.Hashes = append(v.Hashes, h)
		}
	}
	return v, nil
}

// maxReflog is how many bytes of the log of HEAD are read, from its end.
const maxReflog = 4 << 20

// reflog reads the log of HEAD, newest line first.
func (b *branch) reflog() ([]moved, error) {
	f, err := b.own.Open("logs/HEAD")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(max(0, info.Size()-maxReflog), io.SeekStart); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxReflog))
	return parseReflog(data), err
}

// brought finds out what brought in the version that is checked out: the last move of
// HEAD from a commit without it to a commit with it.
func (b *branch) brought(ctx context.Context, v *files.Committed, head, blob plumbing.Hash) {
	v.How = "nothing in its git repository tells"
	list, err := b.reflog()
	for _, m := range list {
		if err != nil || ctx.Err() != nil {
			break
		}
		var before, after plumbing.Hash
		if after, err = b.blobAt(m.to); err != nil || after != blob {
			continue
		}
		if before, err = b.blobAt(m.from); err != nil || before == blob {
			continue
		}
		v.Own, v.How = m.isOwn(), m.action
		head = m.to
		break
	}
	if !v.Own {
		b.describe(v, b.introducing(head, blob))
	}
}

// maxIntroducing is how many commits are searched for the one that introduced a version.
const maxIntroducing = 100

// introducing returns the commit that introduced a version of the file, or the earliest
// commit found with it if the search ends before.
func (b *branch) introducing(commit, blob plumbing.Hash) plumbing.Hash {
	for range maxIntroducing {
		c, err := b.readCommit(commit)
		if err != nil {
			return commit
		}
		i := slices.IndexFunc(c.ParentHashes, func(p plumbing.Hash) bool {
			h, err := b.blobAt(p)
			return err == nil && h == blob
		})
		if i < 0 {
			return commit
		}
		commit = c.ParentHashes[i]
	}
	return commit
}

// describe fills in the commit that a version is from.
func (b *branch) describe(v *files.Committed, commit plumbing.Hash) {
	c, err := b.readCommit(commit)
	if err != nil {
		return
	}
	said := describeCommit(c)
	v.Commit, v.Author, v.At = said.ID, said.Author, said.At
}
