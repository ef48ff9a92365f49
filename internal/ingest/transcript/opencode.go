package transcript

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
)

// opencode reads a session exported by opencode: {"info": {"id", "directory"},
// "messages": [{"info": {"id", "role", "time"}, "parts": [...]}]}. In opencode's own
// directory, messages and parts are separate files, which [Opencode] joins.
var opencode = format{
	is: func(v value) bool {
		list := v.get("messages").items()
		return v.get("info").kind == '{' && v.get("messages").kind == '[' && (len(list) == 0 || list[0].get("info").kind == '{')
	},
	read: func(r *Reader, v value) {
		info := v.get("info")
		r.retell(info.get("id").name(), info.get("parentID").name(), info.get("directory").name())
		for _, m := range v.get("messages").items() {
			r.opencodeMessage(m.get("info"), m.get("parts").items())
		}
	},
}

// opencodeMessage adds a message of opencode: its text and calls as one turn, and the
// result of each call as another.
func (r *Reader) opencodeMessage(info value, parts []value) {
	id := info.get("id").name()
	t := strata.Turn{Role: roleOf(info), At: timeOf(info.get("time", "created"))}
	if t.Role == "" {
		r.left[LeftNoMessage]++
		return
	}
	if r.dir == "" {
		r.dir = info.get("path", "cwd").name()
	}
	if info.get("summary").is() {
		r.left[LeftSummary]++
		return
	}
	if t.Role == strata.RoleAssistant && info.get("time", "created").kind != 0 && info.get("time", "completed").kind == 0 && info.get("error").kind == 0 {
		r.left[LeftUnfinished]++ // its parts still change
		return
	}
	var results []strata.Turn
	for _, p := range parts {
		switch p.get("type").name() {
		case "text":
			if p.get("synthetic").is() || p.get("ignored").is() {
				r.left[LeftProgram]++
				continue
			}
			t.Text = joinText(t.Text, p.get("text").str())
		case "file", "image":
			t.Text = joinText(t.Text, text(p, maxText))
		case "reasoning":
			r.left[LeftThinking]++
		case "tool":
			state, call := p.get("state"), p.first("callID", "id").name()
			t.Calls = append(t.Calls, strata.ToolCall{ID: call, Name: orElse(p.get("tool").name(), "tool"), Arguments: arguments(state.get("input"))})
			if status := state.get("status").name(); status != "completed" && status != "error" {
				continue
			}
			results = append(results, strata.Turn{
				Role: strata.RoleTool, CallID: call, Failed: state.get("status").name() == "error",
				Text: text(state.first("output", "error"), maxResult), At: orTime(timeOf(state.get("time", "end")), t.At),
			})
		}
	}
	r.add(id, true, t)
	for i, result := range results {
		r.add(id+"#"+strconv.Itoa(i), true, result)
	}
}

// Opencode reads a session from opencode's own directory in the form of an export.
// session is the path of the session in fsys, "session/PROJECT/SESSION.json". Its
// messages are in "message/SESSION/", and their parts in "part/MESSAGE/". The caller must
// read to the end or close the reader.
func Opencode(fsys fs.FS, session string) io.ReadCloser {
	r, w := io.Pipe()
	go func() { w.CloseWithError(writeOpencode(w, fsys, session)) }()
	return r
}

func writeOpencode(w io.Writer, fsys fs.FS, session string) error {
	out := func(s string) error { _, err := io.WriteString(w, s); return err }
	file := func(name string) error {
		f, err := fsys.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}
	if err := errors.Join(out(`{"info":`), file(session), out(`,"messages":[`)); err != nil {
		return err
	}
	messages, err := fs.Glob(fsys, "message/"+strings.TrimSuffix(path.Base(session), ".json")+"/*.json")
	if err != nil {
		return err
	}
	for i, m := range messages { // sorted by name, which is chronological
		if i > 0 {
			err = out(",")
		}
		if err = errors.Join(err, out(`{"info":`), file(m), out(`,"parts":[`)); err != nil {
			return err
		}
		parts, err := fs.Glob(fsys, "part/"+strings.TrimSuffix(path.Base(m), ".json")+"/*.json")
		if err != nil {
			return err
		}
		for j, p := range parts {
			if j > 0 {
				err = out(",")
			}
			if err = errors.Join(err, file(p)); err != nil {
				return err
			}
		}
		if err := out("]}"); err != nil {
			return err
		}
	}
	return out("]}")
}
