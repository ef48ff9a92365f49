package transcript

import (
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

// chatGPT reads a conversation in an export of ChatGPT (conversations.json). It is a tree
// of messages, {"conversation_id", "mapping": {ID: {"message", "parent"}},
// "current_node"}. The conversation is the path to the current node; other branches are
// questions and answers that were replaced.
var chatGPT = format{
	is: func(v value) bool { return v.get("mapping").kind == '{' },
	read: func(r *Reader, v value) {
		r.retell(v.first("conversation_id", "id").name(), "", "")
		nodes := v.get("mapping")
		byID := make(map[string]value, len(nodes.list))
		for i, id := range nodes.keys {
			byID[id] = nodes.list[i]
		}
		path := pathTo(byID, v.get("current_node").name())
		if path == nil {
			path = inTime(nodes.list)
		}
		r.left[LeftBranch] += int64(len(nodes.list) - len(path))
		for _, node := range path {
			r.chatGPTMessage(node.get("message"))
		}
	},
}

// pathTo returns the nodes from the root of a tree to the node id, or nil if there is no
// such node.
func pathTo(nodes map[string]value, id string) []value {
	var path []value
	for node, ok := nodes[id]; ok && len(path) <= len(nodes); node, ok = nodes[node.get("parent").name()] {
		path = append(path, node)
	}
	slices.Reverse(path)
	return path
}

// inTime returns the nodes sorted by time.
func inTime(nodes []value) []value {
	at := func(v value) time.Time { return timeOf(v.get("message", "create_time")) }
	return slices.SortedStableFunc(slices.Values(nodes), func(a, b value) int { return at(a).Compare(at(b)) })
}

// chatGPTMessage adds a message.
func (r *Reader) chatGPTMessage(m value) {
	author, content := m.get("author"), m.get("content")
	t := strata.Turn{Role: roleOf(author), At: timeOf(m.get("create_time"))}
	switch kind := content.get("content_type").name(); {
	case m.kind == 0:
		return
	case t.Role == "":
		r.left[LeftNoMessage]++
		return
	case m.get("metadata", "is_visually_hidden_from_conversation").is(), kind == "user_editable_context", kind == "model_editable_context":
		r.left[LeftProgram]++
		return
	case kind == "thoughts", kind == "reasoning_recap":
		r.left[LeftThinking]++
		return
	}
	limit := maxText
	if t.Role == strata.RoleTool {
		limit, t.Tool = maxResult, author.get("name").name()
	}
	parts := content.first("parts", "text", "result")
	if to := m.get("recipient").name(); t.Role == strata.RoleAssistant && to != "" && to != "all" {
		id := m.get("id").name()
		t.Calls = []strata.ToolCall{{ID: id, Name: to, Arguments: strings.TrimSpace(text(parts, maxArgument))}}
	} else {
		t.Text = text(parts, limit)
	}
	r.add(m.get("id").name(), true, t)
}

// orTime returns t, or other if t is zero.
func orTime(t, other time.Time) time.Time {
	if t.IsZero() {
		return other
	}
	return t
}
