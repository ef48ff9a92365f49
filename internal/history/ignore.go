package history

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// ignoreName is the file that says which files of a directory are not recorded.
const ignoreName = ".gitignore"

// neverPatterns are git patterns for what is never recorded: transcripts and the keys of
// homes, which are private, and temporary files of Strata's writers. They are written to
// info/exclude, so that git ignores these as well; [never] applies even if somebody
// removes them.
var neverPatterns = []string{"/transcripts/", "/agents/*/transcripts/", "/.keys/", ".lock", ".*.new"}

// never reports whether a path is never recorded, whatever the ignore rules say. See
// [isGitName] for git's own names.
func never(path []string, isDir bool) bool {
	above, name := path[:len(path)-1], path[len(path)-1]
	if isDir {
		return name == ".keys" && len(above) == 0 || name == "transcripts" && (len(above) == 0 || len(above) == 2 && above[0] == "agents")
	}
	return name == ".lock" || strings.HasPrefix(name, ".") && strings.HasSuffix(name[1:], ".new")
}

// isGitName reports whether some file system takes a name for git's own directory. Git
// refuses trees with such names, so they must not be written.
func isGitName(name string) bool {
	plain := strings.Map(func(r rune) rune {
		switch {
		case 0x200c <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x206a <= r && r <= 0x206f, r == 0xfeff:
			return -1 // HFS+ ignores these
		}
		return r
	}, name)
	for _, s := range []string{name, plain} {
		s, _, _ = strings.Cut(s, ":") // NTFS: a stream name follows
		s = strings.TrimRight(s, " .")
		for part := range strings.SplitSeq(s, `\`) {
			if strings.EqualFold(part, gitName) || strings.EqualFold(part, "git~1") {
				return true
			}
		}
	}
	return false
}

// parseIgnore parses the patterns of a .gitignore in the directory base.
func parseIgnore(text string, base []string) []gitignore.Pattern {
	var out []gitignore.Pattern
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.SplitSeq(text, "\n") {
		line = trimSpaces(strings.TrimSuffix(line, "\r"))
		if strings.HasPrefix(line, "#") {
			continue
		}
		line, include := strings.CutPrefix(line, "!")
		if p, ok := newPattern(line, base); ok {
			p.include = include
			out = append(out, p)
		}
	}
	return out
}

// trimSpaces removes trailing spaces, except a space after a backslash.
func trimSpaces(line string) string {
	end := len(line)
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			if end == len(line) {
				end = i
			}
			continue
		case '\\':
			i++
		}
		end = len(line)
	}
	return line[:end]
}

// readRules reads a file of rules. It returns no rules if the file does not exist, is not
// a regular file, or is larger than [MaxFile].
func readRules(root *os.Root, name string) (string, error) {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() > MaxFile) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	data, err := root.ReadFile(name)
	if errors.Is(err, fs.ErrPermission) {
		return "", nil
	}
	return string(data), err
}
