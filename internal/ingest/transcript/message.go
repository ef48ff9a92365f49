package transcript

import (
	"bufio"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
)

// Number of bytes kept of texts that nobody said.
const (
	maxResult   = 4 << 10 // of the result of a tool
	maxArgument = 2 << 10 // of each text in the arguments of a call
)

// message reads a single message: a line of {"role", "content", "at"}, or a message in
// OpenAI's or Anthropic's protocol.
var message = format{
	is: func(v value) bool {
		return roleOf(v) != "" && (v.first("content", "text", "message", "value", "tool_calls", "calls").kind != 0 || roleOf(v) == strata.RoleTool)
	},
	read: func(r *Reader, v value) {
		if s := v.first("session", "session_id", "conversation_id", "thread_id").name(); s != "" {
			r.converse(s, "", "")
		}
		id := v.first("id", "uuid", "message_id").name()
		r.addMessage(id, false, v)
	},
}

// conversation reads an object with a list of messages, such as a request to a model or a
// conversation in an export.
var conversation = format{
	is: func(v value) bool { return messagesOf(v) != nil },
	read: func(r *Reader, v value) {
		r.retell(v.first("session", "session_id", "conversation_id", "thread_id", "uuid", "id").name(), "", v.first("cwd", "directory").name())
		if system := text(v.get("system"), maxText); system != "" {
			r.add("", false, strata.Turn{Role: strata.RoleSystem, Text: system})
		}
		for _, m := range messagesOf(v) {
			if !message.is(m) {
				r.left[LeftNoMessage]++
				continue
			}
			r.addMessage(m.first("id", "uuid", "message_id").name(), false, m)
		}
	},
}

// messagesOf returns the messages of a conversation, or nil if v is not one.
func messagesOf(v value) []value {
	for _, name := range []string{"messages", "chat_messages", "conversation", "conversations", "turns", "input"} {
		if list := v.get(name).items(); len(list) > 0 && list[0].kind == '{' && roleOf(list[0]) != "" {
			return list
		}
	}
	return nil
}

// roles maps the names that protocols use for speakers.
var roles = map[string]strata.Role{
	"user": strata.RoleUser, "human": strata.RoleUser,
	"assistant": strata.RoleAssistant, "ai": strata.RoleAssistant, "model": strata.RoleAssistant, "bot": strata.RoleAssistant, "gpt": strata.RoleAssistant,
	"system": strata.RoleSystem, "developer": strata.RoleSystem,
	"tool": strata.RoleTool, "function": strata.RoleTool,
}

// roleOf returns the role of the speaker of a message, or "" if it has none.
func roleOf(v value) strata.Role {
	return roles[strings.ToLower(v.first("role", "sender", "from").name())]
}

// addMessage adds a message: each tool result in it as a turn, then the rest as one.
func (r *Reader) addMessage(id string, unique bool, v value) {
	t := strata.Turn{Role: roleOf(v), At: timeOf(v.first("at", "timestamp", "created_at", "createdAt", "create_time", "time", "date", "created"))}
	if t.Role == strata.RoleUser || t.Role == strata.RoleAssistant {
		t.Speaker = v.first("name", "speaker").name()
	}
	body := v.first("content", "text", "message", "value")
	if t.Role == strata.RoleTool {
		t.CallID, t.Tool = v.first("tool_call_id", "call_id").name(), v.first("tool", "name").name()
		t.Failed = v.first("failed", "is_error").is()
		t.Text = text(body, maxResult)
		r.add(id, unique, t)
		return
	}
	t.Calls = callsOf(v)
	r.addContent(id, unique, t, body)
}

// addContent adds the content of a message: a text, a block or a list of blocks.
func (r *Reader) addContent(id string, unique bool, t strata.Turn, content value) {
	t.Text = joinText(t.Text, content.str())
	blocks := content.items()
	if content.kind == '{' {
		blocks = []value{content}
	}
	for i, block := range blocks {
		switch kind := block.get("type").name(); kind {
		case "thinking", "redacted_thinking", "reasoning":
			r.left[LeftThinking]++
		case "tool_use", "server_tool_use":
			t.Calls = append(t.Calls, strata.ToolCall{ID: block.get("id").name(), Name: block.get("name").name(), Arguments: arguments(block.get("input"))})
		case "tool_result", "web_search_tool_result":
			part := ""
			if id != "" {
				part = id + "#" + strconv.Itoa(i)
			}
			r.add(part, unique, strata.Turn{
				Role: strata.RoleTool, CallID: block.get("tool_use_id").name(), Failed: block.get("is_error").is(),
				Text: text(block.get("content"), maxResult), At: t.At,
			})
		default:
			t.Text = joinText(t.Text, text(block, maxText))
		}
	}
	r.add(id, unique, t)
}

// joinText joins two texts by a line end; empty ones are dropped.
func joinText(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// text returns the text of a string, of a content block or of a list of these, at most
// limit bytes of each. Images and files are represented by references.
func text(v value, limit int) string {
	switch v.kind {
	case '"':
		return v.short(limit)
	case '[':
		var out string
		for _, item := range v.list {
			if len(out) < 4*limit {
				out = joinText(out, text(item, limit))
			}
		}
		return out
	case '{':
		if ref := reference(v); ref != "" {
			return ref
		}
		return text(v.first("text", "output_text", "content", "output", "result"), limit)
	}
	return ""
}

// reference describes the image or file in a block. It returns "" for other blocks.
func reference(v value) string {
	kind := v.first("type", "content_type").name()
	switch {
	case strings.Contains(kind, "image"):
		kind = "image"
	case kind == "file" || kind == "input_file" || kind == "document" || strings.Contains(kind, "audio") || strings.Contains(kind, "video"):
	default:
		return ""
	}
	source := v.get("source")
	where := v.first("image_url", "url", "file_url", "asset_pointer", "filename", "file_id", "data")
	if where.kind == '{' {
		where = where.first("url", "data")
	}
	if where.kind == 0 {
		where = source.first("url", "file_id", "path", "data")
	}
	media := v.first("media_type", "mime", "mimeType")
	if media.kind == 0 {
		media = source.get("media_type")
	}
	about := []string{kind}
	if m := media.name(); m != "" {
		about = append(about, m)
	}
	switch name := where.name(); {
	case name != "" && !strings.HasPrefix(name, "data:") && source.get("type").name() != "base64":
		about = append(about, name)
	case where.size > 0:
		about = append(about, strconv.Itoa(where.size*3/4)+" bytes")
	}
	if name := v.first("filename", "title").name(); name != "" && name != where.name() {
		about = append(about, name)
	}
	return "[" + strings.Join(about, ", ") + "]"
}

// callsOf returns the tool calls that a message has beside its content.
func callsOf(v value) []strata.ToolCall {
	var out []strata.ToolCall
	calls := v.first("tool_calls", "calls").items()
	if f := v.get("function_call"); f.kind == '{' {
		calls = append(calls, f)
	}
	for _, c := range calls {
		f := c
		if inner := c.get("function"); inner.kind == '{' {
			f = inner
		}
		out = append(out, strata.ToolCall{ID: c.first("id", "call_id").name(), Name: f.get("name").name(), Arguments: arguments(f.first("arguments", "input", "args"))})
	}
	return out
}

// arguments returns the arguments of a call as JSON, with long texts shortened.
func arguments(v value) string {
	switch v.kind {
	case 0:
		return ""
	case '"':
		return shortArguments(v)
	}
	return v.json(maxArgument)
}

// ledger reads a line of Strata's own ledger: first the header of the session, then its
// turns, which have the format of [message] with "call_id", "tool" and "failed".
var ledger = format{
	is: func(v value) bool {
		return v.get("format").name() == "strata-ledger" || v.has("seq", "id", "role", "recorded_at")
	},
	read: func(r *Reader, v value) {
		if v.get("format").kind != 0 {
			parent := v.get("parent").name()
			r.converse(v.get("session").name(), parent, "")
			return
		}
		t := strata.Turn{
			Role: roleOf(v), Speaker: v.get("speaker").name(), Text: v.get("text").str(), At: timeOf(v.get("at")),
			CallID: v.get("call_id").name(), Tool: v.get("tool").name(), Failed: v.get("failed").is(), Calls: callsOf(v),
		}
		if v.get("forgotten").is() {
			return
		}
		for _, image := range v.get("images").items() {
			t.Text = joinText(t.Text, "[image, "+image.get("media_type").name()+"]")
		}
		r.add(v.get("id").name(), true, t)
	},
}

// shortArguments returns arguments that are JSON in a string, with long texts in them
// shortened. If they are not JSON, the string is shortened as a whole.
func shortArguments(v value) string {
	if v.tail == "" {
		if len(v.text) <= maxArgument {
			return v.text
		}
		p := parser{in: bufio.NewReader(strings.NewReader(v.text))}
		if inner, err := p.next(); err == nil {
			return inner.json(maxArgument)
		}
	}
	return v.short(maxArgument)
}
