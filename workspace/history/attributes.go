package history

import (
	"bytes"
	"path"
	"strings"
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

// attributeLine is a line of a .gitattributes.
type attributeLine struct {
	pattern
	marks []string // as "text", "-text", "eol=lf"
}

// attributes are the lines that hold for the files of one directory, the
// strongest last, and the macros, which are names for several marks.
type attributes struct {
	lines  []attributeLine
	macros map[string][]string
}

// parse adds the lines of a file in the directory base.
func (a *attributes) parse(text, base string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		name, rest := cutPattern(line)
		marks := strings.Fields(rest)
		if macro, ok := strings.CutPrefix(name, "[attr]"); ok {
			if base == "" { // git takes them from nowhere else
				a.macros[macro] = marks
			}
			continue
		}
		if name == "" || strings.HasPrefix(name, "#") || strings.HasPrefix(name, "!") {
			continue // git knows no exceptions here
		}
		if p, ok := newPattern(name, base); ok && !p.dirOnly {
			a.lines = append(a.lines, attributeLine{p, marks})
		}
	}
}

// cutPattern parts the pattern of a line, which may be quoted, from its marks.
func cutPattern(line string) (name, rest string) {
	if !strings.HasPrefix(line, `"`) {
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			return line, ""
		}
		return line[:end], line[end:]
	}
	var out strings.Builder
	for i := 1; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			return out.String(), line[i+1:]
		case c == '\\' && i+1 < len(line):
			i++
			out.WriteByte(line[i])
		default:
			out.WriteByte(c)
		}
	}
	return "", ""
}

// marksOf returns what the attributes say of a path, by name: "set", "unset",
// a value, or "" for a mark that was taken back.
func (a *attributes) marksOf(file string) map[string]string {
	out := make(map[string]string)
	for _, line := range a.lines {
		if line.match(file, false) {
			a.apply(out, line.marks, 0)
		}
	}
	return out
}

func (a *attributes) apply(to map[string]string, marks []string, depth int) {
	for _, m := range marks {
		name, value, valued := strings.Cut(m, "=")
		switch {
		case valued:
		case strings.HasPrefix(m, "-"):
			name, value = m[1:], "unset"
		case strings.HasPrefix(m, "!"):
			name, value = m[1:], ""
		default:
			value = "set"
		}
		if inner, ok := a.macros[name]; ok && value == "set" && depth < 8 {
			a.apply(to, inner, depth+1)
		}
		to[name] = value
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
func (l *lineEnds) stored(file string, content []byte, before entry) ([]byte, error) {
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
		if before.mode == modeFile || before.mode == modeExecutable {
			if kept, err := l.r.read(blob, before.hash); err == nil && bytes.Contains(kept, []byte("\r\n")) && !looksBinary(kept) {
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
	a := &attributes{macros: map[string][]string{"binary": {"-diff", "-merge", "-text"}}}
	var dirs []string
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		dirs = append([]string{dir}, dirs...)
	}
	for _, dir := range append([]string{""}, dirs...) {
		name := path.Join(dir, attributesName)
		text, ok := l.files[name]
		if !ok {
			var err error
			if text, err = readRules(l.r.tree, name); err != nil {
				return nil, err
			}
			l.files[name] = text
		}
		a.parse(text, dir)
	}
	text, err := readRules(l.r.git, "info/attributes")
	if err != nil {
		return nil, err
	}
	a.parse(text, "")
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
