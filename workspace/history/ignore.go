package history

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
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
func never(file string, isDir bool) bool {
	dir, name := path.Split(file)
	dir = strings.TrimSuffix(dir, "/")
	if isDir {
		return name == "transcripts" && (dir == "" || path.Dir(dir) == "agents") || name == ".keys" && dir == ""
	}
	return name == ".lock" || strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".new") && len(name) > len("..new")
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

// rule is a line of a .gitignore.
type rule struct {
	pattern
	include bool // it lets in again what a rule before leaves out
}

// parseIgnore reads the rules of a .gitignore in the directory base.
func parseIgnore(text, base string) []rule {
	var out []rule
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.SplitSeq(text, "\n") {
		line = trimSpaces(strings.TrimSuffix(line, "\r"))
		if strings.HasPrefix(line, "#") {
			continue
		}
		var r rule
		line, r.include = strings.CutPrefix(line, "!")
		var ok bool
		if r.pattern, ok = newPattern(line, base); ok {
			out = append(out, r)
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

// ignored reports whether rules, the strongest last, leave a path out. Whether
// a directory above is left out is not looked at.
func ignored(rules []rule, path string, isDir bool) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].match(path, isDir) {
			return !rules[i].include
		}
	}
	return false
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
