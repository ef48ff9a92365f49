// Package schema determines the fields of input and output types, and describes them to
// models as JSON Schema.
package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// Schema is a JSON Schema built from fields.
type Schema struct {
	Type        string // as in JSON Schema: string, integer, number, boolean, array or object
	Format      string // "date-time" or empty
	Description string
	Enum        []string
	Default     any   // nil without one
	Min, Max    int64 // range of a number; Max is 0 without one
	Items       *Schema
	Properties  []Property // of an object, in declaration order
	// Closed means that an object has the declared properties and no others.
	Closed bool
}

// Property is a named property of an object.
type Property struct {
	Name     string
	Required bool
	Schema   *Schema
}

// MarshalJSON encodes the schema with its properties in declaration order, for models to
// read them that way.
func (s *Schema) MarshalJSON() ([]byte, error) {
	w := Object{}
	w.Member("type", s.Type)
	if s.Format != "" {
		w.Member("format", s.Format)
	}
	if s.Description != "" {
		w.Member("description", s.Description)
	}
	if len(s.Enum) > 0 {
		w.Member("enum", s.Enum)
	}
	if s.Max > 0 {
		w.Member("minimum", s.Min)
		w.Member("maximum", s.Max)
	}
	if s.Default != nil {
		w.Member("default", s.Default)
	}
	if s.Items != nil {
		w.Member("items", s.Items)
	}
	if len(s.Properties) > 0 {
		properties, required := Object{}, []string{}
		for _, p := range s.Properties {
			properties.Member(p.Name, p.Schema)
			if p.Required {
				required = append(required, p.Name)
			}
		}
		data, err := properties.Bytes()
		if err != nil {
			return nil, err
		}
		w.Member("properties", json.RawMessage(data))
		if len(required) > 0 {
			w.Member("required", required)
		}
		if s.Closed {
			w.Member("additionalProperties", false)
		}
	}
	return w.Bytes()
}

// Input returns the closed schema of the input of a tool, with a further property at the
// end.
func Input(t reflect.Type, further Property) *Schema {
	s := &Schema{Type: "object", Closed: true}
	for _, f := range Shown(t) {
		p := fieldSchema(t, f)
		p.Description = f.ToolDoc
		target := p
		if f.List() {
			target = p.Items
		}
		target.Enum = f.Enum
		if f.Default != "" {
			p.Default = defaultOf(f)
		}
		s.Properties = append(s.Properties, Property{f.Name, f.Required, p})
	}
	s.Properties = append(s.Properties, further)
	return s
}

// Output returns the schema of the output of a tool. It contains only names and types,
// and for lists only the names that their objects have: definitions are sent with every
// request, and the answer shows the rest. It is open, so that a field added later does
// not break clients that validate answers.
func Output(t reflect.Type) *Schema {
	s := object(t)
	for _, p := range s.Properties {
		p.Schema.Items = nil
	}
	return s
}

// object returns the schema of an object with names and types only.
func object(t reflect.Type) *Schema {
	s := &Schema{Type: "object"}
	for _, f := range Shown(t) {
		p := fieldSchema(t, f)
		if f.Type == "[]object" {
			var names []string
			for _, inner := range p.Items.Properties {
				names = append(names, inner.Name)
			}
			p.Description = strings.Join(names, ", ")
			p.Items.Properties = nil
		}
		s.Properties = append(s.Properties, Property{f.Name, !f.Optional, p})
	}
	return s
}

// Shown returns the fields of a struct type that tools show.
func Shown(t reflect.Type) []Field {
	var fields []Field
	for _, f := range Of(t) {
		if !f.NoTool {
			fields = append(fields, f)
		}
	}
	return fields
}

// fieldSchema returns the schema of the type of a field.
func fieldSchema(t reflect.Type, f Field) *Schema {
	name, list := strings.CutPrefix(f.Type, "[]")
	s := &Schema{Type: name}
	switch name {
	case "time":
		s.Type, s.Format = "string", "date-time"
	case "object":
		inner := t.FieldByIndex(f.index).Type
		for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		s = object(inner)
	}
	if list {
		return &Schema{Type: "array", Items: s}
	}
	return s
}

// defaultOf returns the default of a field as a value of its type.
func defaultOf(f Field) any {
	switch f.Type {
	case "integer":
		if n, err := strconv.ParseInt(f.Default, 10, 64); err == nil {
			return n
		}
	case "number":
		if n, err := strconv.ParseFloat(f.Default, 64); err == nil {
			return n
		}
	case "boolean":
		return f.Default == "true"
	}
	return f.Default
}

// Tree returns the schema of an object with everything in it, from its fields and those
// of nested objects with a path as name, as [Nested] returns them. An input is closed,
// and lists the required fields; an output is open, and lists the fields that are always
// present.
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

// described returns the schema of a field, and that of its value or, for a list, its
// elements.
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

// Object builds a JSON object member by member, in order. The zero value is an empty
// object.
type Object struct {
	buf bytes.Buffer
	err error
}

// Member adds a member. Bytes returns the error, if any.
func (w *Object) Member(name string, value any) {
	if w.err != nil {
		return
	}
	var data []byte
	if data, w.err = Marshal(value); w.err == nil {
		w.Raw(name, data)
	}
}

// Raw adds a member whose value is already JSON.
func (w *Object) Raw(name string, data []byte) {
	w.buf.WriteByte("{,"[min(w.buf.Len(), 1)])
	w.buf.WriteString(strconv.Quote(name)) // names need no JSON escapes
	w.buf.WriteByte(':')
	w.buf.Write(data)
}

// Bytes returns the object.
func (w *Object) Bytes() ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	if w.buf.Len() == 0 {
		return []byte("{}"), nil
	}
	return append(w.buf.Bytes(), '}'), nil
}

// Marshal is json.Marshal without escaping <, > and &, because models read the result,
// not browsers.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
