package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/server"
)

// A face is a way to an operation: a command, a route, a tool. Every operation has all of
// them, or a reason why it has not.

// noCommand says why an operation is no command of its own.
var noCommand = map[string]string{
	opSaveBatch: "`strata save --batch`",
	opAppend:    "`strata ingest`",
}

// The reasons why an operation is no tool of agents, whose definitions are sent with every
// request.
const (
	byAnother   = "agents have another tool for it"
	forPeople   = "people look at it, or decide it"
	forUpkeep   = "it looks after the home"
	forFiles    = "agents read and write files"
	forPrograms = "a program hands on what its model calls"
	inSnapshot  = "agents get it at the start of a session"
)

var noTool = map[string]string{
	"save_batch": byAnother, "facts": byAnother, "fact": byAnother, "turns": byAnother, "ledger": byAnother, "ingest": byAnother, "delete": byAnother,
	"profile": inSnapshot, "heartbeat": inSnapshot, "snapshot": inSnapshot, "skill_list": inSnapshot,
	"note_list": forFiles, "note_show": forFiles, "note_write": forFiles, "note_delete": forFiles, "skill_show": forFiles,
	"memory_tool":   forPrograms,
	"skill_promote": forPeople, "skill_archive": forPeople,
	"categories_list": forPeople, "categories_rename": forPeople, "categories_merge": forPeople, "categories_pin": forPeople, "categories_unpin": forPeople,
	"note_promote": forPeople, "note_propose": forPeople, "note_accept": forPeople, "note_reject": forPeople, "note_adhoc": forPeople,
	"daily_list": forPeople, "daily_show": forPeople, "daily_archive": forPeople, "daily_purge": forPeople, "daily_restore": forPeople,
	"decision": forPeople, "revert": forPeople, "trust": forPeople,
	"sessions": forPeople, "timeline": forPeople, "traces": forPeople, "trace": forPeople,
	"dream_status": forPeople, "dream_list": forPeople, "dream_show": forPeople, "scopes": forPeople, "scope_show": forPeople, "stats": forPeople,
	"sessions_prune": forUpkeep, "sessions_archive": forUpkeep, "sessions_restore": forUpkeep, "sessions_repair": forUpkeep, "close": forUpkeep,
	"dream_trigger": forUpkeep, "dream_retry": forUpkeep, "sync": forUpkeep, "doctor": forUpkeep, "health": forPeople, "embed": forUpkeep, "reindex": forUpkeep,
	"embedder_show": forUpkeep, "embedder_import": forUpkeep, "embedder_remove": forUpkeep, "export": forUpkeep, "import": forUpkeep,
	"backup_list": forUpkeep, "backup_now": forUpkeep, "extractor_status": forUpkeep, "extractor_pending": forUpkeep, "extractor_replay": forUpkeep, "extractor_drain": forUpkeep,
	"extractor_retry": forUpkeep, "extractor_drop": forUpkeep,
}

// A new operation that a face lacks fails here until the reason is written down, and so
// does a reason for what is there.
func TestEveryOperationIsInEveryFace(t *testing.T) {
	root := newRoot(newApp(nil, nil, nil, nil), "")
	routes := server.New(server.Options{}).Open()
	tools := make(map[string]bool)
	for _, name := range toolNames(operation.AllTools) {
		tools[name] = true
	}
	var table strings.Builder
	table.WriteString("| operation | command | HTTP | tool |\n|---|---|---|---|\n")
	for _, op := range ops.All() {
		info := op.About()
		cmd, rest, err := root.Find(info.Words())
		command := "`strata " + strings.Join(info.Words(), " ") + "`"
		isCommand := err == nil && len(rest) == 0 && cmd.CommandPath() == strings.Trim(command, "`")
		switch reason, excused := noCommand[info.Name]; {
		case isCommand == excused:
			t.Errorf("%s is a command: %v; there is a reason for none: %v", info.Name, isCommand, excused)
		case excused:
			command = reason
		}
		if !hasRoute(routes, info) {
			t.Errorf("%s has no route", info.Name)
		}
		tool := "`" + info.Tool() + "`"
		switch reason, excused := noTool[info.Name]; {
		case tools[info.Tool()] == excused:
			t.Errorf("%s is a tool: %v; there is a reason for none: %v", info.Name, tools[info.Tool()], excused)
		case excused:
			tool = reason
		}
		fmt.Fprintf(&table, "| `%s` | %s | `POST %s` | %s |\n", info.Name, command, server.Path(info), tool)
	}
	for _, reasons := range []map[string]string{noCommand, noTool} {
		for name := range reasons {
			if _, ok := ops.Find(name); !ok {
				t.Errorf("there is a reason for %s, which is gone", name)
			}
		}
	}
	generated(t, "../../docs/server.md", "faces", table.String())
}

// hasRoute reports whether the path of an operation is one: it takes no GET there, but is
// not unknown either.
func hasRoute(h http.Handler, info operation.Info) bool {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("PUT", server.Path(info), nil))
	return w.Code == http.StatusMethodNotAllowed && strings.Contains(w.Header().Get("Allow"), "POST")
}

// One table says of every code what each face does with it.
func TestTheTableOfErrorsIsInTheDocument(t *testing.T) {
	var table strings.Builder
	table.WriteString("| code | HTTP status | exit code | MCP error | meaning |\n|---|---|---|---|---|\n")
	for _, c := range strata.Codes() {
		fmt.Fprintf(&table, "| `%s` | %d | %d | %d | %s |\n", c, c.HTTPStatus(), c.ExitCode(), c.MCPError(), c.Meaning())
	}
	generated(t, "../../docs/server.md", "errors", table.String())
}

// generated wants a part of a document to be as it is made, or makes it so.
func generated(t *testing.T, path, part, want string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- begin "+part+" -->\n", "<!-- end "+part+" -->"
	before, rest, ok := strings.Cut(string(data), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no part %s", path, part)
	}
	if old == want {
		return
	}
	if !*update {
		t.Errorf("the part %s of %s is out of date: run go test ./cmd/strata -update", part, path)
		return
	}
	if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
