package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/strata-memory/strata"
)

// head is what HEAD points to.
type head struct {
	branch string        // such as refs/heads/main; empty if detached
	commit plumbing.Hash // zero for a branch without a commit
}

// refFile is the content of a reference file: one of the two fields.
type refFile struct {
	target string // another reference
	hash   plumbing.Hash
}

// errNoRef means that a reference does not exist.
var errNoRef = errors.New("no such reference")

// head reads HEAD.
func (r *repo) head() (head, error) {
	f, err := r.readRef("HEAD")
	switch {
	case errors.Is(err, errNoRef):
		return head{}, damaged("HEAD is missing")
	case err != nil:
		return head{}, err
	case f.target == "":
		return head{commit: f.hash}, nil
	}
	for range 5 { // one symbolic reference may name another
		next, err := r.readRef(f.target)
		if errors.Is(err, errNoRef) {
			return head{branch: f.target}, nil
		}
		if err != nil {
			return head{}, err
		}
		if next.target == "" {
			return head{branch: f.target, commit: next.hash}, nil
		}
		f = next
	}
	return head{}, damaged("HEAD points to references in a circle")
}

// readRef reads a reference from its own file or from packed-refs.
func (r *repo) readRef(name string) (refFile, error) {
	data, err := r.readSmall(name)
	if errors.Is(err, fs.ErrNotExist) {
		packed, err := r.packedRefs()
		if err != nil {
			return refFile{}, err
		}
		if h, ok := packed[name]; ok {
			return refFile{hash: h}, nil
		}
		return refFile{}, errNoRef
	}
	if err != nil {
		return refFile{}, err
	}
	text := strings.TrimRight(string(data), " \t\r\n")
	if target, ok := strings.CutPrefix(text, "ref:"); ok {
		target = strings.TrimSpace(target)
		if !validRef(target) {
			return refFile{}, damaged("%s points to no reference", name)
		}
		return refFile{target: target}, nil
	}
	h, ok := parseHash(text)
	if !ok {
		return refFile{}, damaged("%s holds no commit", name)
	}
	return refFile{hash: h}, nil
}

func parseHash(s string) (plumbing.Hash, bool) {
	if !plumbing.IsHash(s) {
		return plumbing.ZeroHash, false
	}
	h := plumbing.NewHash(s)
	return h, !h.IsZero()
}

// validRef reports whether name is a valid reference name that does not leave refs.
func validRef(name string) bool {
	return strings.HasPrefix(name, "refs/") && path.Clean(name) == name && filepath.IsLocal(filepath.FromSlash(name)) &&
		!strings.HasSuffix(name, ".lock") && !strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c == 0x7f || strings.ContainsRune(`~^:?*[\`, c) })
}

// maxSmall limits the size, in bytes, of the small files of a git directory.
const maxSmall = 64 << 10

// readSmall reads a small file; one that each work tree has of its own comes from this
// work tree. A directory counts as a file that does not exist: a branch a/b makes a
// directory a.
func (r *repo) readSmall(name string) ([]byte, error) {
	from := r.git
	if r.own != nil && !strings.HasPrefix(name, "refs/") {
		from = r.own
	}
	info, err := from.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fs.ErrNotExist
	}
	if !info.Mode().IsRegular() || info.Size() > maxSmall {
		return nil, damaged("%s is no file of git's", name)
	}
	return from.ReadFile(name)
}

// packedRefs reads packed-refs.
func (r *repo) packedRefs() (map[string]plumbing.Hash, error) {
	data, err := r.git.ReadFile("packed-refs")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := make(map[string]plumbing.Hash)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' || line[0] == '^' {
			continue
		}
		hex, name, _ := strings.Cut(line, " ")
		h, ok := parseHash(hex)
		if !ok || !validRef(name) {
			return nil, damaged("packed-refs cannot be read")
		}
		out[name] = h
	}
	return out, nil
}

// ref is a reference with the object that it names.
type ref struct {
	name string
	hash plumbing.Hash
}

// refs lists all references that name an object, sorted by name: branches, tags and
// others, and each detached HEAD of a work tree.
func (r *repo) refs() ([]ref, error) {
	all, err := r.packedRefs()
	if err != nil {
		return nil, err
	}
	if all == nil {
		all = make(map[string]plumbing.Hash)
	}
	names := []string{"HEAD"}
	trees, err := fs.Glob(r.git.FS(), "worktrees/*/HEAD")
	if err != nil {
		return nil, err
	}
	names = append(names, trees...)
	err = fs.WalkDir(r.git.FS(), "refs", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(name, ".lock") {
			names = append(names, name)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, name := range names {
		f, err := r.readRef(name)
		if err != nil && !errors.Is(err, errNoRef) {
			return nil, err
		}
		if err == nil && f.target == "" {
			all[name] = f.hash
		}
	}
	out := make([]ref, 0, len(all))
	for name, h := range all {
		out = append(out, ref{name, h})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out, nil
}

// moveRef moves a reference from one object to another, if it still names the first; zero
// means that it must not exist. line is its entry for the reference log; empty for no
// entry.
func (r *repo) moveRef(ctx context.Context, name string, from, to plumbing.Hash, line string) error {
	c, err := r.claim(ctx, name)
	if err != nil {
		return err
	}
	defer c.drop()
	now, err := r.readRef(name)
	if err != nil && !errors.Is(err, errNoRef) {
		return err
	}
	if now.hash != from || now.target != "" {
		return &strata.Error{Code: strata.CodeConflict, Message: name + " in " + r.dir + " moved meanwhile", Hint: "try again"}
	}
	if line != "" && r.settings.reflog {
		entry := fmt.Sprintf("%s %s %s\n", from, to, line)
		for _, of := range []string{name, "HEAD"} {
			if err := r.appendLog(of, entry); err != nil {
				return err
			}
		}
	}
	return c.put([]byte(to.String() + "\n"))
}

// appendLog appends a line to the log of a reference.
func (r *repo) appendLog(name, line string) error {
	name = "logs/" + name
	if err := r.makeDir(path.Dir(name)); err != nil {
		return err
	}
	f, err := r.git.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}

// underWay names a git operation that a user began and has not ended; empty if there is
// none. A commit during the operation would record half of it.
func (r *repo) underWay() string {
	for _, state := range []struct{ file, what string }{
		{"MERGE_HEAD", "a merge"}, {"CHERRY_PICK_HEAD", "a cherry-pick"}, {"REVERT_HEAD", "a revert"},
		{"rebase-merge", "a rebase"}, {"rebase-apply", "a rebase"}, {"BISECT_LOG", "a bisection"}, {"sequencer", "a series of picks"},
	} {
		if _, err := r.git.Lstat(state.file); err == nil {
			return state.what
		}
	}
	return ""
}

// rewritePacked removes references from packed-refs.
func (r *repo) rewritePacked(ctx context.Context, drop map[string]bool) error {
	data, err := r.git.ReadFile("packed-refs")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c, err := r.claim(ctx, "packed-refs")
	if err != nil {
		return err
	}
	defer c.drop()
	var out bytes.Buffer
	dropped := false
	for line := range bytes.Lines(data) {
		if line[0] != '^' { // such a line belongs to the line before
			_, name, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), " ")
			dropped = drop[name]
		}
		if !dropped {
			out.Write(line)
		}
	}
	return c.put(out.Bytes())
}
