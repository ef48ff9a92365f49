package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// inGit looks for a git repository in one directory: a .git directory, a .git
// file that points to one (a worktree or submodule), or a bare repository. It
// reads the repository's own files, so no git program is needed.
func inGit(dir string) (Found, error) {
	if slices.Contains(strings.Split(dir, string(filepath.Separator)), ".strata") {
		return Found{}, nil // the memory's own history
	}
	gitDir, err := gitDirOf(dir)
	if err != nil || gitDir == "" {
		return Found{}, err
	}
	common, err := commonDir(gitDir)
	if err != nil {
		return Found{}, err
	}
	root := dir
	if gitDir == dir && filepath.Base(dir) == ".git" {
		root = filepath.Dir(dir)
	}
	return Found{Root: root, Key: "git:" + common, Source: SourceGit}, nil
}

const gitHint = "run git worktree repair, or name the workspace with --workspace"

// gitDirOf returns the real path of the git directory that belongs to dir;
// empty if there is none.
func gitDirOf(dir string) (string, error) {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Stat(dotGit)
	switch {
	case isMissing(err):
		if isRepository(dir) {
			return dir, nil
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
		gitDir, err := gitDirOf(dir)
		if err != nil {
			return nil, err
		}
		if gitDir != "" && gitDir != dir {
			common, err := commonDir(gitDir)
			if err != nil {
				return nil, err
			}
			out = append(out, Repository{Root: dir, GitDir: gitDir, Common: common})
		}
		if filepath.Dir(dir) == dir {
			return out, nil
		}
	}
}
