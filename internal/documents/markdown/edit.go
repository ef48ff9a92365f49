package markdown

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// EditNote returns the content of a file with the values of a note. In the front matter,
// only keys with another value are rewritten. Order, comments, quotes and unknown keys
// stay, and the body stays if it is the same. A file without front matter gets one. If
// nothing changes, the content is returned unchanged. EditNote returns a [*Problem] if
// the front matter cannot be parsed.
func EditNote(content string, n Note) (string, error) {
	n = n.clean()
	p, problem := split(content)
	if problem != nil {
		return content, problem
	}
	eol := "\n"
	if strings.HasSuffix(p.open, "\r\n") || !p.found && strings.Contains(p.body, "\r\n") {
		eol = "\r\n"
	}
	if p.found {
		m, problem := parseFront(p.front)
		if problem != nil {
			return content, problem
		}
		r := reader{}
		old := Note{Front: r.front(m)}.clean().Front
		front, ok := editFront(p.front, m, old, n.Front, eol)
		if !ok {
			front, ok = dumpFront(m, n.Front, eol)
		}
		if !ok {
			return content, &Problem{frontLine, 1, "the front matter cannot be changed as it is written: write it in lines such as name: Title"}
		}
		p.front = front
	} else {
		front := strings.ReplaceAll(n.Front.render(), "\n", eol)
		p = parts{true, p.open + fenceLine + eol, front, fenceLine + eol, p.body}
		if n.Body != "" && !strings.HasPrefix(p.body, "\n") && !strings.HasPrefix(p.body, "\r\n") {
			p.body = eol + p.body
		}
	}
	p.body = editBody(p.body, n.Body, eol)
	if p.body != "" && !strings.HasSuffix(p.shut, "\n") {
		p.shut += eol
	}
	return p.open + p.front + p.shut + p.body, nil
}

// editBody replaces the text of a body and keeps the blank lines around it.
func editBody(old, body, eol string) string {
	if bodyOf(old) == body {
		return old
	}
	if body == "" {
		return ""
	}
	lead := old[:emptyLines(old)]
	trail := old[len(strings.TrimRight(old, "\r\n")):]
	if lead == old || lead == "" && strings.Trim(old, "\r\n") == "" {
		lead, trail = eol, eol
	}
	if trail == "" {
		trail = eol
	}
	return lead + strings.ReplaceAll(body, "\n", eol) + trail
}

// emptyLines returns the length in bytes of the empty lines at the start of s.
func emptyLines(s string) int {
	at := 0
	for {
		line, _ := cutLine(s[at:])
		if !strings.HasSuffix(line, "\n") || trimEOL(line) != "" {
			return at
		}
		at += len(line)
	}
}

// change replaces the bytes from start to end of the front matter.
type change struct {
	start, end int
	text       string
}

// editor edits front matter bytewise.
type editor struct {
	src         string
	starts      []int // offsets of lines
	eol         string
	changes     []change
	unsupported bool // a construct that the editor does not handle occurred
}

// editFront edits front matter by lines. It returns false if it cannot handle how these
// are written.
func editFront(src string, m *yaml.Node, old, want Front, eol string) (string, bool) {
	if samePairs(old.pairs(), want.pairs()) && samePairs(old.Provenance.pairs(), want.Provenance.pairs()) {
		return src, true
	}
	s := editor{src: src, eol: eol, starts: []int{0}}
	for i := range src {
		if src[i] == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	s.mapping(m, old.pairs(), want.pairs(), nil)
	s.provenance(m, old.Provenance, want.Provenance)
	if s.unsupported {
		return "", false
	}
	slices.SortStableFunc(s.changes, func(a, b change) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, c := range s.changes {
		if c.start < at {
			return "", false
		}
		b.WriteString(src[at:c.start] + c.text)
		at = c.end
	}
	out := b.String() + src[at:]
	return out, says(out, want)
}

func samePairs(a, b []pair) bool { return slices.Equal(a, b) }

// says reports whether front matter has the values of want.
func says(front string, want Front) bool {
	m, problem := parseFront(front)
	if problem != nil || len(front) > MaxFront {
		return false
	}
	r := reader{}
	got := Note{Front: r.front(m)}.clean().Front
	return samePairs(got.pairs(), want.pairs()) && samePairs(got.Provenance.pairs(), want.Provenance.pairs())
}

// provenance edits the keys of provenance, or adds all of it.
func (s *editor) provenance(m *yaml.Node, old, want Provenance) {
	k, v := find(m, keyProvenance)
	switch {
	case samePairs(old.pairs(), want.pairs()):
	case k == nil:
		s.insert(m, keyProvenance, want.render(s.indent(m), s.eol))
	case isNull(v):
		at := s.lineEnd(s.offset(k))
		s.changes = append(s.changes, change{at, at, lines(want.pairs(), s.indent(m)+"  ", s.eol)})
	case v.Kind != yaml.MappingNode || len(v.Content) == 0:
		s.unsupported = true
	default:
		s.mapping(v, old.pairs(), want.pairs(), func(v *yaml.Node) bool {
			return s.appendSessions(v, old.Sessions, want.Sessions)
		})
	}
}

// mapping changes the values of a mapping from old to want, which have the same keys.
// sessions, if not nil, may handle the list of sessions.
func (s *editor) mapping(m *yaml.Node, old, want []pair, sessions func(v *yaml.Node) bool) {
	if m.Style&yaml.FlowStyle != 0 || m.Anchor != "" {
		s.unsupported = s.unsupported || !samePairs(old, want)
		return
	}
	for i := range want {
		k, v := find(m, want[i].key)
		switch {
		case old[i] == want[i]:
		case k == nil:
			s.insert(m, want[i].key, s.indent(m)+want[i].key+": "+want[i].value+s.eol)
		case want[i].key == keySessions && sessions != nil && sessions(v):
		case want[i].value == "":
			s.remove(k, v)
		default:
			s.replace(k, v, want[i].value)
		}
	}
}

// insert inserts lines after the key that precedes this one, or at the start.
func (s *editor) insert(m *yaml.Node, key, text string) {
	if m.Style&yaml.FlowStyle != 0 {
		s.unsupported = true
		return
	}
	order := []string{keyName, keyDescription, keyType, keyStatus, keyID, keyBase, keyScope, keyAgent, keyTier, keyProvenance}
	if provenance := []string{keySessions, keyTurns, keyFacts, keyActor, keyConfidence, keySuperseded, keyCreated, keyUpdated}; slices.Contains(provenance, key) {
		order = provenance
	}
	at := len(s.src)
	if len(m.Content) > 0 {
		at = s.starts[m.Content[0].Line-1]
	}
	for _, before := range order[:slices.Index(order, key)] {
		if k, v := find(m, before); k != nil {
			at = s.lineEnd(s.end(k, v))
		}
	}
	s.changes = append(s.changes, change{at, at, text})
}

// remove removes the lines of a key.
func (s *editor) remove(k, v *yaml.Node) {
	s.changes = append(s.changes, change{s.starts[k.Line-1], s.lineEnd(s.end(k, v)), ""})
}

// replace replaces the value of a key.
func (s *editor) replace(k, v *yaml.Node, value string) {
	if isNull(v) && v.Value == "" {
		at := s.offset(k) + len(k.Value)
		if k.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 || at >= len(s.src) || s.src[at] != ':' {
			s.unsupported = true
			return
		}
		s.changes = append(s.changes, change{at + 1, at + 1, " " + value})
		return
	}
	start := s.offset(v)
	if v.Line > k.Line && v.Kind == yaml.SequenceNode && v.Style&yaml.FlowStyle == 0 {
		start = s.starts[v.Line-1] // a list with dashes becomes one on the line of the key
		end := s.end(k, v)
		at := s.lineEnd(s.offset(k))
		colon := s.offset(k) + len(k.Value) + 1
		if strings.TrimSpace(s.src[colon:at]) != "" || at > start {
			s.unsupported = true
			return
		}
		s.changes = append(s.changes, change{colon, end, " " + value})
		return
	}
	s.changes = append(s.changes, change{start, s.end(k, v), value})
}

// appendSessions appends to a list written with dashes. It returns false if more than
// that would have to change.
func (s *editor) appendSessions(v *yaml.Node, old, want []string) bool {
	if v.Kind != yaml.SequenceNode || v.Style&yaml.FlowStyle != 0 || len(v.Content) == 0 ||
		len(want) <= len(old) || !slices.Equal(old, want[:len(old)]) {
		return false
	}
	last := v.Content[len(v.Content)-1]
	indent := s.src[s.starts[v.Line-1]:s.offset(v)]
	if strings.TrimSpace(indent) != "" {
		return false
	}
	var b strings.Builder
	for _, session := range want[len(old):] {
		b.WriteString(indent + "- " + quoted(session) + s.eol)
	}
	at := s.lineEnd(s.endScalar(last, len(indent)))
	s.changes = append(s.changes, change{at, at, b.String()})
	return true
}
