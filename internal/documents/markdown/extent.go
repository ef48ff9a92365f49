package markdown

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// indent returns the white space before the keys of a mapping.
func (s *editor) indent(m *yaml.Node) string {
	if len(m.Content) == 0 {
		return ""
	}
	return strings.Repeat(" ", m.Content[0].Column-1)
}

// offset returns the position in bytes of a node.
func (s *editor) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(s.starts) {
		s.unsupported = true
		return 0
	}
	at := s.starts[n.Line-1]
	for range n.Column - 1 {
		if at >= len(s.src) {
			s.unsupported = true
			return 0
		}
		_, size := utf8.DecodeRuneInString(s.src[at:])
		at += size
	}
	return at
}

// lineEnd returns the position after the end of the line that contains at.
func (s *editor) lineEnd(at int) int {
	if i := strings.IndexByte(s.src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s.src)
}

// end returns the position after the value of a key. A comment may follow on the same
// line.
func (s *editor) end(k, v *yaml.Node) int {
	if isNull(v) && v.Value == "" {
		return s.offset(k) + len(k.Value)
	}
	switch v.Kind {
	case yaml.ScalarNode:
		return s.endScalar(v, k.Column-1)
	case yaml.SequenceNode, yaml.MappingNode:
		if v.Style&yaml.FlowStyle != 0 {
			return s.endFlow(v)
		}
		if len(v.Content) == 0 {
			break
		}
		if v.Kind == yaml.MappingNode {
			return s.end(v.Content[len(v.Content)-2], v.Content[len(v.Content)-1])
		}
		if last := v.Content[len(v.Content)-1]; last.Kind == yaml.ScalarNode {
			return s.endScalar(last, v.Column-1)
		}
	}
	s.unsupported = true
	return s.offset(v)
}

// endFlow returns the position after a list or mapping in brackets.
func (s *editor) endFlow(v *yaml.Node) int {
	start := s.offset(v)
	depth := 0
	for i := start; i < len(s.src); i++ {
		switch c := s.src[i]; c {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			i = skipQuoted(s.src, i) - 1
		case '#':
			s.unsupported = true // a comment inside of it would be lost
			return start
		}
	}
	s.unsupported = true
	return start
}

// skipQuoted returns the position after the quoted text that begins at i.
func skipQuoted(s string, i int) int {
	q := s[i]
	for i++; i < len(s); i++ {
		switch {
		case q == '"' && s[i] == '\\':
			i++
		case s[i] == q && q == '\'' && i+1 < len(s) && s[i+1] == q:
			i++
		case s[i] == q:
			return i + 1
		}
	}
	return len(s)
}

// endScalar returns the position after a scalar. indent is the column of its key, from 0.
func (s *editor) endScalar(v *yaml.Node, indent int) int {
	start := s.offset(v)
	switch {
	case s.unsupported || v.Anchor != "" || v.Style&yaml.TaggedStyle != 0 || start >= len(s.src):
		s.unsupported = true
		return start
	case v.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		if c := s.src[start]; c != '"' && c != '\'' {
			s.unsupported = true
			return start
		}
		return skipQuoted(s.src, start)
	case v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return s.endBlock(start, indent)
	}
	return s.endPlain(v, start)
}

// endBlock returns the position after the last line of a text that is indented more than
// its key.
func (s *editor) endBlock(start, indent int) int {
	end := s.lineEnd(start)
	for at := end; at < len(s.src); {
		next := s.lineEnd(at)
		line := s.src[at:next]
		if blank := strings.TrimSpace(line) == ""; !blank {
			if len(line)-len(strings.TrimLeft(line, " ")) <= indent {
				break
			}
			end = next
		}
		at = next
	}
	return len(strings.TrimRight(s.src[:end], "\r\n"))
}

// endPlain returns the position after a text without quotes, which may span lines.
func (s *editor) endPlain(v *yaml.Node, start int) int {
	want := len(strings.Fields(v.Value))
	words := 0
	for at := start; at < len(s.src); {
		next := s.lineEnd(at)
		line := s.src[at:next]
		if i := strings.Index(line, " #"); i >= 0 {
			line = line[:i]
		}
		if i := strings.Index(line, "\t#"); i >= 0 {
			line = line[:i]
		}
		line = strings.TrimRight(line, " \t\r\n")
		if words += len(strings.Fields(line)); words == want {
			return at + len(line)
		}
		if words > want {
			break
		}
		at = next
	}
	s.unsupported = true
	return start
}
