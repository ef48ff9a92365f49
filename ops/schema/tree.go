package schema

import "strings"

// Tree describes an object with all that is in it, from its fields and those of nested
// objects with a path as name, as [Nested] returns them. An input is closed, and says
// which fields must be there; an output is open, and says which always are.
func Tree(fields []Field, input bool) *Schema {
	root := &Schema{Type: "object", Closed: input}
	objects := map[string]*Schema{"": root} // by path
	for _, f := range fields {
		parent, name := "", f.Name
		if i := strings.LastIndexByte(f.Name, '.'); i >= 0 {
			parent, name = f.Name[:i], f.Name[i+1:]
		}
		s, inner := described(f, input)
		path := f.Name + strings.Repeat("[]", strings.Count(f.Type, "[]"))
		objects[path] = inner
		required := f.Required
		if !input {
			required = !f.Optional
		}
		if in := objects[parent]; in != nil {
			in.Properties = append(in.Properties, Property{Name: name, Required: required, Schema: s})
		}
	}
	return root
}

// described is the schema of a field, and that of what it, or a list of it, holds.
func described(f Field, input bool) (whole, inner *Schema) {
	kind := strings.ReplaceAll(f.Type, "[]", "")
	inner = &Schema{Type: kind, Enum: f.Enum, Min: f.Min, Max: f.Max}
	if kind == "time" {
		inner.Type, inner.Format = "string", "date-time"
	}
	whole = inner
	for range strings.Count(f.Type, "[]") {
		whole = &Schema{Type: "array", Items: whole}
	}
	whole.Description = f.Doc
	if input && f.Default != "" {
		whole.Default = defaultOf(f)
	}
	return whole, inner
}
