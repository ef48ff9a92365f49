// Package schema reads from the types of inputs and outputs which fields they have, and
// describes them to models as JSON Schema.
package schema

import (
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
