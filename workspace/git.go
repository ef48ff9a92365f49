package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// inGit looks for a git repository in one directory: a .git directory, a .git file that
// points to one (a worktree or submodule), or a bare repository. It reads the
// repository's files and needs no git program.
//
// If .git leads to a repository elsewhere that does not point back, inGit does not treat
// dir as part of it, because the repository may be anybody's. dir is then a workspace by
// its own path.
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

// StrayGit returns the repository to which the .git of a directory leads although the
// repository does not point back, for example after somebody moved a worktree by hand. It
// returns an empty string if there is none.
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

// gitDirOf returns the real path of the git directory that dir names, and of the
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

// namedGitDir returns only the git directory of gitDirOf.
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
			return "", nil // git ignores it as well
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

// commonDir returns the real path of the directory that all worktrees of a repository
// share: the git directory itself unless it names another.
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

// parseLink parses a file that holds one path after a prefix. Spaces are part of the
// path; line ends are not.
func parseLink(data []byte, prefix string) (path string, ok bool) {
	path, ok = strings.CutPrefix(string(data), prefix)
	path = strings.TrimRight(path, "\r\n")
	return path, ok && path != "" && !strings.ContainsRune(path, 0)
}

// within resolves a path that is relative to dir or absolute.
func within(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// isRepository reports whether dir has what git requires of a repository.
func isRepository(dir string) bool {
	return exists(dir, "HEAD", false) && exists(dir, "objects", true) && exists(dir, "refs", true)
}

// isLinked reports whether dir is the git directory of a worktree, whose
// objects are elsewhere.
func isLinked(dir string) bool {
	return exists(dir, "HEAD", false) && exists(dir, "commondir", false)
}

// exists reports whether dir has an entry of the given kind. A file may be a link to a
// target that does not exist: HEAD may link to a branch without commits.
func exists(dir, name string, asDir bool) bool {
	path := filepath.Join(dir, name)
	if asDir {
		info, err := os.Stat(path)
		return err == nil && info.IsDir()
	}
	info, err := os.Lstat(path)
	return err == nil && !info.IsDir()
}

// pointsBack reports whether a git directory belongs to dir; all paths are real. A bare
// repository belongs to itself, and .git to its parent directory. The git directory of a
// linked worktree lies in the repository's worktrees directory and names the .git file of
// the worktree. That of a submodule has dir as core.worktree.
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

// isSameDir reports whether two paths lead to the same directory, even if their case
// differs.
func isSameDir(one, other string) bool {
	a, errA := os.Stat(one)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// worktreeOf returns core.worktree from a git configuration file.
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
	GitDir string // what git stores for this worktree
	Common string // what all worktrees of the repository share
}

// Repositories returns the git repositories that contain a file, innermost first: the
// memory's own history and the repositories of the projects around it.
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
