package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// inGit looks for a git repository in one directory: a .git directory, a .git
// file that points to one (a worktree or submodule), or a bare repository. It
// reads the repository's own files, so no git program is needed.
//
// A .git that leads to a repository elsewhere which does not point back is no
// part of that: what it names may be anybody's. The directory is one of its own then.
func inGit(dir string) (Found, error) {
	if slices.Contains(strings.Split(dir, string(filepath.Separator)), ".strata") {
		return Found{}, nil // the memory's own history
	}
	gitDir, common, err := gitDirOf(dir)
	if err != nil || gitDir == "" {
		return Found{}, err
	}
	if !pointsBack(gitDir, common, dir) {
		return Found{Root: dir, Key: directoryKey(dir), Source: SourceDirectory}, nil
	}
	root := dir
	if gitDir == dir && filepath.Base(dir) == ".git" {
		root = filepath.Dir(dir)
	}
	return Found{Root: root, Key: "git:" + common, Source: SourceGit}, nil
}

// StrayGit returns the repository to which the .git of a directory leads
// although it does not point back, as after a worktree was moved by hand; empty if there
// is none.
func StrayGit(found Found) string {
	if found.Source != SourceDirectory || found.Root == "" {
		return ""
	}
	gitDir, common, err := gitDirOf(found.Root)
	if err != nil || gitDir == "" || pointsBack(gitDir, common, found.Root) {
		return ""
	}
	return common
}

const gitHint = "run git worktree repair, or name the workspace with --workspace"

// gitDirOf returns the real paths of the git directory that dir names and of the
// directory that it shares with other worktrees; empty if dir names none.
func gitDirOf(dir string) (gitDir, common string, err error) {
	if gitDir, err = namedGitDir(dir); err != nil || gitDir == "" {
		return "", "", err
	}
	if common, err = commonDir(gitDir); err != nil {
		return "", "", err
	}
	return gitDir, common, nil
}

// namedGitDir is gitDirOf for the git directory alone.
func namedGitDir(dir string) (string, error) {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Stat(dotGit)
	switch {
	case isMissing(err):
		if isRepository(dir) {
			return realPath(dir), nil
		}
		return "", nil
	case err != nil:
		return "", unreadable(dotGit, err)
	case info.IsDir():
		if _, err := os.Lstat(filepath.Join(dotGit, "HEAD")); err != nil && !isMissing(err) {
			return "", unreadable(dotGit, err)
		}
		if !isRepository(dotGit) && !isLinked(dotGit) {
			return "", nil // git passes over it as well
		}
		return realPath(dotGit), nil
	}
	data, _, err := readSmall(dotGit)
	if err != nil {
		return "", err
	}
	line, ok := parseLink(data, "gitdir: ")
	if !ok {
		return "", corrupt(dotGit, "is not a link to a git directory", gitHint)
	}
	gitDir := within(dir, line)
	if !isRepository(gitDir) && !isLinked(gitDir) {
		return "", corrupt(dotGit, "points to "+gitDir+", where there is no git directory", gitHint)
	}
	return realPath(gitDir), nil
}

// commonDir returns the real path of the directory that all worktrees of a
// repository share: the git directory itself, unless it names another.
func commonDir(gitDir string) (string, error) {
	path := filepath.Join(gitDir, "commondir")
	data, ok, err := readSmall(path)
	if err != nil || !ok {
		return gitDir, err
	}
	line, ok := parseLink(data, "")
	common := within(gitDir, line)
	if !ok || !isRepository(common) {
		return "", corrupt(path, "does not name a git repository", gitHint)
	}
	return realPath(common), nil
}

// parseLink reads a file that holds one path after a prefix. Spaces belong to
// the path, line ends do not.
func parseLink(data []byte, prefix string) (path string, ok bool) {
	path, ok = strings.CutPrefix(string(data), prefix)
	path = strings.TrimRight(path, "\r\n")
	return path, ok && path != "" && !strings.ContainsRune(path, 0)
}

// within reads a path that is relative to dir, or absolute.
func within(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// isRepository reports whether dir has what git asks of a repository.
func isRepository(dir string) bool {
	return exists(dir, "HEAD", false) && exists(dir, "objects", true) && exists(dir, "refs", true)
}

// isLinked reports whether dir is the git directory of a worktree, whose
// objects are elsewhere.
func isLinked(dir string) bool {
	return exists(dir, "HEAD", false) && exists(dir, "commondir", false)
}

// exists reports whether dir has an entry of that kind. HEAD may be a link to a
// branch that does not exist yet.
func exists(dir, name string, asDir bool) bool {
	path := filepath.Join(dir, name)
	if asDir {
		info, err := os.Stat(path)
		return err == nil && info.IsDir()
	}
	info, err := os.Lstat(path)
	return err == nil && !info.IsDir()
}

// pointsBack reports whether a git directory knows dir as its own, all real paths. A
// bare repository is its own, and .git itself is of its directory. That of a linked worktree is a directory of the
// repository's, and names the .git file of the worktree; that of a submodule has its
// directory as core.worktree.
func pointsBack(gitDir, common, dir string) bool {
	if gitDir != common {
		if !isSameDir(filepath.Dir(gitDir), filepath.Join(common, "worktrees")) {
			return false
		}
		data, ok, err := readSmall(filepath.Join(gitDir, "gitdir"))
		if !ok || err != nil {
			return false
		}
		back, ok := parseLink(data, "")
		back = within(gitDir, back)
		return ok && filepath.Base(back) == ".git" && isSameDir(filepath.Dir(back), dir)
	}
	if gitDir == dir || gitDir == filepath.Join(dir, ".git") {
		return true
	}
	for _, name := range []string{"config.worktree", "config"} {
		if tree, ok := worktreeOf(filepath.Join(gitDir, name)); ok {
			return isSameDir(within(gitDir, tree), dir)
		}
	}
	return false
}

// isSameDir reports whether two paths lead to one directory, in whatever letters.
func isSameDir(one, other string) bool {
	a, errA := os.Stat(one)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// worktreeOf returns core.worktree of a file of git's configuration.
func worktreeOf(path string) (string, bool) {
	data, ok, err := readSmall(path)
	if !ok || err != nil {
		return "", false
	}
	c := config.New()
	if config.NewDecoder(bytes.NewReader(data)).Decode(c) != nil || !c.Section("core").HasOption("worktree") {
		return "", false
	}
	return c.Section("core").Option("worktree"), true
}

// Repository is a git repository that holds the files below a directory.
type Repository struct {
	Root   string // the directory
	GitDir string // what git keeps of this work tree
	Common string // what all its work trees share
}

// Repositories returns the git repositories around a file, the innermost first: that of
// memory's own history, and those of the projects that it lies in.
func Repositories(file string) ([]Repository, error) {
	var out []Repository
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		gitDir, common, err := gitDirOf(dir)
		if err != nil {
			return nil, err
		}
		if gitDir != "" && gitDir != dir {
			out = append(out, Repository{Root: dir, GitDir: gitDir, Common: common})
		}
		if filepath.Dir(dir) == dir {
			return out, nil
		}
	}
}
