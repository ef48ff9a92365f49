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

// The accepted media types. A form on a page of another site cannot send any of them
// without a preflight request, which is denied.
const (
	jsonType   = "application/json"
	linesType  = "application/x-ndjson"
	eventsType = "text/event-stream"
)

// Fields that every input has in addition to those of its operation.
const (
	scopeField = "scope"
	aboveField = "above"
	yesField   = "yes"
)

// requestIDField is the field that the header Idempotency-Key fills.
const requestIDField = "request_id"

// served is an operation with the properties that every call needs.
type served struct {
	op     operation.Operation
	info   operation.Info
	fields []schema.Field // of its input
	names  []string       // of those and of the fields that every call has
	// decides means that the operation decides about single memories, so that it can be
	// repeated under a request id.
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

// call is an operation with the input of a request.
type call struct {
	*served
	in    any
	scope string
	above bool // also see the scopes above it
	yes   bool
	grant *access.Grant // of the caller's token; nil for an unrestricted caller
}

// wantType rejects a body of another media type.
func wantType(r *http.Request, want string) error {
	got, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || got != want {
		return &refusal{status: http.StatusUnsupportedMediaType, err: strata.Invalid("", "the body must be "+want, "send Content-Type: "+want)}
	}
	return nil
}

// body reads a JSON body within the limits on size and time.
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

// notRead returns the error for a body that broke off or came too slowly.
func notRead(err error) error {
	return &refusal{status: http.StatusRequestTimeout, err: &strata.Error{Code: strata.CodeCanceled,
		Message: "the body did not arrive completely in time", Hint: "send it again", Err: err}}
}

// decode reads the input of an operation from a JSON object. Field names must match
// exactly, and no text may contain a NUL character, where databases would cut it off.
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
	own := len(given) // number of the operation's own fields, unless common fields are among them
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

// takeField decodes a field of an object and removes it.
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

// noNUL rejects a NUL character in any text of a valid JSON document.
func noNUL(data []byte) error {
	if !bytes.Contains(data, []byte(`\u0000`)) {
		return nil // the only way to write one
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := dec.Token()
		if err != nil {
			return nil // the end of the document
		}
		if text, ok := token.(string); ok && strings.ContainsRune(text, 0) {
			return errors.New("a text holds a NUL character")
		}
	}
}

// query reads the input from the URL query, for operations whose body is a stream.
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
				return c.refuse(fmt.Errorf("field %s is not text", name))
			}
			if err := f.Set(c.in, v); err != nil {
				return c.refuse(err)
			}
		}
	}
	return nil
}

// choose parses a boolean parameter.
func choose(into *bool, name string, list []string) error {
	v, err := strconv.ParseBool(list[0])
	if err != nil || len(list) > 1 {
		return fmt.Errorf("field %s must be true or false", name)
	}
	*into = v
	return nil
}

// field returns the field of the operation's input with the given name, if there is one.
func (c *call) field(name string) (schema.Field, bool) {
	for _, f := range c.fields {
		if f.Name == name {
			return f, true
		}
	}
	return schema.Field{}, false
}

// refuse turns an error of the input into one that lists the valid fields.
func (c *call) refuse(err error) error {
	return strata.Invalid(c.info.Name, err.Error(), "the fields are: "+strings.Join(c.names, ", "))
}

// idempotent sets the request id from the header Idempotency-Key. Read-only operations
// ignore the header; operations that cannot be repeated safely reject it.
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

// confirm refuses to remove or undo anything without yes, as the command line does if it
// cannot ask.
func (c *call) confirm() error {
	if !c.info.Destructive || c.yes {
		return nil
	}
	if f, ok := c.field("dry_run"); ok && f.Get(c.in) == true { // every destructive operation has it
		return nil
	}
	return strata.Invalid(c.info.Name, c.info.Name+" removes or undoes something and needs confirmation",
		`send "yes": true to go ahead, or "dry_run": true to see what it would do`)
}

// env returns the environment of the call: the scope it names, within the limits of the
// server and the grant.
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
		// On the command line, a memory's type decides where it goes. A caller without a
		// scope here has no workspace and means the global scope.
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
