// Package operation says what an operation is: its name and help, its typed input and
// output, and the environment that a front end runs it in. Package ops declares all.
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
	// Family is the word that the names of several operations begin with, and
	// by which they belong together: note_list is of family note. A command line
	// makes it a command with commands of its own: strata note list.
	Family string
	// Command are the words of the operation's command where its name does not say them,
	// so that commands about one thing have one grammar.
	Command string
	// ToolName is the operation's name as a tool of an agent, where it is not
	// the name with "memory_" before it.
	ToolName    string
	Summary     string // a few words for a list
	Description string // sentences for help; may be empty
	// Advice is what the tool made from the operation says to a model: what it is
	// for and when to call it. The first example follows it. Every word is sent
	// with every request. Only operations that are tools have one.
	Advice   string
	Examples []Example
	// Toolset says which agents have the operation as a tool.
	Toolset Toolset
	// Destructive operations remove or undo. A front end asks before it runs one,
	// and their input has a dry_run field.
	Destructive bool
	// ReadOnly operations change no memory. They may record that they ran.
	ReadOnly bool
	// ChangesWith names the field of the input without which an operation that is not
	// ReadOnly changes no memory; empty for most.
	ChangesWith string
	// WholeHome operations look at or change what no scope owns. Who is confined to scopes
	// cannot run them.
	WholeHome bool
	// Extracts says that an operation has conversations read for facts, now or later: those
	// about the user go to the global scope, whatever the scope of the conversation.
	Extracts bool
	// AsksModel operations work with [Env.Model] where there is one.
	AsksModel bool
	// Reads and Writes say what an operation takes from [Env.In] or gives to
	// [Env.Out] besides its input and output; empty for most.
	Reads, Writes string
}

// Tool is the operation's name as a tool of an agent.
func (i Info) Tool() string {
	if i.ToolName != "" {
		return i.ToolName
	}
	return "memory_" + i.Name
}

// Words are the words of the operation's command: ["note", "list"].
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

// Example is a use of an operation, as its input in JSON.
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
	// Inputs are the fields of the input, Outputs those of the output with the
	// fields of nested objects ("hits[].id").
	Inputs() []schema.Field
	Outputs() []schema.Field
	// NewInput returns a pointer to an input that holds the defaults.
	NewInput() any
	// Decode reads an input from a JSON object. Empty data means no fields.
	Decode(data []byte) (any, error)
	// Run checks the input, a pointer from NewInput or Decode, and runs the
	// handler. It returns the output as a value.
	Run(ctx context.Context, env *Env, in any) (any, error)

	// Types are the types of the input and output.
	Types() (in, out reflect.Type)
}

var _ Operation = Op[None, None]{}

// About describes the operation.
func (o Op[In, Out]) About() Info { return o.Info }

// Inputs are the fields of In.
func (o Op[In, Out]) Inputs() []schema.Field { return schema.Of(reflect.TypeFor[In]()) }

// Outputs are the fields of Out, with those of nested objects.
func (o Op[In, Out]) Outputs() []schema.Field { return schema.Nested(reflect.TypeFor[Out]()) }

// Types are In and Out.
func (o Op[In, Out]) Types() (in, out reflect.Type) {
	return reflect.TypeFor[In](), reflect.TypeFor[Out]()
}

// NewInput returns a *In that holds the defaults.
func (o Op[In, Out]) NewInput() any {
	in := new(In)
	for _, f := range o.Inputs() {
		if f.Default != "" {
			// A default that cannot be set is a fault of the declaration; a test
			// sets every one.
			_ = f.Set(in, f.Default)
		}
	}
	return in
}

// Decode reads a *In from a JSON object.
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

// fill gives numbers with a range their default where they are 0.
func (o Op[In, Out]) fill(in *In) {
	v := reflect.ValueOf(in).Elem()
	for _, f := range o.Inputs() {
		if f.Min > 0 && f.Default != "" && f.In(v).IsZero() {
			_ = f.Set(in, f.Default) // as in NewInput
		}
	}
}

// with describes the operation with an input: one that [Info.ChangesWith] a field is read-only
// without it.
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

// kinds are the kinds of id that inputs name, by what [schema.Field] calls their values.
var kinds = map[string]string{
	"fact": id.Fact, "turn": id.Turn, "decision": id.Decision, "trace": id.Trace, "session": id.Session, "dream": id.Dream, "question": id.Question,
}

// wholeIDs replaces the shortened ids of an input, a pointer to a struct, by those they
// stand for. A session that is not an argument may be a new one.
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

// WholeID is the id that a shortened one stands for.
func WholeID(ctx context.Context, env *Env, kind, short string) (string, error) {
	if strata.ValidateName("id", short) != nil || id.IsWhole(kind, short) {
		return short, nil // the operation says what is wrong with it
	}
	return env.Engine.WholeID(ctx, env.View, kind, short)
}

// refuse makes an error of decoding invalid and names the fields there are.
func (o Op[In, Out]) refuse(err error) error {
	var names []string
	for _, f := range o.Inputs() {
		names = append(names, f.Name)
	}
	return strata.Invalid(o.Name, err.Error(), "the fields are: "+strings.Join(names, ", "))
}

// DecodeStrict reads exactly one JSON value into a struct and refuses fields
// the struct does not have. Its errors are in words for the author of the JSON.
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

// Repeated finds a name that an object of a JSON document has twice. Readers differ in which
// of the two they take, so that what one has checked is not what another does.
func Repeated(data []byte) (name string, ok bool) {
	return repeated(json.NewDecoder(bytes.NewReader(data)))
}

// repeated looks through the next value. The document was read before, so that it has an end
// and is not too deep.
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

// jsonError says what is wrong without the names of Go types.
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

// jsonPath drops embedded structs from the path of a field: their names are
// Go's, and the only ones that begin with a capital.
func jsonPath(path string) string {
	var names []string
	for _, name := range strings.Split(path, ".") {
		if r, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(r) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ".")
}
