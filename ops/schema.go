package ops

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
	Description string
	Enum        []string
	Default     any // nil without one
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
	w := objectWriter{}
	w.member("type", s.Type)
	if s.Description != "" {
		w.member("description", s.Description)
	}
	if len(s.Enum) > 0 {
		w.member("enum", s.Enum)
	}
	if s.Default != nil {
		w.member("default", s.Default)
	}
	if s.Items != nil {
		w.member("items", s.Items)
	}
	if s.Type == "object" {
		properties, required := objectWriter{}, []string{}
		for _, p := range s.Properties {
			properties.member(p.Name, p.Schema)
			if p.Required {
				required = append(required, p.Name)
			}
		}
		data, err := properties.bytes()
		if err != nil {
			return nil, err
		}
		if len(s.Properties) > 0 || s.Closed {
			w.member("properties", json.RawMessage(data))
		}
		if len(required) > 0 {
			w.member("required", required)
		}
		if s.Closed {
			w.member("additionalProperties", false)
		}
	}
	return w.bytes()
}

// inputSchema describes what a tool takes, and that it takes nothing else.
func inputSchema(t reflect.Type) *Schema {
	s := &Schema{Type: "object", Closed: true}
	for _, f := range toolFields(t) {
		p := fieldSchema(t, f, true)
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
	return s
}

// outputSchema describes what a tool returns. It says no more than names and
// types: definitions are sent with every request, and the answer shows which fields
// are there. It is open, so that a field added later breaks no client that checks
// answers.
func outputSchema(t reflect.Type) *Schema { return objectSchema(t, false) }

// objectSchema describes an object; of one that is given to a tool it says which
// fields it must have.
func objectSchema(t reflect.Type, input bool) *Schema {
	s := &Schema{Type: "object"}
	for _, f := range toolFields(t) {
		s.Properties = append(s.Properties, Property{f.Name, input && !f.Optional, fieldSchema(t, f, input)})
	}
	return s
}

// toolFields are the fields of a struct type that tools show.
func toolFields(t reflect.Type) []Field {
	var fields []Field
	for _, f := range fieldsOf(t) {
		if !f.NoTool {
			fields = append(fields, f)
		}
	}
	return fields
}

// fieldSchema describes the type of a field of a struct type.
func fieldSchema(t reflect.Type, f Field, input bool) *Schema {
	name, list := strings.CutPrefix(f.Type, "[]")
	s := &Schema{Type: name}
	switch name {
	case "time":
		s.Type = "string"
	case "object":
		inner := t.FieldByIndex(f.index).Type
		for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		s = objectSchema(inner, input)
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

// objectWriter writes a JSON object member by member, in order.
type objectWriter struct {
	buf bytes.Buffer
	err error
}

func (w *objectWriter) member(name string, value any) {
	if w.err != nil {
		return
	}
	var data []byte
	if data, w.err = marshal(value); w.err == nil {
		w.raw(name, data)
	}
}

func (w *objectWriter) raw(name string, data []byte) {
	w.buf.WriteByte("{,"[min(w.buf.Len(), 1)])
	w.buf.WriteString(strconv.Quote(name)) // names are plain words
	w.buf.WriteByte(':')
	w.buf.Write(data)
}

func (w *objectWriter) bytes() ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	if w.buf.Len() == 0 {
		return []byte("{}"), nil
	}
	return append(w.buf.Bytes(), '}'), nil
}

// marshal is json.Marshal that leaves <, > and & as they are: what is written
// is for models, not for web pages.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
