package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// excludeLine is the pattern by which git ignores a workspace's memory.
const excludeLine = ".strata/"

// mainRoot returns the directory in which a workspace should have its memory.
func mainRoot(found Found) (string, error) {
	if found.Source != SourceGit {
		return found.Root, nil
	}
	common := strings.TrimPrefix(found.Key, "git:")
	if found.Root == common {
		return "", strata.Invalid(opInit, found.Root+" is a bare repository", "run it in one of its worktrees")
	}
	own, _, err := gitDirOf(found.Root)
	if err != nil {
		return "", err
	}
	if own != common && filepath.Base(common) == ".git" {
		return filepath.Dir(common), nil
	}
	return found.Root, nil // the main worktree, or a worktree of a bare repository
}

// mainOf returns the main worktree of the repository that has root as a worktree, or root
// itself if there is none.
func mainOf(root string) string {
	found, err := inGit(root)
	if err != nil || found.Source != SourceGit {
		return root
	}
	main, err := mainRoot(found)
	if err != nil {
		return root // a bare repository has none
	}
	return main
}

// excludeFromGit makes the git repository around root ignore .strata, in its
// info/exclude, which is never committed. It returns the path of the file if it added the
// line.
func excludeFromGit(root string) (string, error) {
	found, err := find(root, bounds{}, inGit)
	if err != nil || found.Source != SourceGit {
		return "", err
	}
	common, err := os.OpenRoot(strings.TrimPrefix(found.Key, "git:"))
	if err != nil {
		return "", err
	}
	defer common.Close()
	name := filepath.Join("info", "exclude")
	path := filepath.Join(common.Name(), name)
	info, err := common.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := common.Mkdir("info", 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New(path + " is not a file")
	}
	// Append the line in one write, so that a line that another process adds at the same
	// moment is not lost.
	f, err := common.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := common.ReadFile(name)
	if err != nil {
		return "", err
	}
	if excludes(string(data)) {
		return "", nil
	}
	line := excludeLine + "\n"
	if len(data) > 0 && data[len(data)-1] != '\n' {
		line = "\n" + line
	}
	if _, err := f.WriteString(line); err != nil {
		return "", err
	}
	return path, nil
}

// excludes reports whether an exclude file has the line.
func excludes(data string) bool {
	return slices.ContainsFunc(strings.Split(data, "\n"), func(l string) bool {
		l = strings.TrimPrefix(strings.TrimRight(l, " \r"), "/")
		return l == excludeLine || l+"/" == excludeLine
	})
}

// wouldExclude returns the file that excludeFromGit would change; empty if there is none
// or it already has the line.
func wouldExclude(root string) (string, error) {
	found, err := find(root, bounds{}, inGit)
	if err != nil || found.Source != SourceGit {
		return "", err
	}
	path := filepath.Join(strings.TrimPrefix(found.Key, "git:"), "info", "exclude")
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || excludes(string(data)) {
		return "", err
	}
	return path, nil
}
