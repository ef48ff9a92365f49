package markdown

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

const (
	fenceLine = "---"
	byteOrder = "\uFEFF" // byte order mark
)

// parts are the parts of a file. Joined, they are the file.
type parts struct {
	found bool
	open  string // before the front matter: byte order mark and opening fence
	front string // whole lines of YAML
	shut  string // the closing fence
	body  string // after the front matter
}

// split splits a file into its parts. The Problem is that the file is not text, or that
// its front matter is not closed or too long.
func split(content string) (parts, *Problem) {
	if p := checkText(content); p != nil {
		return parts{body: content}, p
	}
	start := 0
	if strings.HasPrefix(content, byteOrder) {
		start = len(byteOrder)
	}
	first, rest := cutLine(content[start:])
	if !isFence(first) {
		return parts{open: content[:start], body: content[start:]}, nil
	}
	begin := start + len(first)
	for at := begin; rest != ""; {
		line, after := cutLine(rest)
		if isFence(line) {
			p := parts{true, content[:begin], content[begin:at], line, after}
			if len(p.front) > MaxFront {
				return parts{body: content}, &Problem{1, 1, fmt.Sprintf("the front matter is longer than %d bytes", MaxFront)}
			}
			return p, nil
		}
		at += len(line)
		rest = after
	}
	return parts{body: content}, &Problem{1, 1, "the front matter that begins here does not end: close it with a line of three dashes"}
}

// cutLine splits s after its first line.
func cutLine(s string) (line, rest string) {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return s[:i+1], s[i+1:]
	}
	return s, ""
}

func isFence(line string) bool { return strings.TrimRight(line, " \t\r\n") == fenceLine }

// checkText returns a Problem for the first byte that is not text, or nil.
func checkText(s string) *Problem {
	at, what := -1, ""
	if i := strings.IndexByte(s, 0); i >= 0 {
		at, what = i, "the file holds a NUL byte: it is not text"
	}
	if !utf8.ValidString(s) {
		for i, r := range s {
			if r != utf8.RuneError {
				continue
			}
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				if at < 0 || i < at {
					at, what = i, "the file is not valid UTF-8"
				}
				break
			}
		}
	}
	if at < 0 {
		return nil
	}
	before := s[:at]
	line := strings.Count(before, "\n") + 1
	return &Problem{line, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1, what}
}

// frontLine is the line number of the file at which the YAML begins.
const frontLine = 2

// parseFront parses the YAML between the fences as a mapping. If there is none, the
// mapping is empty.
func parseFront(src string) (m *yaml.Node, problem *Problem) {
	line, column := frontLine, 0
	for _, r := range src {
		column++
		switch {
		case r == '\n':
			line, column = line+1, 0
		case r == '\r', r == '\t':
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return nil, &Problem{line, column, fmt.Sprintf("the front matter holds the character U+%04X", r)}
		}
	}
	src = strings.ReplaceAll(src, "\r\n", "\n")
	if before, _, ok := strings.Cut(src, "\r"); ok {
		return nil, &Problem{frontLine + strings.Count(before, "\n"), 1, "a line of the front matter holds a carriage return"}
	}
	empty := &yaml.Node{Kind: yaml.MappingNode, Line: 1, Column: 1}
	if noYAML(src) {
		return empty, nil
	}
	var doc yaml.Node
	if err := yaml.Load([]byte(src), &doc); err != nil {
		return nil, yamlProblem(err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return empty, nil
	}
	m = doc.Content[0]
	if m.Kind != yaml.MappingNode {
		return nil, &Problem{m.Line + frontLine - 1, m.Column, "the front matter is not a list of keys and values: write lines such as name: Title"}
	}
	return m, nil
}

// noYAML reports whether there are only comments and blank lines.
func noYAML(src string) bool {
	for line := range strings.SplitSeq(src, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

func yamlProblem(err error) *Problem {
	p := &Problem{frontLine, 1, "the front matter cannot be read"}
	var le *yaml.LoadError
	if errors.As(err, &le) {
		if mark := le.Mark; mark.Line > 0 {
			p.Line, p.Column = mark.Line+frontLine-1, max(mark.Column, 1)
		}
		if le.Message != "" {
			p.Message += ": " + strings.TrimPrefix(oneLine(le.Message), "yaml: ")
		}
	}
	if strings.Contains(p.Message, "mapping values are not allowed") {
		p.Message += "; put a value that holds a colon in double quotes"
	}
	return p
}

// CutFront splits a note into its front matter, including a blank line after it, and its
// text. If front matter is missing or not closed, everything is text. Joined, the two are
// the content.
func CutFront(content string) (front, text string) {
	p, problem := split(content)
	if problem != nil || !p.found {
		return "", content
	}
	blank := ""
	if line, _ := cutLine(p.body); line == "\n" || line == "\r\n" {
		blank = line
	}
	return p.open + p.front + p.shut + blank, p.body[len(blank):]
}

// JoinFront is the inverse of [CutFront]: CutFront splits its result into front and text
// again. front must be from CutFront or empty.
func JoinFront(front, text string) string {
	if front == "" {
		return text
	}
	if !strings.HasSuffix(front, "\n") {
		front += "\n"
	}
	if cut, _ := CutFront(front + text); len(cut) > len(front) {
		front += "\n" // otherwise CutFront would take a blank line of the text for its own
	}
	return front + text
}
