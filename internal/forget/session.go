package forget

import (
	"encoding/json"
	"strings"

	"github.com/strata-memory/strata"
)

// InTurn returns the highest [Verdict] of the text and the tool calls of a turn.
func (s Subject) InTurn(t strata.Turn, where Where) Verdict {
	most := s.Verdict(t.Text, where)
	for _, said := range CallTexts(t.Calls) {
		most = max(most, s.Verdict(said, where))
	}
	return most
}

// BlankCalls removes the arguments of tool calls, and the names that contain a text. The
// calls keep their ids, so that every tool result still has its call.
func (t Texts) BlankCalls(calls []strata.ToolCall) {
	for i := range calls {
		calls[i].Arguments = ""
		if t.In(calls[i].Name) {
			calls[i].Name = strata.ForgottenText
		}
	}
}

// CallTexts returns all texts in tool calls: the names, the arguments as written, and the
// strings in their JSON.
func CallTexts(calls []strata.ToolCall) []string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Name, c.Arguments)
		out = append(out, jsonTexts(c.Arguments)...)
	}
	return out
}

// InState reports whether the saved state of a session contains what is forgotten, as
// plain text or in JSON strings.
func (s Subject) InState(data []byte) bool {
	plain := string(data)
	texts := append(jsonTexts(plain), strings.ToValidUTF8(plain, " "))
	return s.Shown.In(texts...) || s.told(texts, Anywhere)
}

// jsonTexts returns the strings in s, including object keys, up to the first point where
// s is not JSON.
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

// BlankLines blanks the lines of a snapshot that contain what is forgotten. If a text
// spans lines, it blanks the whole snapshot.
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
