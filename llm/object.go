package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

// ObjectRequest asks a model for one JSON object.
type ObjectRequest struct {
	Instructions string // the system message
	Material     string // the user message
	Schema       string // of the object, as JSON Schema
	// Repair is what the model is told if its answer is unusable; the reason is appended.
	Repair string
	// MaxTokens and Window are those of [Request]. MaxBytes and Timeout bound the size of
	// an answer and the wait for it; 0 sets no bound.
	MaxTokens, Window, MaxBytes int
	Timeout                     time.Duration
}

// AskObject passes the model's answer to take, which returns an error if it is unusable.
// In that case AskObject asks once more. The error is that of the model or of take.
func AskObject(ctx context.Context, model Chat, r ObjectRequest, take func(answer string) error) error {
	messages := []Message{{Role: strata.RoleSystem, Text: r.Instructions}, {Role: strata.RoleUser, Text: r.Material}}
	answer, err := r.ask(ctx, model, messages)
	if err != nil {
		return err
	}
	wrong := take(answer)
	if wrong == nil {
		return nil
	}
	messages = append(messages, Message{Role: strata.RoleAssistant, Text: answer}, Message{Role: strata.RoleUser, Text: strings.TrimSpace(r.Repair) + " " + wrong.Error()})
	if answer, err = r.ask(ctx, model, messages); err != nil {
		return err
	}
	if wrong = take(answer); wrong != nil {
		return fmt.Errorf("the model was asked twice: %w", wrong)
	}
	return nil
}

var errTooLong = errors.New("the model answered at length")

// ask returns an answer within the limits of time and size.
func (r ObjectRequest) ask(ctx context.Context, model Chat, messages []Message) (string, error) {
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Timeout)
		defer cancel()
	}
	var zero float64
	size := 0
	reply, err := model.Chat(ctx, Request{
		Messages: messages, Schema: json.RawMessage(r.Schema), MaxTokens: r.MaxTokens, Window: r.Window, Temperature: &zero,
	}, func(d Delta) error {
		if size += len(d.Text) + len(d.Reasoning); r.isTooLong(size) {
			return errTooLong
		}
		return nil
	})
	if err == nil && r.isTooLong(len(reply.Message.Text)) {
		err = errTooLong
	}
	return reply.Message.Text, err
}

// isTooLong reports whether an answer of size bytes exceeds the bound.
func (r ObjectRequest) isTooLong(size int) bool { return r.MaxBytes > 0 && size > r.MaxBytes }

// DecodeObject decodes an answer that must be one JSON object with no fields unknown to v
// and nothing after it.
func DecodeObject(answer string, v any) error {
	d := json.NewDecoder(bytes.NewReader([]byte(strings.TrimSpace(answer))))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("it is not the JSON object: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON object")
	}
	return nil
}

// Validate reports what is wrong with a request for any server.
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
