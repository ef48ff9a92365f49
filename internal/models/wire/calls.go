package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// NoParameters is the schema of a tool that takes no arguments.
var NoParameters = json.RawMessage(`{"type":"object","properties":{}}`)

// Parameters returns the schema of a tool's arguments. It is never empty.
func Parameters(t llm.Tool) json.RawMessage {
	if len(t.Parameters) == 0 {
		return NoParameters
	}
	return t.Parameters
}

// Arguments returns the arguments of an earlier call as an object, to send back to the
// server. Models sometimes write malformed arguments, and servers refuse a history that
// holds them, so Arguments wraps these in an object.
func Arguments(written string) json.RawMessage {
	if strings.TrimSpace(written) == "" {
		return json.RawMessage("{}")
	}
	if isObject([]byte(written)) {
		return json.RawMessage(written)
	}
	wrapped, err := json.Marshal(map[string]string{"malformed": written})
	if err != nil {
		return json.RawMessage("{}") // a map of strings always encodes
	}
	return wrapped
}

func isObject(data []byte) bool {
	data = bytes.TrimSpace(data)
	return len(data) > 0 && data[0] == '{' && json.Valid(data)
}

// ArgumentsText returns the arguments of a new call as the text that the model wrote.
// Servers send an object, a string that holds one, or null.
func ArgumentsText(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// AssignIDs gives every call of a reply an id that no other call of the
// conversation has. Servers leave ids out, or number the calls of each answer
// from 0. An invented id follows from the request and the call, so that the
// same exchange gets the same ids.
func AssignIDs(req llm.Request, calls []strata.ToolCall) error {
	taken := make(map[string]bool)
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			taken[c.ID] = true
		}
	}
	for i := range calls {
		c := &calls[i]
		if c.Name == "" {
			return fmt.Errorf("call %d names no tool", i)
		}
		for n := 0; c.ID == "" || taken[c.ID]; n++ {
			c.ID = makeID(req, *c, i, n)
		}
		taken[c.ID] = true
	}
	return nil
}

func makeID(req llm.Request, c strata.ToolCall, position, try int) string {
	h := sha256.New()
	last := req.Messages[len(req.Messages)-1]
	fmt.Fprintf(h, "%d\x00%s\x00%d\x00%d\x00%s\x00%s", len(req.Messages), last.Text, position, try, c.Name, c.Arguments)
	return "call_" + hex.EncodeToString(h.Sum(nil)[:9])
}
