package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine is the maximum length of a message in bytes: a query of maximum length with
// every byte escaped, and room for the rest.
const maxLine = 8 << 20

// tooLong is the answer to a longer message.
var tooLong = fmt.Sprintf("the message is longer than %d bytes; send it in parts", maxLine)

// line is a line of the input.
type line struct {
	text []byte          // nil if the line is too long
	long bool            // more than maxLine bytes
	id   json.RawMessage // of the message on an overlong line; nil if it has none
}

// decode returns the message on a line, or those of a batch. It answers invalid ones with
// an error.
func (s *stdio) decode(in line) []jsonrpc.Message {
	switch {
	case in.long:
		s.refuse(in.id, jsonrpc.CodeInvalidRequest, tooLong)
		return nil
	case len(bytes.TrimSpace(in.text)) == 0:
		return nil
	}
	var out []jsonrpc.Message
	for _, p := range readMessages(in.text, &s.begun) {
		if p.code != 0 {
			s.refuse(p.id, p.code, p.reason)
			continue
		}
		out = append(out, p.msg)
	}
	return out
}

// readLine reads a line. Of an overlong one it keeps only the id, which clients write at
// the beginning or, as the TypeScript SDK does, at the end.
func readLine(r *bufio.Reader) (line, error) {
	var (
		out  line
		scan idScanner
	)
	for {
		part, err := r.ReadSlice('\n')
		switch {
		case out.long:
			scan.feed(part)
		case len(out.text)+len(part) > maxLine:
			scan.feed(out.text)
			scan.feed(part)
			out.text, out.long = nil, true
		default:
			out.text = append(out.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			out.id = scan.id()
			return out, err
		}
	}
}
