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

// Line ends are stored as git would store them, because git takes a file for
// changed that it would store otherwise: where an attribute or the
// configuration calls a file text, CR LF becomes LF.

// textKind says what a file is taken for.
type textKind int

const (
	textUnknown textKind = iota // nothing says
	textNo                      // bytes, stored as they are
	textYes                     // text, in any case
	textAuto                    // text, if it looks like it
)

// attributes are the lines that hold for the files of one directory, the
// strongest last, and the macros, which are names for several marks.
type attributes struct {
	lines  []attributeLine
	macros map[string][]gitattributes.Attribute
}

// attributeLine is a line of a .gitattributes.
type attributeLine struct {
	pattern
	marks []gitattributes.Attribute
}

// parse adds the lines of a file in the directory base. Git takes macros only from the
// top, and passes over what it does not understand.
func (a *attributes) parse(text string, base []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, `""`) {
			continue // which go-git panics at
		}
		m, err := gitattributes.ParseAttributesLine(line, nil, len(base) == 0)
		if err != nil || m.Name == "" || strings.HasPrefix(m.Name, "!") {
			continue // git knows no exceptions here
		}
		if m.Pattern == nil {
			a.macros[m.Name] = m.Attributes
		} else if p, ok := newPattern(m.Name, base); ok && !p.dirOnly {
			a.lines = append(a.lines, attributeLine{p, m.Attributes})
		}
	}
}

// marksOf returns what the attributes say of a path, by name: "set", "unset",
// a value, or "" for a mark that was taken back. Go-git's matcher lets the first line
// win where git has the last.
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

// kindOf says what the attributes and the configuration take a file for.
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

// lineEnds stores files as git would. It is made for one commit.
type lineEnds struct {
	r     *repo
	files map[string]string // what is read of files of attributes
}

// stored returns content as it is to be stored. before is what is tracked of
// the file, and may be the zero entry.
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
		// Text that is tracked with CR LF stays so.
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

// attributesOf collects what holds for a file: from its root down to its
// directory, and above all what is in the git directory.
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

// looksBinary reports whether git takes content for no text: it holds a NUL, a
// CR that ends no line, or more than one unprintable byte in 128.
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
		other-- // the end of a file, on CP/M and DOS
	}
	return printable>>7 < other
}
