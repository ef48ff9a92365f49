package history

import (
	"bytes"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitattributes"
	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
	"github.com/go-git/go-git/v5/plumbing/object"
)

const attributesName = ".gitattributes"

// Line ends are stored as git would store them; otherwise git would report the file as
// changed. If an attribute or the configuration calls a file text, CR LF becomes LF.

// textKind says whether a file is treated as text.
type textKind int

const (
	textUnknown textKind = iota // not specified
	textNo                      // binary, stored as is
	textYes                     // always text
	textAuto                    // text if it looks like text
)

// attributes are the attribute lines that apply to the files of one directory, the
// strongest last, and the macros, which are names for several attributes.
type attributes struct {
	lines  []attributeLine
	macros map[string][]gitattributes.Attribute
}

// attributeLine is a line of a .gitattributes file.
type attributeLine struct {
	pattern
	marks []gitattributes.Attribute
}

// parse adds the lines of an attributes file in the directory base. As in git, macros
// count only at the top, and lines that are not understood are ignored.
func (a *attributes) parse(text string, base []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, `""`) {
			continue // go-git panics on these
		}
		m, err := gitattributes.ParseAttributesLine(line, nil, len(base) == 0)
		if err != nil || m.Name == "" || strings.HasPrefix(m.Name, "!") {
			continue // git allows no exceptions here
		}
		if m.Pattern == nil {
			a.macros[m.Name] = m.Attributes
		} else if p, ok := newPattern(m.Name, base); ok && !p.dirOnly {
			a.lines = append(a.lines, attributeLine{p, m.Attributes})
		}
	}
}

// marksOf returns the attributes of a path by name: "set", "unset", a value, or "" for an
// attribute that was reset. It does not use go-git's matcher, in which the first matching
// line wins instead of the last.
func (a *attributes) marksOf(file string) map[string]string {
	out := make(map[string]string)
	for _, line := range a.lines {
		if line.Match(strings.Split(file, "/"), false) == gitignore.Exclude {
			a.apply(out, line.marks, 0)
		}
	}
	return out
}

func (a *attributes) apply(to map[string]string, marks []gitattributes.Attribute, depth int) {
	for _, m := range marks {
		value := m.Value()
		if m.IsSet() {
			value = "set"
		} else if m.IsUnset() {
			value = "unset"
		}
		if inner, ok := a.macros[m.Name()]; ok && m.IsSet() && depth < 8 {
			a.apply(to, inner, depth+1)
		}
		to[m.Name()] = value
	}
}

// kindOf returns how attributes and configuration treat a file.
func kindOf(marks map[string]string, autoCRLF bool) textKind {
	text := marks["text"]
	if text == "" {
		text = marks["crlf"] // its former name
	}
	switch text {
	case "set", "input":
		return textYes
	case "unset":
		return textNo
	case "auto":
		return textAuto
	}
	if eol := marks["eol"]; eol == "lf" || eol == "crlf" {
		return textYes
	}
	if autoCRLF {
		return textAuto
	}
	return textUnknown
}

// lineEnds converts line ends as git would. It serves one commit.
type lineEnds struct {
	r     *repo
	files map[string]string // content of the attributes files read so far
}

// stored returns content as git stores it. before is the tracked version of the file, or
// the zero entry.
func (l *lineEnds) stored(file string, content []byte, before object.TreeEntry) ([]byte, error) {
	if !bytes.Contains(content, []byte("\r\n")) {
		return content, nil
	}
	a, err := l.attributesOf(file)
	if err != nil {
		return nil, err
	}
	switch kindOf(a.marksOf(file), l.r.settings.autoCRLF) {
	case textYes:
	case textAuto:
		if looksBinary(content) {
			return content, nil
		}
		// Text that is tracked with CR LF keeps it.
		if isFile(before.Mode) {
			if kept, err := l.r.readFile(before.Hash); err == nil && bytes.Contains(kept, []byte("\r\n")) && !looksBinary(kept) {
				return content, nil
			}
		}
	default:
		return content, nil
	}
	return bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")), nil
}

// attributesOf collects the attributes that apply to a file: from the root down to its
// directory, and finally those in the git directory, which are the strongest.
func (l *lineEnds) attributesOf(file string) (*attributes, error) {
	a := &attributes{macros: make(map[string][]gitattributes.Attribute)}
	a.parse("[attr]binary -diff -merge -text", nil)
	dirs := strings.Split(file, "/")
	for i := range dirs {
		name := path.Join(path.Join(dirs[:i]...), attributesName)
		text, ok := l.files[name]
		if !ok {
			var err error
			if text, err = readRules(l.r.tree, name); err != nil {
				return nil, err
			}
			l.files[name] = text
		}
		a.parse(text, dirs[:i])
	}
	text, err := readRules(l.r.git, "info/attributes")
	if err != nil {
		return nil, err
	}
	a.parse(text, nil)
	return a, nil
}

// looksBinary reports whether git takes content for binary: it holds a NUL, a CR without
// LF, or more than one unprintable byte per 128 printable ones.
func looksBinary(content []byte) bool {
	var printable, other int
	for i := 0; i < len(content); i++ {
		switch c := content[i]; {
		case c == '\r':
			if i+1 == len(content) || content[i+1] != '\n' {
				return true
			}
			i++
		case c == '\n':
		case c == 0:
			return true
		case c == 0x7f:
			other++
		case c < 0x20 && c != '\b' && c != '\t' && c != 0x1b && c != '\f':
			other++
		default:
			printable++
		}
	}
	if len(content) > 0 && content[len(content)-1] == 0x1a {
		other-- // end-of-file mark of CP/M and DOS
	}
	return printable>>7 < other
}
