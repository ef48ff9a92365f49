package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine is the longest message in bytes: a question of the greatest length
// with every byte escaped, and room for what surrounds it.
const maxLine = 8 << 20

// decode reads the message on a line, or those of a batch, and answers a line
// that holds none.
func (s *stdio) decode(line []byte, long bool) []jsonrpc.Message {
	line = bytes.TrimSpace(line)
	switch {
	case long:
		s.refuse(idOf(line), jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d bytes", maxLine))
		return nil
	case len(line) == 0:
		return nil
	case !json.Valid(line):
		s.refuse(nil, jsonrpc.CodeParseError, "the line is not JSON")
		return nil
	}
	parts := []json.RawMessage{line}
	if line[0] == '[' {
		parts = nil
		if err := json.Unmarshal(line, &parts); err != nil || len(parts) == 0 {
			s.refuse(nil, jsonrpc.CodeInvalidRequest, "the batch is empty")
			return nil
		}
	}
	var out []jsonrpc.Message
	for _, part := range parts {
		msg, err := jsonrpc.DecodeMessage(part)
		if err != nil {
			s.refuse(idOf(part), jsonrpc.CodeInvalidRequest, "the line is no message of JSON-RPC 2.0")
			continue
		}
		out = append(out, msg)
	}
	return out
}

// readLine reads a line of at most maxLine bytes. Of a longer one it returns
// the beginning and skips the rest.
func readLine(r *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > maxLine {
			line, long = line[:4<<10], true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// idOf finds the id of a message that may be cut off behind it; nil if there is
// none.
func idOf(line []byte) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(line))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil
		}
		if name == "id" && len(value) > 0 && (value[0] == '"' || value[0] == '-' || value[0] >= '0' && value[0] <= '9') {
			return value
		}
	}
	return nil
}
