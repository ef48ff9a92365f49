package transcript

import "github.com/strata-memory/strata"

// ledger is a line of Strata's own ledger: first what holds for the session, then its
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
