package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/access"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// The media types that are spoken. A form of a page of another site can send none of
// them without asking first, and is told no.
const (
	jsonType   = "application/json"
	linesType  = "application/x-ndjson"
	eventsType = "text/event-stream"
)

// Fields of every input beside those of its operation.
const (
	scopeField = "scope"
	aboveField = "above"
	yesField   = "yes"
)

// requestIDField is the field that the header Idempotency-Key fills.
const requestIDField = "request_id"

// served is an operation with what is looked up of it for every call.
type served struct {
	op     operation.Operation
	info   operation.Info
	fields []schema.Field // of its input
	names  []string       // of those, and of the fields that every call has
	// decides says that it decides about single memories: those can be repeated under a
	// request id.
	decides bool
}

func newServed(op operation.Operation) *served {
	s := &served{op: op, info: op.About(), fields: op.Inputs()}
	for _, f := range s.fields {
		s.names = append(s.names, f.Name)
	}
	s.names = append(s.names, scopeField, aboveField)
	if s.info.Destructive {
		s.names = append(s.names, yesField)
	}
	s.decides = slices.ContainsFunc(inputsOf(op), func(f schema.Field) bool {
		return f.Name == requestIDField || strings.HasSuffix(f.Name, "."+requestIDField)
	})
	return s
}

// call is an operation with its input, as a request has it.
type call struct {
	*served
	in    any
	scope string
	above bool // see also the scopes above it
	yes   bool
	grant *access.Grant // of the token it was asked with; nil without a bound
}

// wantType refuses a body of another media type.
func wantType(r *http.Request, want string) error {
	got, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || got != want {
		return &refusal{status: http.StatusUnsupportedMediaType, err: strata.Invalid("", "the body must be "+want, "send Content-Type: "+want)}
	}
	return nil
}

// body reads a JSON body within the limits of size and time.
func (s *Server) body(w *response, r *http.Request) ([]byte, error) {
	if err := wantType(r, jsonType); err != nil {
		return nil, err
	}
	limit := s.options.Limits.Body
	data, err := io.ReadAll(http.MaxBytesReader(w.ResponseWriter, r.Body, limit))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return nil, &strata.Error{Code: strata.CodeTooLarge, Message: fmt.Sprintf("the body is longer than %d bytes", limit),
			Hint: "send it in parts; import and ingest take streams of any length"}
	case err != nil:
		return nil, notRead(err)
	case !utf8.Valid(data):
		return nil, strata.Invalid("", "the body is not valid UTF-8", "send JSON in UTF-8")
	}
	return data, nil
}

// notRead is the error of a body that ended too early or came too slowly.
func notRead(err error) error {
	return &refusal{status: http.StatusRequestTimeout, err: &strata.Error{Code: strata.CodeCanceled,
		Message: "the body did not come to its end in time", Hint: "send it again", Err: err}}
}

// decode reads the input of an operation from a JSON object. Names are those that are
// declared, to the letter, and no text holds a NUL character: databases cut texts there.
func (c *call) decode(data []byte) error {
	given := make(map[string]json.RawMessage)
	if len(bytes.TrimSpace(data)) > 0 {
		if err := operation.DecodeStrict(data, &given); err != nil {
			return c.refuse(err)
		}
		if given == nil { // null
			return c.refuse(errors.New("want a JSON object, got null"))
		}
	}
	if err := noNUL(data); err != nil {
		return c.refuse(err)
	}
	for name := range given {
		if !slices.Contains(c.names, name) {
			return c.refuse(fmt.Errorf("there is no field %q", fence.Neutral(name, 40)))
		}
	}
	own := len(given) // fields of the operation, if none of those that every call has
	if err := takeField(given, scopeField, &c.scope, "a string"); err != nil {
		return c.refuse(err)
	}
	if err := takeField(given, aboveField, &c.above, "true or false"); err != nil {
		return c.refuse(err)
	}
	if c.info.Destructive {
		if err := takeField(given, yesField, &c.yes, "true or false"); err != nil {
			return c.refuse(err)
		}
	}
	if len(given) < own {
		rest, err := json.Marshal(given)
		if err != nil {
			return err
		}
		data = rest
	}
	var err error
	c.in, err = c.op.Decode(data)
	return err
}

// takeField takes a field out of an object.
func takeField(given map[string]json.RawMessage, name string, into any, what string) error {
	data, ok := given[name]
	delete(given, name)
	if !ok || string(data) == "null" {
		return nil
	}
	if json.Unmarshal(data, into) != nil {
		return fmt.Errorf("field %s must be %s", name, what)
	}
	return nil
}

// noNUL refuses a NUL character in any text of a JSON document that was read before.
func noNUL(data []byte) error {
	if !bytes.Contains(data, []byte(`\u0000`)) {
		return nil // the only way to write one
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := dec.Token()
		if err != nil {
			return nil // its end
		}
		if text, ok := token.(string); ok && strings.ContainsRune(text, 0) {
			return errors.New("a text holds a NUL character")
		}
	}
}

// query reads the input from the parameters of an address, for operations whose body is a
// stream.
func (c *call) query(values url.Values) error {
	c.in = c.op.NewInput()
	for name, list := range values {
		switch {
		case name == scopeField:
			if len(list) > 1 {
				return c.refuse(fmt.Errorf("field %s is there twice", name))
			}
			c.scope = list[0]
			continue
		case name == aboveField:
			if err := choose(&c.above, name, list); err != nil {
				return c.refuse(err)
			}
			continue
		case name == yesField && c.info.Destructive:
			if err := choose(&c.yes, name, list); err != nil {
				return c.refuse(err)
			}
			continue
		}
		f, ok := c.field(name)
		if !ok {
			return c.refuse(fmt.Errorf("there is no field %q", fence.Neutral(name, 40)))
		}
		if len(list) > 1 && !f.List() {
			return c.refuse(fmt.Errorf("field %s is there twice", name))
		}
		for _, v := range list {
			if strings.ContainsRune(v, 0) || !utf8.ValidString(v) {
				return c.refuse(fmt.Errorf("field %s is no text", name))
			}
			if err := f.Set(c.in, v); err != nil {
				return c.refuse(err)
			}
		}
	}
	return nil
}

// choose reads a parameter that is true or false.
func choose(into *bool, name string, list []string) error {
	v, err := strconv.ParseBool(list[0])
	if err != nil || len(list) > 1 {
		return fmt.Errorf("field %s must be true or false", name)
	}
	*into = v
	return nil
}

// field is the field of the operation's input with a name, if there is one.
func (c *call) field(name string) (schema.Field, bool) {
	for _, f := range c.fields {
		if f.Name == name {
			return f, true
		}
	}
	return schema.Field{}, false
}

// refuse makes an error of the input one that names the fields there are.
func (c *call) refuse(err error) error {
	return strata.Invalid(c.info.Name, err.Error(), "the fields are: "+strings.Join(c.names, ", "))
}

// idempotent gives the call the request id that the header Idempotency-Key names. What
// only reads needs none; of what cannot be repeated safely the caller learns it.
func (c *call) idempotent(key string) error {
	if key == "" || c.info.ReadOnly {
		return nil
	}
	f, ok := c.field(requestIDField)
	if !ok {
		return strata.Invalid(c.info.Name, c.info.Name+" takes no Idempotency-Key", "leave the header out")
	}
	if own := f.Get(c.in).(string); own != "" && own != key {
		return strata.Invalid(c.info.Name, "the header Idempotency-Key and the field request_id differ", "give one of them")
	}
	return f.Set(c.in, key)
}

// confirm refuses to remove or undo anything without a yes, as the command line does where
// it cannot ask.
func (c *call) confirm() error {
	if !c.info.Destructive || c.yes {
		return nil
	}
	if f, ok := c.field("dry_run"); ok && f.Get(c.in) == true { // every destructive operation has it
		return nil
	}
	return strata.Invalid(c.info.Name, c.info.Name+" removes or undoes something, and nobody was asked",
		`send "yes": true to go ahead, or "dry_run": true to see what it would do`)
}

// env is what the call works with: what it named, within what the server is confined to.
func (s *Server) env(ctx context.Context, c *call) (*operation.Env, error) {
	env := s.options.Env
	if c.grant.Confined() {
		env = *env.Confine(c.grant.Scopes)
	}
	env.ReadOnly = c.grant != nil && c.grant.ReadOnly
	scope, err := env.Target(ctx, c.scope)
	if err != nil {
		return nil, err
	}
	confined := s.options.Env.Scope
	switch {
	case scope.IsZero() && c.grant.Confined():
		scope = env.Scope
	case scope.IsZero() && !confined.IsZero():
		scope = confined
	case !confined.IsZero() && scope != confined:
		return nil, &strata.Error{Code: strata.CodeDenied, Message: "this server serves the scope " + confined.Key() + " alone", Hint: "leave scope out"}
	case scope.IsZero() && c.decides:
		// Elsewhere a memory's type says where it goes. Who names no scope here has no
		// workspace, and means the one that everybody sees.
		scope = strata.Global()
	}
	env.Scope, env.View = scope, strata.Global().View()
	switch {
	case c.above && confined.IsZero():
		env.View = strata.ViewOf(scope.Workspace, scope.Agent)
	case !scope.IsZero():
		env.View = scope.View()
	}
	env.View.Scopes = slices.DeleteFunc(env.View.Scopes, func(s strata.Scope) bool { return !env.Allows(s) })
	if scope.Workspace != env.Workspace {
		env.Place.Root, env.Place.Source, env.Place.Key, env.Place.Notes = "", "", "", nil
	}
	env.Workspace, env.Agent, env.Origin = scope.Workspace, scope.Agent, strata.OriginAPI
	if !c.info.AsksModel {
		env.Model = nil
	}
	return &env, nil
}
