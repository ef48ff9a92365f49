package forget

import (
	"encoding/json"
	"strings"

	"github.com/strata-memory/strata"
)

// InTurn reports whether a turn holds one of the texts as words of its own, in
// what it says or in its tool calls.
func (t Texts) InTurn(said string, calls []strata.ToolCall) bool {
	return t.Whole(said) || t.Whole(CallTexts(calls)...)
}

// BlankCalls takes out of tool calls what they say. They keep their ids, so that
// every tool's answer still has its call.
func (t Texts) BlankCalls(calls []strata.ToolCall) {
	for i := range calls {
		calls[i].Arguments = ""
		if t.In(calls[i].Name) {
			calls[i].Name = strata.ForgottenText
		}
	}
}

// CallTexts returns every text that tool calls hold: names, arguments as they
// were written, and the strings inside them.
func CallTexts(calls []strata.ToolCall) []string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Name, c.Arguments)
		out = append(out, jsonTexts(c.Arguments)...)
	}
	return out
}

// InState reports whether the saved state of a session holds one of the texts,
// plain or inside JSON.
func (t Texts) InState(data []byte) bool {
	s := string(data)
	return t.In(strings.ToValidUTF8(s, " ")) || t.In(jsonTexts(s)...)
}

// jsonTexts returns the strings of a JSON text, keys too, as far as it can be
// read. What is no JSON has none.
func jsonTexts(s string) []string {
	var out []string
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil {
			return out
		}
		if v, ok := token.(string); ok {
			out = append(out, v)
		}
	}
}

// BlankLines blanks the lines of a snapshot that hold one of the texts; where one
// spans lines, the whole snapshot.
func (t Texts) BlankLines(snapshot string) string {
	lines := strings.SplitAfter(snapshot, "\n")
	for i, line := range lines {
		if t.In(line) {
			lines[i] = strata.ForgottenText + line[len(strings.TrimRight(line, "\r\n")):]
		}
	}
	if out := strings.Join(lines, ""); !t.In(out) {
		return out
	}
	return strata.ForgottenText
}
