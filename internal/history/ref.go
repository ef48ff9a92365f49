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

// head is what HEAD of a repository points to.
type head struct {
	branch string        // as refs/heads/main; empty if detached
	commit plumbing.Hash // zero for a branch without a commit
}

// refFile is what a file of a reference holds: one of the two.
type refFile struct {
	target string // another reference
	hash   plumbing.Hash
}

// errNoRef says that a reference does not exist.
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
	for range 5 { // one reference may name another
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

// readRef reads a reference from its own file, or from among those that are
// packed into one.
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

// validRef reports whether a reference has a name that leads nowhere else.
func validRef(name string) bool {
	return strings.HasPrefix(name, "refs/") && path.Clean(name) == name && filepath.IsLocal(filepath.FromSlash(name)) &&
		!strings.HasSuffix(name, ".lock") && !strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c == 0x7f || strings.ContainsRune(`~^:?*[\`, c) })
}

// maxSmall bounds the files of a git directory that hold a line or two, in
// bytes.
const maxSmall = 64 << 10

// readSmall reads such a file, of this work tree where each has its own. One that is a
// directory does not exist: a branch a/b makes a directory a.
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

// packedRefs reads the references that are packed into one file.
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

// ref is a reference that names an object.
type ref struct {
	name string
	hash plumbing.Hash
}

// refs lists all references that name an object, by name: branches, tags and
// the rest, and HEAD of each work tree that is on no branch.
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

// moveRef lets a reference name another object, if it still names the one
// before; zero for none. line is what the reference's log says of it; empty for
// no log.
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

// appendLog adds a line to the log of a reference.
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

// underWay names what a user began with git and did not end; empty if nothing.
// Recording the work tree meanwhile would record half of it.
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

// rewritePacked drops references from the file of packed ones.
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
		if line[0] != '^' { // which belongs to the line before
			_, name, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), " ")
			dropped = drop[name]
		}
		if !dropped {
			out.Write(line)
		}
	}
	return c.put(out.Bytes())
}
