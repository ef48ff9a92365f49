package homedir

import (
	"path/filepath"
	"strings"

	"github.com/strata-memory/strata"
)

// Expand returns a path of a setting or flag with what it begins with expanded, as a
// shell would: ~ for the user's home directory, and $NAME, ${NAME} or %NAME% for a
// variable. No shell has done so where the path was quoted, or came from a file. What
// follows is part of the path, whatever it is, and so is the beginning of ./~ or ./$NAME.
//
// A ~ with a name, a variable that is not set, and a home directory that is not known are
// invalid: taken as they stand they would be directories of such names.
func Expand(path string, getenv func(string) string, userHome string) (string, error) {
	first, _, _ := strings.Cut(path, "/")
	if strings.HasPrefix(first, "~") {
		if name, _, _ := strings.Cut(first, `\`); name != "~" {
			return "", unexpanded(path, "the home directory of another user is not looked up")
		}
		if userHome == "" {
			return "", unexpanded(path, "the user has no home directory")
		}
		return join(userHome, path[1:]), nil
	}
	name, rest, ok := cutVariable(path)
	switch {
	case !ok && strings.HasPrefix(path, "${"):
		return "", unexpanded(path, "the name of the variable has no end")
	case !ok:
		return path, nil
	}
	value := getenv(name)
	if value == "" {
		return "", unexpanded(path, "the variable "+name+" is not set")
	}
	return join(value, rest), nil
}

// cutVariable divides a path that begins with a variable, as a shell of Unix or of Windows
// writes it, into the variable's name and what follows.
func cutVariable(path string) (name, rest string, ok bool) {
	if braced, found := strings.CutPrefix(path, "${"); found {
		return strings.Cut(braced, "}")
	}
	if plain, found := strings.CutPrefix(path, "$"); found {
		rest := strings.TrimLeft(plain, nameChars)
		name := plain[:len(plain)-len(rest)]
		return name, rest, isName(name)
	}
	if enclosed, found := strings.CutPrefix(path, "%"); found {
		name, rest, ok := strings.Cut(enclosed, "%")
		return name, rest, ok && isName(strings.Trim(name, "()")) && strings.Trim(name, nameChars+"()") == ""
	}
	return "", "", false
}

// nameChars are the characters of the names of variables.
const nameChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789"

// isName reports whether a name may be that of a variable: it does not begin with a digit.
func isName(s string) bool { return s != "" && (s[0] < '0' || s[0] > '9') }

// join puts the rest of a path behind what its beginning stands for. Paths of Windows have
// backslashes.
func join(value, rest string) string {
	if strings.HasPrefix(rest, `\`) {
		rest = strings.ReplaceAll(rest, `\`, "/")
	}
	return filepath.Clean(value + rest)
}

func unexpanded(path, why string) error {
	return strata.Invalid("read path", path+" cannot be expanded: "+why, "write the whole path; ./"+path+" is a file of that name in the working directory")
}
