package transcript

import (
	"bufio"
	"strings"

	"github.com/strata-memory/strata"
)

// codex reads a line of a transcript of Codex
// (~/.codex/sessions/YYYY/MM/DD/rollout-TIME-SESSION.jsonl): {"timestamp", "type",
// "payload"}. The response_item lines hold what was said; event_msg lines repeat it. In
// files of older versions the line itself is the item.
var codex = format{
	is: func(v value) bool {
		switch v.get("type").name() {
		case "session_meta", "response_item", "event_msg", "turn_context", "compacted":
			return v.get("payload").kind == '{'
		case "message":
			return roleOf(v) != "" && v.get("content").kind == '[' && v.get("uuid").kind == 0
		case "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "local_shell_call", "reasoning":
			return v.first("call_id", "summary", "action").kind != 0
		}
		return v.get("record_type").kind != 0 || v.has("id", "timestamp") && v.first("instructions", "git").kind != 0 && v.get("type").kind == 0
	},
	read: func(r *Reader, v value) {
		item, at := v.get("payload"), v.get("timestamp")
		if item.kind == 0 {
			item = v
		}
		switch v.get("type").name() {
		case "session_meta":
			r.converse(item.get("id").name(), parentOf(item), item.get("cwd").name())
			return
		case "":
			if id := v.get("id").name(); id != "" {
				r.converse(id, "", v.get("cwd").name())
			}
			return
		case "turn_context":
			r.dir = orElse(item.get("cwd").name(), r.dir)
			return
		case "compacted":
			r.left[LeftSummary]++
			return
		case "event_msg":
			return
		}
		r.codexItem(item, at)
	},
}

// parentOf returns the id of the session that started a subagent's session, or "".
func parentOf(meta value) string {
	return meta.get("source", "subagent", "thread_spawn", "parent_thread_id").name()
}

// codexItem adds the message in one item of Codex.
func (r *Reader) codexItem(v, at value) {
	t := strata.Turn{At: timeOf(at)}
	id := v.get("id").name()
	switch v.get("type").name() {
	case "message":
		t.Role = roleOf(v)
		if t.Role == strata.RoleUser && fromCodex(v.get("content")) {
			r.left[LeftProgram]++
			return
		}
		r.addContent(id, true, t, v.get("content"))
	case "function_call", "custom_tool_call":
		t.Role = strata.RoleAssistant
		t.Calls = []strata.ToolCall{{ID: v.get("call_id").name(), Name: orElse(v.get("name").name(), "tool"), Arguments: arguments(v.first("arguments", "input"))}}
		r.add(id, true, t)
	case "local_shell_call":
		t.Role = strata.RoleAssistant
		t.Calls = []strata.ToolCall{{ID: v.first("call_id", "id").name(), Name: "local_shell", Arguments: arguments(v.get("action"))}}
		r.add(id, true, t)
	case "function_call_output", "custom_tool_call_output":
		t.Role, t.CallID = strata.RoleTool, v.get("call_id").name()
		output := structured(v.get("output"))
		code, ok := output.get("metadata", "exit_code").number()
		t.Failed = output.get("success").kind == 'f' || ok && code != 0
		t.Text = text(output, maxResult)
		r.add(id, true, t)
	case "reasoning":
		r.left[LeftThinking]++
	default:
		r.left[LeftNoMessage]++
	}
}

// structured returns the JSON value in a string that holds the output of a command;
// otherwise v.
func structured(v value) value {
	if !strings.HasPrefix(v.text, `{"output":`) || v.tail != "" {
		return v
	}
	p := parser{in: bufio.NewReader(strings.NewReader(v.text))}
	if inner, err := p.next(); err == nil {
		return inner
	}
	return v
}

// fromCodex reports whether a user message was written by the program: a description of
// the environment, or the project's instructions.
func fromCodex(content value) bool {
	for _, block := range content.items() {
		said := strings.TrimSpace(block.get("text").text)
		if !strings.HasPrefix(said, "<environment_context>") && !strings.HasPrefix(said, "<user_instructions>") &&
			!strings.HasPrefix(said, "# AGENTS.md instructions") && !strings.HasPrefix(said, "<turn_aborted>") {
			return false
		}
	}
	return len(content.items()) > 0
}
