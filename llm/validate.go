package llm

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/strata-memory/strata"
)

// Validate reports what is wrong with a request, whatever server it is for.
func (r Request) Validate() error {
	const op = "chat"
	if len(r.Messages) == 0 {
		return strata.Invalid(op, "the request has no messages", "send at least one user message")
	}
	for i, m := range r.Messages {
		if err := m.Role.Validate(); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
	}
	if len(r.Schema) > 0 && !isObject(r.Schema) {
		return strata.Invalid(op, "the schema of the answer is not a JSON object", "pass a JSON schema")
	}
	for _, t := range r.Tools {
		if t.Name == "" {
			return strata.Invalid(op, "a tool has no name", "name every tool")
		}
		if len(t.Parameters) > 0 && !isObject(t.Parameters) {
			return strata.Invalid(op, "the parameters of tool "+t.Name+" are not a JSON object", "pass a JSON schema of type object")
		}
	}
	return nil
}

func isObject(data []byte) bool {
	data = bytes.TrimSpace(data)
	return len(data) > 0 && data[0] == '{' && json.Valid(data)
}
