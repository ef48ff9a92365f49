package forget

import (
	"encoding/json"
	"strings"

	"github.com/strata-memory/strata"
)

// InTurn returns what a turn has to do with what is forgotten, in what it says or in its
// tool calls.
func (s Subject) InTurn(t strata.Turn, where Where) Verdict {
	most := s.Verdict(t.Text, where)
	for _, said := range CallTexts(t.Calls) {
		most = max(most, s.Verdict(said, where))
	}
	return most
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

// InState reports whether the saved state of a session holds what is forgotten, plain or
// inside JSON.
func (s Subject) InState(data []byte) bool {
	plain := string(data)
	texts := append(jsonTexts(plain), strings.ToValidUTF8(plain, " "))
	return s.Shown.In(texts...) || s.told(texts, Anywhere)
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

// BlankLines blanks the lines of a snapshot that hold what is forgotten; where a text spans
// lines, the whole snapshot.
func (s Subject) BlankLines(snapshot string) string {
	lines := strings.SplitAfter(snapshot, "\n")
	for i, line := range lines {
		if s.Shown.In(line) || s.Verdict(line, Anywhere) == Tells {
			lines[i] = strata.ForgottenText + line[len(strings.TrimRight(line, "\r\n")):]
		}
	}
	if out := strings.Join(lines, ""); !s.Shown.In(out) {
		return out
	}
	return strata.ForgottenText
}
