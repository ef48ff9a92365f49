package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/strata-memory/strata/internal/secrets/fence"
)

// Field is one field of an input or output. It is derived from a struct field and its
// tags:
//
//	json:"name"       its permanent name
//	doc:"…"           one line about it
//	opt:"arg"         the operation's argument on a command line; "required" and
//	                  "file" (the text may be read from a file) may follow
//	default:"10"      its value if none is given
//	enum:"a,b"        the only allowed values
//	range:"1-100"     the least and the greatest allowed number, which are added
//	                  to doc; 0 counts as not given, and becomes the default
//	short:"n"         a one-letter flag
//	values:"fact"     what its value names, for completion
//	tool:"-"          left out of the tools of agents
//	agents:"…"        what tools say about it in place of doc: every word is
//	                  sent with every request
type Field struct {
	Name string
	// Type is "string", "integer", "number", "boolean", "time" or "object",
	// with "[]" before it for a list.
	Type     string
	Doc      string
	ToolDoc  string // what tools say about the field
	Default  string
	Enum     []string
	Min, Max int64 // range of a number; Max is 0 without one
	Short    string
	Values   string
	Arg      bool // given by position on a command line
	Required bool
	File     bool // a command line may read the value from a file
	Optional bool // left out of the output when empty
	NoTool   bool // left out of the tools of agents

	index []int
}

// List reports whether the field holds a list.
func (f Field) List() bool { return strings.HasPrefix(f.Type, "[]") }

// Set sets the field of in, a pointer to the input, to a value written as text. It
// appends the value to a list.
func (f Field) Set(in any, value string) error {
	if err := f.allowed(value); err != nil {
		return err
	}
	v := reflect.ValueOf(in).Elem().FieldByIndex(f.index)
	if f.List() {
		item := reflect.New(v.Type().Elem()).Elem()
		if err := f.setOne(item, value); err != nil {
			return err
		}
		v.Set(reflect.Append(v, item))
		return nil
	}
	return f.setOne(v, value)
}

// Get returns the value of the field of in, a pointer to the input.
func (f Field) Get(in any) any {
	return reflect.ValueOf(in).Elem().FieldByIndex(f.index).Interface()
}

// setOne parses value according to the kind of v, and stores it there.
func (f Field) setOne(v reflect.Value, value string) error {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return f.setOne(v.Elem(), value)
	case reflect.String:
		v.SetString(value)
		return nil
	case reflect.Bool:
		b, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("%s wants true or false, not %q", f.Name, fence.Cut(value, maxShown))
		}
		v.SetBool(b)
		return nil
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("%s wants a whole number, not %q", f.Name, fence.Cut(value, maxShown))
		}
		v.SetInt(n)
		return nil
	case reflect.Float64:
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("%s wants a number, not %q", f.Name, fence.Cut(value, maxShown))
		}
		v.SetFloat(n)
		return nil
	}
	return fmt.Errorf("%s cannot be written as text", f.Name)
}

// In returns the field's value in a struct.
func (f Field) In(v reflect.Value) reflect.Value { return v.FieldByIndex(f.index) }

// Check returns an error if the field of in, a pointer to the input, has a bad value.
func (f Field) Check(in any) error {
	v := reflect.ValueOf(in).Elem().FieldByIndex(f.index)
	if f.Required && v.IsZero() {
		return errors.New(f.Name + " is missing or empty")
	}
	if f.Max > 0 && !v.IsZero() && (v.Int() < f.Min || v.Int() > f.Max) {
		return fmt.Errorf("%s wants a number from %d to %d, not %d", f.Name, f.Min, f.Max, v.Int())
	}
	if len(f.Enum) == 0 || v.IsZero() {
		return nil
	}
	if !f.List() {
		return f.allowed(v.String())
	}
	for i := range v.Len() {
		if err := f.allowed(v.Index(i).String()); err != nil {
			return err
		}
	}
	return nil
}

// allowed returns an error if the field has a list of values without this one.
func (f Field) allowed(value string) error {
	if len(f.Enum) == 0 {
		return nil
	}
	for _, e := range f.Enum {
		if value == e {
			return nil
		}
	}
	return fmt.Errorf("%s cannot be %q: use one of %s", f.Name, fence.Cut(value, maxShown), strings.Join(f.Enum, ", "))
}

// known caches the fields of types, which every call of an operation needs.
var known sync.Map // of []Field by reflect.Type

// Of returns the fields of a struct type, in order. It replaces an embedded struct by its
// fields. The caller must not modify the result.
func Of(t reflect.Type) []Field {
	if fields, ok := known.Load(t); ok {
		return fields.([]Field)
	}
	fields := slices.Clip(read(t))
	known.Store(t, fields)
	return fields
}

// read determines the fields of a type.
func read(t reflect.Type) []Field {
	var fields []Field
	for i := range t.NumField() {
		sf := t.Field(i)
		if sf.Anonymous {
			for _, f := range Of(sf.Type) {
				f.index = append([]int{i}, f.index...)
				fields = append(fields, f)
			}
			continue
		}
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if !sf.IsExported() || name == "" || name == "-" {
			continue
		}
		f := Field{
			Name: name, Type: typeName(sf.Type), Doc: sf.Tag.Get("doc"), Default: sf.Tag.Get("default"),
			Short: sf.Tag.Get("short"), Values: sf.Tag.Get("values"),
			Optional: strings.HasPrefix(options, "omit"), NoTool: sf.Tag.Get("tool") == "-", index: sf.Index,
		}
		if bounds := sf.Tag.Get("range"); bounds != "" {
			f.Min, f.Max = parseRange(bounds)
			f.Doc += fmt.Sprintf(", %d to %d", f.Min, f.Max)
		}
		if f.ToolDoc = sf.Tag.Get("agents"); f.ToolDoc == "" {
			f.ToolDoc = f.Doc
		}
		if enum := sf.Tag.Get("enum"); enum != "" {
			f.Enum = strings.Split(enum, ",")
		}
		for _, o := range strings.Split(sf.Tag.Get("opt"), ",") {
			f.Arg = f.Arg || o == "arg"
			f.Required = f.Required || o == "required"
			f.File = f.File || o == "file"
		}
		fields = append(fields, f)
	}
	return fields
}

// parseRange parses the bounds of a range tag. A bound that is not a number is a bug in
// the declaration and becomes 0; a test checks all of them.
func parseRange(tag string) (least, most int64) {
	from, to, _ := strings.Cut(tag, "-")
	least, _ = strconv.ParseInt(from, 10, 64)
	most, _ = strconv.ParseInt(to, 10, 64)
	return least, most
}

// Nested returns the fields of a struct type and, after each object, the fields of that
// object, with a path as name ("hits[].why.words").
func Nested(t reflect.Type) []Field {
	var all []Field
	for _, f := range Of(t) {
		all = append(all, f)
		inner := t.FieldByIndex(f.index).Type
		path := f.Name
		for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Pointer {
			if inner.Kind() == reflect.Slice {
				path += "[]"
			}
			inner = inner.Elem()
		}
		if inner.Kind() != reflect.Struct || inner == reflect.TypeFor[time.Time]() {
			continue
		}
		for _, g := range Nested(inner) {
			g.Name = path + "." + g.Name
			all = append(all, g)
		}
	}
	return all
}

// typeName returns the name of a Go type as in [Field.Type].
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.Slice:
		return "[]" + typeName(t.Elem())
	}
	if t == reflect.TypeFor[time.Time]() {
		return "time"
	}
	return "object"
}

// maxShown bounds a value in an error message, in characters.
const maxShown = 40

// Whole reports whether JSON represents values of a type completely: whether its fields,
// and those nested in them, are all exported and encoded.
func Whole(t reflect.Type) bool { return whole(t, make(map[reflect.Type]bool)) }

func whole(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || t == reflect.TypeFor[time.Time]() {
		return true
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return whole(t.Elem(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" || !whole(f.Type, seen) {
				return false
			}
		}
		return true
	}
	return t.Kind() != reflect.Interface && t.Kind() != reflect.Func && t.Kind() != reflect.Chan
}
