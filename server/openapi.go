package server

import (
	"encoding/json"
	"net/http"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// inputsOf returns the fields of an operation's input, with those of nested objects.
func inputsOf(op operation.Operation) []schema.Field {
	in, _ := op.Types()
	return schema.Nested(in)
}

// object returns a JSON object with the given names and values, alternating and in order.
func object(members ...any) json.RawMessage {
	var w schema.Object
	for i := 0; i+1 < len(members); i += 2 {
		w.Member(members[i].(string), members[i+1])
	}
	data, err := w.Bytes()
	if err != nil {
		panic(err) // a value that is not JSON: a bug in this file
	}
	return data
}

// describe answers with an OpenAPI 3.1 description of the server.
func (s *Server) describe(w *response, _ *http.Request) error {
	w.document(http.StatusOK, s.openAPI())
	return nil
}

// openAPI returns the description, made from the declarations of the operations.
func (s *Server) openAPI() []byte {
	var paths schema.Object
	for _, op := range ops.All() {
		methods := schema.Object{}
		methods.Raw("post", operationOf(op))
		if isReadByGet(op.About()) {
			methods.Raw("get", getOperation(op))
		}
		if Path(op.About()) == eventsPath {
			methods.Raw("get", followOperation())
		}
		data, _ := methods.Bytes() // all of it is JSON already
		paths.Raw(Path(op.About()), data)
	}
	for _, p := range []struct{ path, summary, media string }{
		{"/healthz", "Say whether the memory answers", jsonType},
		{"/metrics", "Count requests and memories for Prometheus", "text/plain"},
		{"/openapi.json", "Describe the server", jsonType},
	} {
		paths.Member(p.path, object("get", object("operationId", p.path[1:], "summary", p.summary,
			"responses", object("200", object("description", "All is well.", "content", object(p.media, object()))))))
	}
	all, _ := paths.Bytes()
	return object(
		"openapi", "3.1.0",
		"info", object("title", "Strata", "version", s.options.Version, "description", "A memory for AI agents."),
		"security", []any{object("token", []string{}), object()},
		"paths", json.RawMessage(all),
		"components", object(
			"securitySchemes", object("token", object("type", "http", "scheme", "bearer",
				"description", "The token of the home, over TCP. On the socket none is needed.")),
			"schemas", object("Error", errorSchema()),
			"responses", object("Error", object("description", "The call failed.",
				"content", object(jsonType, object("schema", object("$ref", "#/components/schemas/Error"))))),
		),
	)
}

// operationOf describes an operation.
func operationOf(op operation.Operation) json.RawMessage {
	info := op.About()
	description := info.Description
	if info.Writes != "" {
		description += " The answer is " + info.Writes + "; what the call returned follows in the trailer " + outputTrailer + "."
	}
	if info.Reads != "" {
		description += " The body is " + info.Reads + "."
	}
	answer := object(jsonType, object("schema", schema.Tree(op.Outputs(), false)))
	if info.Writes != "" {
		answer = object(linesType, object())
	}
	var w schema.Object
	w.Member("operationId", info.Name)
	w.Member("summary", info.Summary)
	w.Member("description", description)
	w.Member("parameters", parametersOf(op))
	if info.Reads != "" {
		w.Member("requestBody", object("required", true, "content", object(linesType, object())))
	} else {
		w.Member("requestBody", object("content", object(jsonType, object("schema", inputSchema(op), "examples", examplesOf(info)))))
	}
	w.Member("responses", object("200", object("description", info.Summary+".", "content", answer),
		"default", object("$ref", "#/components/responses/Error")))
	data, err := w.Bytes()
	if err != nil {
		panic(err) // see object
	}
	return data
}

// inputSchema describes the body of a call.
func inputSchema(op operation.Operation) *schema.Schema {
	s := schema.Tree(inputsOf(op), true)
	s.Properties = append(s.Properties, propertiesOf(furtherFields(op.About()))...)
	return s
}

// propertiesOf describes fields that hold one value each.
func propertiesOf(fields []schema.Field) []schema.Property {
	return operation.Each(fields, func(f schema.Field) schema.Property {
		return schema.Property{Name: f.Name, Schema: &schema.Schema{Type: f.Type, Description: f.Doc}}
	})
}

// furtherFields returns the fields that every call has, and those that destructive ones
// have.
func furtherFields(info operation.Info) []schema.Field {
	list := []schema.Field{{Name: scopeField, Type: "string", Doc: "the one scope to read and write: global, workspace, agent, agent:global or a canonical key"},
		{Name: aboveField, Type: "boolean", Doc: "reads also see the scopes above that one, as on the command line: for an agent its own everywhere, the workspace and the global one"}}
	if info.Destructive {
		list = append(list, schema.Field{Name: yesField, Type: "boolean", Doc: "go ahead; without this and without dry_run, nothing is done"})
	}
	return list
}

// parametersOf returns the parameters of a call besides its body: the input if the body
// is a stream, and the headers that fill the fields base and request_id.
func parametersOf(op operation.Operation) []json.RawMessage {
	info := op.About()
	list := []json.RawMessage{}
	if info.Reads != "" {
		list = queryParameters(op)
	}
	for _, f := range op.Inputs() {
		if f.Name == baseField {
			list = append(list, object("name", "If-Match", "in", "header", "description", "the ETag of the version you saw, instead of base", "schema", object("type", "string")))
			list = append(list, object("name", "If-None-Match", "in", "header", "description", "* if no version must exist, instead of base", "schema", object("type", "string")))
		}
		if f.Name == requestIDField {
			list = append(list, object("name", "Idempotency-Key", "in", "header", "description", f.Doc, "schema", object("type", "string")))
		}
	}
	return list
}

// queryParameters returns the input of a call as query parameters.
func queryParameters(op operation.Operation) []json.RawMessage {
	return operation.Each(append(op.Inputs(), furtherFields(op.About())...), func(f schema.Field) json.RawMessage {
		one := schema.Tree([]schema.Field{f}, true).Properties[0].Schema
		return object("name", f.Name, "in", "query", "required", f.Required, "schema", one)
	})
}

// getOperation describes an operation that answers GET.
func getOperation(op operation.Operation) json.RawMessage {
	info := op.About()
	parameters := append(queryParameters(op), object("name", "If-None-Match", "in", "header",
		"description", "ETags of versions you know; if one of them is current, the answer is 304", "schema", object("type", "string")))
	return object("operationId", info.Name+"_get", "summary", info.Summary, "parameters", parameters,
		"responses", object("200", object("description", info.Summary+".", "content", object(jsonType, object("schema", schema.Tree(op.Outputs(), false)))),
			"304", object("description", "You know the current version."), "default", object("$ref", "#/components/responses/Error")))
}

// examplesOf returns the examples of an operation.
func examplesOf(info operation.Info) json.RawMessage {
	var w schema.Object
	for _, e := range info.Examples {
		w.Member(e.Doc, object("summary", e.Doc, "value", json.RawMessage(e.Input)))
	}
	data, err := w.Bytes()
	if err != nil {
		panic(err) // see object
	}
	return data
}

// followOperation describes the stream of events.
func followOperation() json.RawMessage {
	parameter := func(name, in, doc string) json.RawMessage {
		return object("name", name, "in", in, "description", doc, "schema", object("type", "string"))
	}
	return object("operationId", "events_follow", "summary", "Follow what happens to memory, as server-sent events",
		"parameters", []json.RawMessage{
			parameter("Last-Event-ID", "header", "continue after this event"), parameter("after", "query", "the same, as a parameter"),
			parameter("kind", "query", "only events of this kind or family of kinds"), parameter(scopeField, "query", "only events of this scope"),
			parameter(aboveField, "query", "true: also events of the scopes above it"),
		},
		"responses", object("200", object("description", "The events.", "content", object(eventsType, object())),
			"default", object("$ref", "#/components/responses/Error")))
}

// errorSchema describes errors.
func errorSchema() json.RawMessage {
	text := object("type", "string")
	return object("type", "object", "required", []string{"code", "message", "request_id"}, "properties", object(
		"code", object("type", "string", "enum", strata.Codes()), "message", text, "hint", text,
		"details", object("type", "object", "additionalProperties", text), "request_id", text,
		"output", object("type", "object", "description", "what was done in spite of it")))
}
