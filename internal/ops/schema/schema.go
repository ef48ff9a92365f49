// Package schema reads from the types of inputs and outputs which fields they have, and
// describes them to models as JSON Schema.
package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// Schema is a JSON Schema made from fields.
type Schema struct {
	Type        string // as in JSON Schema: string, integer, number, boolean, array or object
	Format      string // "date-time" or empty
	Description string
	Enum        []string
	Default     any   // nil without one
	Min, Max    int64 // of a number; Max is 0 without a range
	Items       *Schema
	Properties  []Property // of an object, in the order they are declared
	// Closed says that an object holds the declared properties and no other.
	Closed bool
}

// Property is a named part of an object.
type Property struct {
	Name     string
	Required bool
	Schema   *Schema
}

// MarshalJSON writes the schema with its properties in order, so that models
// read them as they were declared.
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

// Input describes what a tool takes, a further property last, and that it takes nothing
// else.
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

// Output describes what a tool returns. It says no more than names and
// types, and of lists the names that their objects have: definitions are sent with
// every request, and the answer has the rest. It is open, so that a field added later
// breaks no client that checks answers.
func Output(t reflect.Type) *Schema {
	s := object(t)
	for _, p := range s.Properties {
		p.Schema.Items = nil
	}
	return s
}

// object describes an object by names and types.
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

// Shown are the fields of a struct type that tools show.
func Shown(t reflect.Type) []Field {
	var fields []Field
	for _, f := range Of(t) {
		if !f.NoTool {
			fields = append(fields, f)
		}
	}
	return fields
}

// fieldSchema describes the type of a field of a struct type.
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

// defaultOf is the default of a field as a value of its type.
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

// Object writes a JSON object member by member, in order. The zero value is an empty
// one.
type Object struct {
	buf bytes.Buffer
	err error
}

// Member adds a member; an error is that of Bytes.
func (w *Object) Member(name string, value any) {
	if w.err != nil {
		return
	}
	var data []byte
	if data, w.err = Marshal(value); w.err == nil {
		w.Raw(name, data)
	}
}

// Raw adds a member whose value is JSON already.
func (w *Object) Raw(name string, data []byte) {
	w.buf.WriteByte("{,"[min(w.buf.Len(), 1)])
	w.buf.WriteString(strconv.Quote(name)) // names are plain words
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

// Marshal is json.Marshal that leaves <, > and & as they are: what is written
// is for models, not for web pages.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
