package learnings

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/strata-memory/strata/internal/text"
)

// sameAim reports whether two calls of one tool try the same, the first of which failed. It
// would rather miss one: calls of one tool that follow each other mostly have nothing to do
// with each other.
//
// Arguments that are equal tie two calls together. One that changed must be a variant of
// what it was, or of another kind in JSON, or what the error names: its new value, or its
// name where it is a number. One that came does so beside others that are equal, or is
// named by the error; one may always go.
func sameAim(failed, next attempt) bool {
	was, is := fieldsOf(failed.arguments), fieldsOf(next.arguments)
	equal, variants, named := 0, 0, 0
	for _, key := range slices.Sorted(maps.Keys(was)) {
		a := was[key]
		b, there := is[key]
		switch {
		case !there:
		case bytes.Equal(a, b):
			if !isTrivial(a) {
				equal++
			}
		case isVariant(valueOf(a), valueOf(b)):
			variants++
		case kindOf(a) != kindOf(b), names(failed.said, valueOf(b)), isTrivial(b) && names(failed.said, key):
			named++
		default:
			return false
		}
	}
	for key := range is {
		if _, there := was[key]; !there && names(failed.said, key) {
			named++
		}
	}
	if variants > 0 {
		return true
	}
	return equal > 0 || named > 0 && len(was) <= 1
}

// told are the arguments by which an agent tells a reader what a call is for. They differ
// from call to call and change nothing of what it does.
var told = []string{"description", "explanation", "justification", "purpose", "reason", "reasoning", "thought"}

// essential returns the arguments of a call in their canonical form, for people to read,
// without those that are told if there are others.
func essential(arguments string) string {
	arguments = canonical(arguments)
	d := json.NewDecoder(strings.NewReader(arguments))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return arguments
	}
	if fields, ok := v.(map[string]any); ok {
		kept := maps.Clone(fields)
		maps.DeleteFunc(kept, func(key string, _ any) bool { return slices.Contains(told, key) })
		if len(kept) > 0 {
			v = kept
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // && stays what it is
	if e.Encode(v) != nil {
		return arguments
	}
	return strings.TrimSpace(out.String())
}

// fieldsOf are the arguments of a call by name; of what is no object, the whole.
func fieldsOf(arguments string) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &out) != nil || out == nil {
		whole, _ := json.Marshal(arguments)
		return map[string]json.RawMessage{"": whole}
	}
	return out
}

// valueOf is a value as text: of a string what it says.
func valueOf(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// kindOf tells kinds of JSON apart, by how a value begins.
func kindOf(v json.RawMessage) byte {
	switch c := v[0]; {
	case c == '-' || '0' <= c && c <= '9':
		return '0'
	case c == 't' || c == 'f':
		return 't'
	default:
		return c
	}
}

// isTrivial reports whether a value is in so many calls that it ties none together.
func isTrivial(v json.RawMessage) bool {
	return kindOf(v) != '"' && kindOf(v) != '{' && kindOf(v) != '[' || len(v) < len(`"abc"`)
}

// names reports whether an error has a word or value in it.
func names(said, value string) bool {
	said, value = text.Normalize(said), text.Normalize(value)
	at := strings.Index(said, value)
	if len(value) < 2 || at < 0 {
		return false
	}
	edge := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	before, after := said[:at], said[at+len(value):]
	return (before == "" || edge(rune(before[len(before)-1]))) && (after == "" || edge(rune(after[0])))
}

// isVariant reports whether a text says nearly the same as another: at least half of their
// words are in both. Of names of files the last part must be the same; of commands the
// program, or the other text holds all of the first.
func isVariant(a, b string) bool {
	was, is := tokens(a), tokens(b)
	common := 0
	for w := range was {
		if is[w] {
			common++
		}
	}
	if common == 0 || 2*common < max(len(was), len(is)) {
		return false
	}
	if !strings.ContainsFunc(strings.TrimSpace(a), unicode.IsSpace) && strings.ContainsAny(a, `/\.`) && !strings.ContainsFunc(strings.TrimSpace(b), unicode.IsSpace) {
		return lastPart(a) == lastPart(b)
	}
	return common == len(was) || sameLead(a, b)
}

// tokens are the words of a text, without what stands between them.
func tokens(s string) map[string]bool {
	out := make(map[string]bool)
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' }) {
		out[w] = true
	}
	return out
}

// lastPart is the last part of a path.
func lastPart(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), `/\`)
	return s[strings.LastIndexAny(s, `/\`)+1:]
}

// sameLead reports whether two commands begin with the same program, or one whose name
// begins like it: python and python3.
func sameLead(a, b string) bool {
	a, b = lead(a), lead(b)
	return len(a) > 1 && len(b) > 1 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// lead is the first word of a text.
func lead(s string) string {
	words := strings.Fields(s)
	if len(words) == 0 {
		return ""
	}
	return lastPart(words[0])
}

// sameCommand reports whether an argument of two calls is a command of several words of the
// same program.
func sameCommand(a, b string) bool {
	was, is := fieldsOf(a), fieldsOf(b)
	for key, v := range was {
		other, there := is[key]
		if there && len(strings.Fields(valueOf(v))) > 1 && lead(valueOf(v)) == lead(valueOf(other)) {
			return true
		}
	}
	return false
}
