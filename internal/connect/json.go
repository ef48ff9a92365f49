package connect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"

	"github.com/tailscale/hujson"
)

// JSON configurations may have comments and trailing commas, as several clients allow;
// everything around the entry keeps its bytes.

// setMember returns a JSON text in which the object at a path has a member with the given
// name and value. It creates missing objects on the way. The text stays as it is if the
// member already has that value.
func setMember(text string, path []string, name string, value any) (string, error) {
	want, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	root, err := parseObject(text)
	if err != nil {
		return "", err
	}
	step := indentOf(text)
	object := root.Value.(*hujson.Object)
	for depth, key := range path {
		m := find(object, key)
		if m == nil {
			add(object, key, hujson.Value{Value: &hujson.Object{}}, step, depth)
			m = find(object, key)
		}
		next, ok := m.Value.Value.(*hujson.Object)
		if !ok {
			return "", fmt.Errorf("%q is not an object", strings.Join(path[:depth+1], "."))
		}
		object = next
	}
	if m := find(object, name); m != nil {
		if same(m.Value, want) {
			return text, nil
		}
		m.Value.Value = indented(want, step, len(path)+1).Value
	} else {
		add(object, name, indented(want, step, len(path)+1), step, len(path))
	}
	return finish(root, text), nil
}

// removeMember returns a JSON text in which the object at a path has no member with the
// given name.
func removeMember(text string, path []string, name string) (string, error) {
	if text == "" {
		return "", nil
	}
	root, err := parseObject(text)
	if err != nil {
		return "", err
	}
	object := root.Value.(*hujson.Object)
	for _, key := range path {
		m := find(object, key)
		if m == nil {
			return text, nil
		}
		next, ok := m.Value.Value.(*hujson.Object)
		if !ok {
			return text, nil
		}
		object = next
	}
	at := slices.IndexFunc(object.Members, func(m hujson.ObjectMember) bool { return nameOf(m) == name })
	if at < 0 {
		return text, nil
	}
	trailing := object.Members[len(object.Members)-1].Value.AfterExtra != nil
	above := object.Members[at].Name.BeforeExtra
	object.Members = slices.Delete(object.Members, at, at+1)
	n := len(object.Members)
	if n > 0 && at == n {
		last := &object.Members[n-1].Value
		if !trailing {
			last.AfterExtra = nil
		} else if last.AfterExtra == nil {
			last.AfterExtra = hujson.Extra{}
		}
	}
	switch {
	case hasComment(above) && at < n:
		object.Members[at].Name.BeforeExtra = before(above, string(object.Members[at].Name.BeforeExtra))
	case hasComment(above):
		object.AfterExtra = before(above, string(object.AfterExtra))
	case n == 0 && !hasComment(object.AfterExtra):
		object.AfterExtra = nil
	}
	return string(root.Pack()), nil
}

// member decodes a member of the object at a path, and reports whether there is one.
func member(text string, path []string, name string, into any) (there bool, err error) {
	if text == "" {
		return false, nil
	}
	root, err := parseObject(text)
	if err != nil {
		return false, err
	}
	object := root.Value.(*hujson.Object)
	for _, key := range path {
		m := find(object, key)
		if m == nil {
			return false, nil
		}
		next, ok := m.Value.Value.(*hujson.Object)
		if !ok {
			return false, nil
		}
		object = next
	}
	m := find(object, name)
	if m == nil {
		return false, nil
	}
	// An entry of another form counts as there, without a value.
	_ = json.Unmarshal(standardized(m.Value), into)
	return true, nil
}

// parseObject parses a text whose value is an object. The text may be empty.
func parseObject(text string) (hujson.Value, error) {
	if strings.TrimSpace(text) == "" {
		return hujson.Value{Value: &hujson.Object{}}, nil
	}
	root, err := hujson.Parse([]byte(text))
	if err != nil {
		return root, err
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return root, fmt.Errorf("the file holds no object")
	}
	return root, nil
}

// find returns the last member with a name, which is the one that counts.
func find(o *hujson.Object, name string) *hujson.ObjectMember {
	for i, m := range slices.Backward(o.Members) {
		if nameOf(m) == name {
			return &o.Members[i]
		}
	}
	return nil
}

func nameOf(m hujson.ObjectMember) string {
	l, _ := m.Name.Value.(hujson.Literal)
	return l.String()
}

// add appends a member to an object at a nesting depth, on a line of its own.
func add(o *hujson.Object, name string, v hujson.Value, step string, depth int) {
	line := "\n" + strings.Repeat(step, depth+1)
	m := hujson.ObjectMember{Name: hujson.Value{BeforeExtra: hujson.Extra(line), Value: hujson.String(name)}, Value: v}
	m.Value.BeforeExtra = hujson.Extra(" ")
	if hasComment(o.AfterExtra) { // keeps the comment after the last member
		m.Name.BeforeExtra = before(o.AfterExtra, line)
	}
	if n := len(o.Members); n > 0 && o.Members[n-1].Value.AfterExtra != nil {
		m.Value.AfterExtra = hujson.Extra{} // keeps a trailing comma
	}
	o.Members = append(o.Members, m)
	o.AfterExtra = hujson.Extra("\n" + strings.Repeat(step, depth))
}

// hasComment reports whether there is a comment between two tokens.
func hasComment(e hujson.Extra) bool { return strings.Contains(string(e), "/") }

// before puts comments in front of rest.
func before(comments hujson.Extra, rest string) hujson.Extra {
	if !strings.HasPrefix(rest, "\n") {
		return slices.Concat(comments, hujson.Extra(rest)) // a line comment needs its newline
	}
	return hujson.Extra(strings.TrimRight(string(comments), " \t\r\n") + rest)
}

// indented parses a JSON text and indents it for a nesting depth.
func indented(text []byte, step string, depth int) hujson.Value {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		panic(err) // the caller marshaled it
	}
	v, err := hujson.Parse(text)
	if err != nil {
		panic(err)
	}
	lay(&v, step, depth)
	return v
}

// lay puts each member of an object on its own line, and keeps a list on one line.
func lay(v *hujson.Value, step string, depth int) {
	switch x := v.Value.(type) {
	case *hujson.Object:
		for i := range x.Members {
			x.Members[i].Name.BeforeExtra = hujson.Extra("\n" + strings.Repeat(step, depth+1))
			x.Members[i].Value.BeforeExtra = hujson.Extra(" ")
			lay(&x.Members[i].Value, step, depth+1)
		}
		if len(x.Members) > 0 {
			x.AfterExtra = hujson.Extra("\n" + strings.Repeat(step, depth))
		}
	case *hujson.Array:
		for i := range x.Elements {
			if i > 0 {
				x.Elements[i].BeforeExtra = hujson.Extra(" ")
			}
			lay(&x.Elements[i], step, depth+1)
		}
	}
}

// same reports whether a value equals that of a JSON text.
func same(v hujson.Value, want []byte) bool {
	var a, b any
	if json.Unmarshal(standardized(v), &a) != nil || json.Unmarshal(want, &b) != nil {
		return false
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// standardized returns a value as JSON without comments and trailing commas.
func standardized(v hujson.Value) []byte {
	c := v.Clone()
	c.Standardize()
	return c.Pack()
}

// firstIndent matches the indentation of the first member of a file.
var firstIndent = lazyregexp.New(`(?m)^([ \t]+)"`)

// indentOf returns the indentation of one level; two spaces if the text has none.
func indentOf(text string) string {
	if m := firstIndent.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return "  "
}

// finish returns the changed text. A new file ends with a newline.
func finish(root hujson.Value, before string) string {
	after := string(root.Pack())
	if strings.TrimSpace(before) == "" {
		after = strings.TrimSpace(after) + "\n"
	}
	return after
}
