package secrets

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// RedactJSON is [Redact] for a text that is one JSON value. The result is valid JSON,
// identical to s except for the secrets. A string keeps its parts that are not secret; a
// number that is secret, such as a PIN, becomes a string. RedactJSON finds secrets behind
// JSON escapes, and by the names of their members. Text that is not JSON is redacted like
// any other. The count is the number of secrets.
func RedactJSON(s string) (string, int) {
	if !json.Valid([]byte(s)) {
		out, found := Redact(s)
		return out, len(found)
	}
	out, count := redactLiterals(s)
	// A secret that spans several values, or is partly outside of them, shows only in the
	// whole. Every value it touches is replaced entirely.
	for range 3 {
		found := Scan(out)
		if len(found) == 0 {
			return out, count
		}
		count += len(found)
		out = dropValues(out, found)
	}
	rest, found := Redact(out)
	return rest, count + len(found)
}

// RedactStrings redacts each string in a JSON document separately. It leaves the names of
// members alone, and the values of members for which skip returns true: ids and the like,
// which must not change. It finds only secrets that are recognizable by themselves;
// [RedactJSON] also finds those that only the name of a member gives away.
func RedactStrings(s string, skip func(name string) bool) string {
	var out strings.Builder
	pos := 0
	eachLiteral(s, func(l literal) {
		raw := s[l.start:l.end]
		if l.isName || len(raw) < shortest || raw[0] != '"' || skip(l.name) {
			return
		}
		text, ok := unquoteJSON(raw)
		if !ok {
			return
		}
		clean, found := Redact(text)
		if len(found) == 0 {
			return
		}
		out.WriteString(s[pos:l.start])
		out.WriteString(quoteJSON(clean))
		pos = l.end
	})
	if pos == 0 {
		return s
	}
	return out.String() + s[pos:]
}

// shortest is the length of the shortest string, including quotes, that may contain a
// secret: "PIN 1234".
const shortest = 10

// literal is a string, number or keyword in a JSON text.
type literal struct {
	start, end int
	name       string // of the member that contains it, at any depth; empty for a name itself
	isName     bool
}

// redactLiterals redacts each literal separately.
func redactLiterals(s string) (string, int) {
	var out strings.Builder
	pos, count := 0, 0
	for _, l := range literals(s) {
		raw := s[l.start:l.end]
		if raw[0] != '"' && (l.name == "" || !strings.ContainsRune("-0123456789", rune(raw[0]))) {
			continue
		}
		text := raw
		if raw[0] == '"' {
			var ok bool
			if text, ok = unquoteJSON(raw); !ok {
				continue
			}
		}
		clean, n := redactNamed(l.name, text)
		if n == 0 {
			continue
		}
		out.WriteString(s[pos:l.start])
		out.WriteString(quoteJSON(clean))
		pos, count = l.end, count+n
	}
	if count == 0 {
		return s, 0
	}
	out.WriteString(s[pos:])
	return out.String(), count
}

// redactNamed redacts a text both by itself and as the value of a name.
func redactNamed(name, text string) (string, int) {
	clean, found := Redact(text)
	count := len(found)
	if name == "" {
		return clean, count
	}
	label := name + ": "
	both, found := Redact(label + clean)
	if len(found) == 0 {
		return clean, count
	}
	if rest, ok := strings.CutPrefix(both, label); ok {
		return rest, count + len(found)
	}
	return clean, count // the finding is in the name, which is redacted separately
}

// dropValues replaces the literals that a finding touches.
func dropValues(s string, found []Finding) string {
	var out strings.Builder
	pos := 0
	for _, l := range literals(s) {
		for len(found) > 0 && found[0].End <= l.start {
			found = found[1:]
		}
		if len(found) == 0 {
			break
		}
		if found[0].Start < l.end {
			out.WriteString(s[pos:l.start])
			out.WriteString(quoteJSON(markerOpen + found[0].Rule + markerClose))
			pos = l.end
		}
	}
	out.WriteString(s[pos:])
	return out.String()
}

// literals returns the literals of a valid JSON text, in order.
func literals(s string) []literal {
	out := make([]literal, 0, len(s)/32)
	eachLiteral(s, func(l literal) { out = append(out, l) })
	return out
}

// eachLiteral calls do with each literal of a valid JSON text, in order.
func eachLiteral(s string, do func(literal)) {
	type level struct {
		object bool
		name   string
	}
	var stack []level
	var outside level
	top := func() *level {
		if len(stack) == 0 {
			return &outside
		}
		return &stack[len(stack)-1]
	}
	expectKey := false
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case ' ', '\t', '\r', '\n', ':':
			i++
		case ',':
			expectKey = top().object
			i++
		case '{', '[':
			stack = append(stack, level{object: c == '{', name: top().name})
			expectKey = c == '{'
			i++
		case '}', ']':
			stack = stack[:max(len(stack)-1, 0)]
			expectKey = false
			i++
		default:
			end := literalEnd(s, i)
			l := literal{start: i, end: end, name: top().name}
			if expectKey {
				l.name, l.isName = "", true
				if name, ok := unquoteJSON(s[i:end]); ok {
					top().name = name
				}
				expectKey = false
			}
			do(l)
			i = end
		}
	}
}

// literalEnd returns the end of the literal at i.
func literalEnd(s string, i int) int {
	if s[i] != '"' {
		if n := strings.IndexAny(s[i:], ",]} \t\r\n"); n > 0 {
			return i + n
		}
		return len(s)
	}
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return len(s)
}

// unquoteJSON decodes a JSON string. Most have no escapes and need no decoding.
func unquoteJSON(raw string) (s string, ok bool) {
	if len(raw) >= 2 && raw[0] == '"' && strings.IndexByte(raw, '\\') < 0 && utf8.ValidString(raw) {
		return raw[1 : len(raw)-1], true
	}
	err := json.Unmarshal([]byte(raw), &s)
	return s, err == nil
}

// quoteJSON encodes a JSON string.
func quoteJSON(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""` // encoding a string never fails
	}
	return strings.TrimSuffix(b.String(), "\n")
}
