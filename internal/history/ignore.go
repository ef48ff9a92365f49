package history

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// ignoreName is the file that says what of a directory is not to be recorded.
const ignoreName = ".gitignore"

// neverPatterns are what is never recorded, as git's patterns: transcripts and the
// keys of homes, which are private, and what Strata's own writers leave for a moment. They
// are in info/exclude, so that git leaves these alone as well; [never] holds
// even where somebody takes them out.
var neverPatterns = []string{"/transcripts/", "/agents/*/transcripts/", "/.keys/", ".lock", ".*.new"}

// never reports whether a path is never recorded, and not because it is
// ignored. Names that are git's own are recognized by [isGitName].
func never(path []string, isDir bool) bool {
	above, name := path[:len(path)-1], path[len(path)-1]
	if isDir {
		return name == ".keys" && len(above) == 0 || name == "transcripts" && (len(above) == 0 || len(above) == 2 && above[0] == "agents")
	}
	return name == ".lock" || strings.HasPrefix(name, ".") && strings.HasSuffix(name[1:], ".new")
}

// isGitName reports whether a name is that of git's own directory on some file
// system: git refuses trees with such names, and so must what writes them.
func isGitName(name string) bool {
	plain := strings.Map(func(r rune) rune {
		switch {
		case 0x200c <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x206a <= r && r <= 0x206f, r == 0xfeff:
			return -1 // HFS+ does not see these
		}
		return r
	}, name)
	for _, s := range []string{name, plain} {
		s, _, _ = strings.Cut(s, ":") // NTFS: what follows names a stream
		s = strings.TrimRight(s, " .")
		for part := range strings.SplitSeq(s, `\`) {
			if strings.EqualFold(part, gitName) || strings.EqualFold(part, "git~1") {
				return true
			}
		}
	}
	return false
}

// parseIgnore reads the patterns of a .gitignore in the directory base.
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

// trimSpaces cuts the spaces off that end a line, save those behind a
// backslash.
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

// readRules reads a file of rules; one that is not there, is no regular file
// or is larger than any file that is recorded, has none.
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
