package transcript

import (
	"strings"

	"github.com/strata-memory/strata"
)

// claudeCode reads a line of a transcript of Claude Code
// (~/.claude/projects/DIRECTORY/SESSION.jsonl): {"type", "message": {"role", "content"},
// "uuid", "sessionId", "timestamp", "cwd"}. The content follows Anthropic's protocol; a
// user message may hold tool results. Messages from and to subagents have isSidechain,
// and are in files of their own or among the others.
var claudeCode = format{
	is: func(v value) bool {
		switch v.get("type").name() {
		case "user", "assistant":
			return v.get("message").kind == '{' && v.first("uuid", "sessionId").kind != 0
		case "summary":
			return v.get("leafUuid").kind != 0
		case "file-history-snapshot", "queue-operation", "progress", "attachment", "custom-title", "last-prompt", "agent-name", "pr-link", "permission-mode":
			return true
		case "system":
			return v.first("uuid", "sessionId").kind != 0 && v.get("role").kind == 0
		}
		return false
	},
	read: func(r *Reader, v value) {
		message := v.get("message")
		switch {
		case v.get("isCompactSummary").is(), v.get("type").name() == "summary":
			r.left[LeftSummary]++
			return
		case message.kind == 0:
			r.left[LeftNoMessage]++
			return
		case v.get("isMeta").is(), v.get("isApiErrorMessage").is(), v.get("isVisibleInTranscriptOnly").is(), fromClaudeCode(message.get("content")):
			r.left[LeftProgram]++
			return
		}
		session, parent := v.get("sessionId").name(), ""
		if agent := v.get("agentId").name(); v.get("isSidechain").is() {
			session, parent = session+"."+orElse(agent, "agents"), session
		}
		r.converse(session, parent, v.get("cwd").name())
		t := strata.Turn{Role: roleOf(message), At: timeOf(v.get("timestamp"))}
		if t.Role == "" {
			t.Role = roles[v.get("type").name()]
		}
		r.addContent(v.get("uuid").name(), true, t, message.get("content"))
	},
}

// fromClaudeCode reports whether a user message was written by the program: for example a
// slash command and its output, or a notice of an interruption.
func fromClaudeCode(content value) bool {
	text := content.text
	if list := content.items(); len(list) == 1 {
		text = list[0].get("text").text
	}
	for _, begins := range []string{
		"<command-name>", "<command-message>", "<local-command-", "<bash-input>", "<bash-stdout>", "<bash-stderr>", "<user-memory-input>",
		"<task-notification>", "Caveat: The messages below were generated", "[Request interrupted by user", "This session is being continued from a previous conversation",
	} {
		if strings.HasPrefix(text, begins) {
			return true
		}
	}
	return false
}

// orElse returns s, or other if s is empty.
func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
