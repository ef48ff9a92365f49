package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// Tool is an operation as agents see it: with a scope and the fields that are useful to a
// model, and no others.
type Tool struct {
	Name        string
	Title       string // a few words for people
	Description string // for the model
	Input       *schema.Schema
	Output      *schema.Schema
	// ReadOnly and Destructive are as in [operation.Info].
	ReadOnly, Destructive bool

	op operation.Operation
	in reflect.Type
}

// Tools returns the tools of a toolset, in the order of [All].
func Tools(set operation.Toolset) []Tool {
	var tools []Tool
	for _, op := range All() {
		info := op.About()
		if !set.Has(info.Toolset) {
			continue
		}
		in, out := op.Types()
		tools = append(tools, Tool{
			Name: info.Tool(), Title: info.Summary, Description: info.Advice + " Example: " + info.Examples[0].Input,
			Input: schema.Input(in, schema.Property{Name: scopeName, Schema: scopeSchema()}), Output: schema.Output(out),
			ReadOnly: info.ReadOnly, Destructive: info.Destructive, op: op, in: in,
		})
	}
	return tools
}

// Permitted reports whether a caller may call the tool.
func (t Tool) Permitted(env *operation.Env) bool { return env.Permit(t.op.About()) == nil }

// Answer is the result of a tool call.
type Answer struct {
	// Structured is a JSON object that conforms to the tool's output schema: ids and
	// numbers, for programs. Texts are in Text alone, so that a model pays for them once.
	Structured json.RawMessage
	// Text is the answer in words for a model.
	Text string
	// Output is the output of the operation, including the fields that tools leave out.
	Output any
}

// Call runs the tool with arguments as a model wrote them: a JSON object, or nothing. It
// returns invalid for arguments that do not fit the input schema.
func (t Tool) Call(ctx context.Context, env *operation.Env, arguments []byte) (Answer, error) {
	in, scope, err := t.decode(arguments)
	if err != nil {
		return Answer{}, strata.Invalid(t.Name, err.Error(), "the fields are: "+strings.Join(t.names(), ", "))
	}
	if env, err = env.Within(scope); err != nil {
		return Answer{}, err
	}
	out, err := t.op.Run(ctx, env, in)
	if err != nil {
		return Answer{}, followable(err, env)
	}
	structured, err := toolValue(reflect.ValueOf(out))
	if err != nil {
		return Answer{}, fmt.Errorf("encode answer of %s: %w", t.Name, err)
	}
	return Answer{Structured: structured, Text: Text(out), Output: out}, nil
}

// followable gives an error a hint that a model can act on: it can choose a scope, but
// cannot change to another directory or set flags.
func followable(err error, env *operation.Env) error {
	var known *strata.Error
	if !errors.As(err, &known) || known.Code != strata.CodeScopeRequired {
		return err
	}
	own := *known
	own.Hint = "repeat the call with scope set to one of: " + strings.Join(operation.Each(env.View.Scopes, strata.Scope.Key), ", ")
	return &own
}

// names returns the names of the input's fields.
func (t Tool) names() []string {
	var names []string
	for _, f := range schema.Shown(t.in) {
		names = append(names, f.Name)
	}
	return append(names, scopeName)
}

// decode decodes the input, and the scope that it names (empty for none). It is stricter
// than [operation.Operation.Decode]: names must be spelled as declared, texts must be
// strings, and fields that tools leave out do not exist. An optional field may be null,
// as models often write it.
func (t Tool) decode(arguments []byte) (in any, scope string, err error) {
	in = t.op.NewInput()
	if len(bytes.TrimSpace(arguments)) == 0 || string(arguments) == "null" {
		return in, scope, nil
	}
	if !utf8.Valid(arguments) {
		return nil, "", errors.New("the input is not valid UTF-8")
	}
	var given map[string]json.RawMessage
	if err := operation.DecodeStrict(arguments, &given); err != nil {
		return nil, "", err
	}
	if data, ok := given[scopeName]; ok && string(data) != "null" {
		if err := json.Unmarshal(data, &scope); err != nil {
			return nil, "", fmt.Errorf("field scope must be a string, not %s", shown(data))
		}
	}
	delete(given, scopeName)
	v := reflect.ValueOf(in).Elem()
	for _, f := range schema.Shown(t.in) {
		data, ok := given[f.Name]
		delete(given, f.Name)
		if !ok || string(data) == "null" {
			continue
		}
		if f.Type == "integer" {
			data = wholeNumber(data)
		}
		field := f.In(v)
		if err := json.Unmarshal(data, field.Addr().Interface()); err != nil {
			return nil, "", fmt.Errorf("field %s must be %s, not %s", f.Name, article(f.Type), shown(data))
		}
		if holdsNUL(field) {
			return nil, "", fmt.Errorf("field %s holds a NUL character", f.Name)
		}
	}
	for name := range given {
		return nil, "", fmt.Errorf("there is no field %q", operation.Clip(name))
	}
	return in, scope, nil
}

// wholeNumber converts a whole number to the form that Go parses: JSON Schema also
// accepts 10.0 and 1e1.
func wholeNumber(data json.RawMessage) json.RawMessage {
	n, err := strconv.ParseFloat(string(data), 64)
	if err != nil || n != math.Trunc(n) || math.Abs(n) > 1<<53 {
		return data
	}
	return strconv.AppendInt(nil, int64(n), 10)
}

// holdsNUL reports whether a text, or one in a list, contains a NUL character. People do
// not write any, and databases cut texts there.
func holdsNUL(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return strings.ContainsRune(v.String(), 0)
	case reflect.Slice:
		for i := range v.Len() {
			if holdsNUL(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

// article returns a type name with its article.
func article(typeName string) string {
	name, list := strings.CutPrefix(typeName, "[]")
	switch {
	case list:
		return "a list of " + name + "s"
	case name == "integer":
		return "a whole number"
	}
	return "a " + name
}

// shown returns a JSON value for an error message.
func shown(data json.RawMessage) string { return operation.Clip(string(data)) }

// toolValue encodes a value as JSON with only the fields that tools show.
func toolValue(v reflect.Value) ([]byte, error) {
	switch {
	case v.Kind() == reflect.Pointer && !v.IsNil():
		return toolValue(v.Elem())
	case v.Kind() == reflect.Slice:
		var buf bytes.Buffer
		buf.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				buf.WriteByte(',')
			}
			data, err := toolValue(v.Index(i))
			if err != nil {
				return nil, err
			}
			buf.Write(data)
		}
		buf.WriteByte(']')
		return buf.Bytes(), nil
	case v.Kind() == reflect.String:
		return schema.Marshal(fence.Text(v.String())) // a model reads it
	case v.Kind() != reflect.Struct || v.Type() == reflect.TypeFor[time.Time]():
		return schema.Marshal(v.Interface())
	}
	w := schema.Object{}
	for _, f := range schema.Shown(v.Type()) {
		field := f.In(v)
		if f.Optional && (field.IsZero() || f.List() && field.Len() == 0) {
			continue
		}
		data, err := toolValue(field)
		if err != nil {
			return nil, err
		}
		w.Raw(f.Name, data)
	}
	return w.Bytes()
}

// scopeName is the field of every tool that corresponds to the flag --scope.
const scopeName = "scope"

// scopeSchema returns the schema of that field.
func scopeSchema() *schema.Schema {
	return &schema.Schema{Type: "string", Description: "global or workspace"}
}
