// Package toolcall puts the tool calls of an agent into words.
package toolcall

import (
	"encoding/json"
	"strings"

	"github.com/strata-memory/strata"
)

// Shown returns the text that represents a turn: its own, or its tool calls if it has
// none.
func Shown(t strata.Turn) string {
	if t.Text != "" || len(t.Calls) == 0 {
		return t.Text
	}
	calls := make([]string, len(t.Calls))
	for i, c := range t.Calls {
		calls[i] = Text(c)
	}
	return "called " + strings.Join(calls, "; ")
}

// maxArgument and maxArguments bound the text of one argument and of all arguments of a
// call, in bytes. People look for a call by a path, a query or a short command. The
// content of a file would drown out the words of the conversation.
const (
	maxArgument  = 200
	maxArguments = 600
)

// Text returns the name of the tool, followed by the names, short texts and numbers in
// the arguments of a call. It serves both the index and readers.
func Text(c strata.ToolCall) string {
	var b strings.Builder
	b.WriteString(c.Name)
	dec := json.NewDecoder(strings.NewReader(c.Arguments))
	dec.UseNumber()
	size := 0
	for {
		token, err := dec.Token()
		if err != nil { // the end, or where a model stopped writing JSON
			return b.String()
		}
		var s string
		switch v := token.(type) {
		case string:
			s = v
		case json.Number:
			s = v.String()
		}
		if s == "" || len(s) > maxArgument || size+len(s) > maxArguments {
			continue
		}
		size += len(s)
		b.WriteByte(' ')
		b.WriteString(s)
	}
}
