// Package operation defines what an operation is: its name and help, its typed input and
// output, and the environment in which a front end runs it. Package ops declares them
// all.
package operation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// None is the input of operations that need none.
type None struct{}

// Info describes an operation to people and front ends.
type Info struct {
	Name string // permanent, in lower case with underscores
	// Family is the first word of the names of operations that belong together: note_list
	// is in family note. A command line turns it into a command with subcommands: strata
	// note list.
	Family string
	// Command is the command of the operation if it does not follow from the name, so
	// that commands about one thing have one grammar.
	Command string
	// ToolName is the name of the operation as a tool of an agent, if it is not "memory_"
	// followed by the name.
	ToolName    string
	Summary     string // a few words for a list
	Description string // sentences for help; may be empty
	// Advice is the description of the operation as a tool, for a model: what it is for
	// and when to call it. The first example follows it. Every word is sent with every
	// request. Only operations that are tools have it.
	Advice   string
	Examples []Example
	// Toolset says which agents get the operation as a tool.
	Toolset Toolset
	// Destructive operations remove or undo. A front end asks before it runs one,
	// and their input has a dry_run field.
	Destructive bool
	// ReadOnly operations do not change memory. They may record that they ran.
	ReadOnly bool
	// ChangesWith names an input field. An operation that is not ReadOnly changes memory
	// only if that field is set; empty for most.
	ChangesWith string
	// WholeHome operations read or change what no scope owns. A caller confined to scopes
	// cannot run them.
	WholeHome bool
	// Extracts means that an operation leads to the extraction of facts from
	// conversations, now or later. Facts about the user go to the global scope, whatever
	// the scope of the conversation.
	Extracts bool
	// AsksModel operations use [Env.Model] if there is one.
	AsksModel bool
	// Reads and Writes describe what an operation reads from [Env.In] or writes to
	// [Env.Out] besides its input and output; empty for most.
	Reads, Writes string
}

// Tool returns the name of the operation as a tool of an agent.
func (i Info) Tool() string {
	if i.ToolName != "" {
		return i.ToolName
	}
	return "memory_" + i.Name
}

// Words returns the words of the operation's command: ["note", "list"].
func (i Info) Words() []string {
	if i.Command != "" {
		return strings.Fields(i.Command)
	}
	rest, ok := strings.CutPrefix(i.Name, i.Family+"_")
	if i.Family == "" || !ok {
		return []string{dashed(i.Name)}
	}
	return []string{i.Family, dashed(rest)}
}

func dashed(name string) string { return strings.ReplaceAll(name, "_", "-") }

// Example is a use of an operation, given as its input in JSON.
type Example struct {
	Doc   string // what it does, in a few words
	Input string // JSON object
}

// Op is an operation with its types. In and Out are structs whose fields carry
// the tags described at [schema.Field].
type Op[In, Out any] struct {
	Info
	Handle func(ctx context.Context, env *Env, in In) (Out, error)
}

// Operation is an [Op] without its types.
type Operation interface {
	// About describes the operation.
	About() Info
	// Inputs returns the fields of the input, Outputs those of the output including the
	// fields of nested objects ("hits[].id").
	Inputs() []schema.Field
	Outputs() []schema.Field
	// NewInput returns a pointer to an input with the defaults filled in.
	NewInput() any
	// Decode decodes an input from a JSON object. Empty data means no fields.
	Decode(data []byte) (any, error)
	// Run checks the input, a pointer from NewInput or Decode, and runs the
	// handler. It returns the output as a value.
	Run(ctx context.Context, env *Env, in any) (any, error)

	// Types returns the types of the input and output.
	Types() (in, out reflect.Type)
}

var _ Operation = Op[None, None]{}

// About describes the operation.
func (o Op[In, Out]) About() Info { return o.Info }

// Inputs returns the fields of In.
func (o Op[In, Out]) Inputs() []schema.Field { return schema.Of(reflect.TypeFor[In]()) }

// Outputs returns the fields of Out, including those of nested objects.
func (o Op[In, Out]) Outputs() []schema.Field { return schema.Nested(reflect.TypeFor[Out]()) }

// Types returns In and Out.
func (o Op[In, Out]) Types() (in, out reflect.Type) {
	return reflect.TypeFor[In](), reflect.TypeFor[Out]()
}

// NewInput returns a *In with the defaults filled in.
func (o Op[In, Out]) NewInput() any {
	in := new(In)
	for _, f := range o.Inputs() {
		if f.Default != "" {
			// A default that cannot be set is a bug in the declaration; a test sets every
			// one.
			_ = f.Set(in, f.Default)
		}
	}
	return in
}

// Decode decodes a *In from a JSON object.
func (o Op[In, Out]) Decode(data []byte) (any, error) {
	in := o.NewInput()
	if len(bytes.TrimSpace(data)) == 0 {
		return in, nil
	}
	if err := DecodeStrict(data, in); err != nil {
		return nil, o.refuse(err)
	}
	return in, nil
}

// Run checks the input and calls the handler with it.
func (o Op[In, Out]) Run(ctx context.Context, env *Env, in any) (any, error) {
	typed, ok := in.(*In)
	if !ok {
		return nil, &strata.Error{Code: strata.CodeInternal, Op: o.Name, Message: fmt.Sprintf("input of type %T", in)}
	}
	if err := env.Permit(o.with(typed)); err != nil {
		return nil, err
	}
	for _, f := range o.Inputs() {
		if err := f.Check(typed); err != nil {
			return nil, strata.Invalid(o.Name, err.Error(), f.Name+": "+f.Doc)
		}
	}
	if env.Remote != nil {
		return env.Remote(ctx, o, typed)
	}
	whole := *typed
	o.fill(&whole)
	if err := wholeIDs(ctx, env, o.Inputs(), &whole); err != nil {
		return nil, err
	}
	out, err := o.Handle(ctx, env, whole)
	return out, diskfault.Coded(o.Name, err)
}

// fill sets numbers that have a range and are 0 to their default.
func (o Op[In, Out]) fill(in *In) {
	v := reflect.ValueOf(in).Elem()
	for _, f := range o.Inputs() {
		if f.Min > 0 && f.Default != "" && f.In(v).IsZero() {
			_ = f.Set(in, f.Default) // as in NewInput
		}
	}
}

// with describes the operation for a given input: it is read-only if the field named by
// [Info.ChangesWith] is not set.
func (o Op[In, Out]) with(in *In) Info {
	info := o.Info
	info.ChangesWith = ""
	for _, f := range o.Inputs() {
		if f.Name == o.ChangesWith {
			info.ReadOnly = f.In(reflect.ValueOf(in).Elem()).IsZero()
		}
	}
	return info
}

// kinds maps [schema.Field.Values] to the kind of id that it stands for.
var kinds = map[string]string{
	"fact": id.Fact, "turn": id.Turn, "decision": id.Decision, "trace": id.Trace, "session": id.Session, "dream": id.Dream, "question": id.Question,
}

// wholeIDs completes the shortened ids in an input, a pointer to a struct. It leaves a
// session that is not an argument, which may be a new one.
func wholeIDs(ctx context.Context, env *Env, fields []schema.Field, in any) error {
	for _, f := range fields {
		kind, ok := kinds[f.Values]
		if !ok || kind == id.Session && !f.Arg {
			continue
		}
		v := f.In(reflect.ValueOf(in).Elem())
		if v.Kind() == reflect.String {
			whole, err := WholeID(ctx, env, kind, v.String())
			if err != nil {
				return err
			}
			v.SetString(whole)
			continue
		}
		list := slices.Clone(v.Interface().([]string))
		for i, short := range list {
			whole, err := WholeID(ctx, env, kind, short)
			if err != nil {
				return err
			}
			list[i] = whole
		}
		v.Set(reflect.ValueOf(list))
	}
	return nil
}

// WholeID completes a shortened id.
func WholeID(ctx context.Context, env *Env, kind, short string) (string, error) {
	if strata.ValidateName("id", short) != nil || id.IsWhole(kind, short) {
		return short, nil // the operation reports what is wrong with it
	}
	return env.Engine.WholeID(ctx, env.View, kind, short)
}

// refuse gives a decoding error the code invalid and a hint with the names of the fields.
func (o Op[In, Out]) refuse(err error) error {
	var names []string
	for _, f := range o.Inputs() {
		names = append(names, f.Name)
	}
	return strata.Invalid(o.Name, err.Error(), "the fields are: "+strings.Join(names, ", "))
}

// DecodeStrict decodes exactly one JSON value into a struct and returns an error for
// fields that the struct does not have. Its errors are worded for the author of the JSON.
func DecodeStrict(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return jsonError(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the JSON object")
	}
	if name, ok := Repeated(data); ok {
		return fmt.Errorf("field %s is there twice", Clip(name))
	}
	return nil
}

// Repeated finds a name that an object in a JSON document has twice. Decoders differ in
// which of the two they use, so that one could check a value and another act on the
// other.
func Repeated(data []byte) (name string, ok bool) {
	return repeated(json.NewDecoder(bytes.NewReader(data)))
}

// repeated looks through the next value. The document was decoded before, so it is
// complete and not too deep.
func repeated(dec *json.Decoder) (string, bool) {
	begin, _ := dec.Token()
	if begin != json.Delim('{') && begin != json.Delim('[') {
		return "", false
	}
	seen := make(map[json.Token]bool)
	for dec.More() {
		if begin == json.Delim('{') {
			name, _ := dec.Token()
			if seen[name] {
				return fmt.Sprint(name), true
			}
			seen[name] = true
		}
		if name, ok := repeated(dec); ok {
			return name, true
		}
	}
	_, _ = dec.Token()
	return "", false
}

// jsonError rewords a decoding error without the names of Go types.
func jsonError(err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("field %s cannot hold a %s", jsonPath(wrong.Field), wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("want a JSON object, got a %s", wrong.Value)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the JSON ends too early")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// jsonPath drops embedded structs from the path of a field: their names come from Go, and
// are the only ones that begin with a capital.
func jsonPath(path string) string {
	var names []string
	for _, name := range strings.Split(path, ".") {
		if r, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(r) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ".")
}
