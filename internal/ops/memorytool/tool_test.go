package memorytool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops/memorytool"
	"github.com/strata-memory/strata/local"
)

// open opens a memory with files in a home of its own.
func open(t testing.TB, home string) *engine.Engine {
	t.Helper()
	opened, err := local.OpenWith(context.Background(), local.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	t.Cleanup(func() {
		if err := mem.Close(); err != nil {
			t.Error(err)
		}
	})
	return mem
}

func tool(m memorytool.Memory) *memorytool.Tool {
	return memorytool.New(m, memorytool.Options{Scope: strata.Global(), Agent: "claude"})
}

// says wants a call, written as a model does, to be answered so.
func says(t testing.TB, tool *memorytool.Tool, call, want string) {
	t.Helper()
	got, err := tool.Handle(context.Background(), []byte(call))
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
	if got.String() != want {
		t.Errorf("%s\nis answered\n%s\nwant\n%s", call, got, want)
	}
}

// A session of the tool, in the words that models know.
func TestSession(t *testing.T) {
	home := t.TempDir()
	mem := open(t, home)
	tool := tool(mem)
	const listed = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n"
	for _, step := range []struct{ call, want string }{
		{`{"command": "view", "path": "/memories"}`, listed + "0B\t/memories"},
		{`{"command": "view", "path": "/memories/todo.txt"}`, "Error: The path /memories/todo.txt does not exist. Please provide a valid path."},
		{`{"command": "create", "path": "/memories/todo.txt", "file_text": "Buy milk\nCall Ana\n"}`, "File created successfully at: /memories/todo.txt"},
		{`{"command": "create", "path": "/memories/todo.txt", "file_text": "x"}`, "Error: File /memories/todo.txt already exists"},
		{`{"command": "view", "path": "/memories/todo.txt"}`, "Here's the content of /memories/todo.txt with line numbers:\n     1\tBuy milk\n     2\tCall Ana\n     3\t"},
		{`{"command": "view", "path": "/memories/todo.txt", "view_range": [2, 2]}`, "Here's the content of /memories/todo.txt with line numbers:\n     2\tCall Ana"},
		{`{"command": "view", "path": "/memories/todo.txt", "view_range": [9, -1]}`, "Error: Invalid `view_range` parameter: [9, -1]. It should be within the range of lines of the file: [1, 3]"},
		{`{"command": "str_replace", "path": "/memories/todo.txt", "old_str": "milk", "new_str": "oats"}`,
			"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tBuy oats\n     2\tCall Ana\n     3\t"},
		{`{"command": "str_replace", "path": "/memories/todo.txt", "old_str": "milk", "new_str": "tea"}`,
			"Error: No replacement was performed, old_str `milk` did not appear verbatim in /memories/todo.txt."},
		{`{"command": "str_replace", "path": "/memories/todo.txt", "old_str": "a", "new_str": "e"}`,
			"Error: No replacement was performed. Multiple occurrences of old_str `a` in lines: 1, 2, 2. Please ensure it is unique"},
		{`{"command": "insert", "path": "/memories/todo.txt", "insert_line": 1, "insert_text": "Feed the cat\n"}`, "The file /memories/todo.txt has been edited."},
		{`{"command": "insert", "path": "/memories/todo.txt", "insert_line": 7, "insert_text": "x"}`,
			"Error: Invalid `insert_line` parameter: 7. It should be within the range of lines of the file: [0, 4]"},
		{`{"command": "rename", "old_path": "/memories/todo.txt", "new_path": "/memories/lists/today.md"}`, "Successfully renamed /memories/todo.txt to /memories/lists/today.md"},
		{`{"command": "view", "path": "/memories"}`, listed + "31B\t/memories\n31B\t/memories/lists/\n31B\t/memories/lists/today.md"},
		{`{"command": "view", "path": "/memories/lists/today.md"}`,
			"Here's the content of /memories/lists/today.md with line numbers:\n     1\tBuy oats\n     2\tFeed the cat\n     3\tCall Ana\n     4\t"},
		{`{"command": "insert", "path": "/memories/lists", "insert_line": 0, "insert_text": "x"}`, "Error: The path /memories/lists is not a file."},
		{`{"command": "delete", "path": "/memories"}`, "Error: Cannot delete the /memories directory itself"},
		{`{"command": "delete", "path": "/memories/lists"}`, "Successfully deleted /memories/lists"},
		{`{"command": "delete", "path": "/memories/lists"}`, "Error: The path /memories/lists does not exist"},
		{`{"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b.md"}`, "Error: The path /memories/a.md does not exist"},
	} {
		says(t, tool, step.call, step.want)
	}
	list, err := mem.Decisions(context.Background(), strata.Global().View(), strata.DecisionFilter{})
	if err != nil || len(list) != 5 {
		t.Fatalf("%d decisions, %v", len(list), err)
	}
	for i, op := range []strata.Op{strata.OpDelete, strata.OpUpdate, strata.OpUpdate, strata.OpUpdate, strata.OpAdd} {
		if list[i].Op != op || list[i].Origin != strata.OriginTool || list[i].Agent != "claude" {
			t.Errorf("decision %d: %s by %s %s", i, list[i].Op, list[i].Origin, list[i].Agent)
		}
	}
	if list[1].Document.RenamedFrom() != "notes/todo.txt_.md" {
		t.Errorf("renamed from %q", list[1].Document.RenamedFrom())
	}
}

// A carriage return before the end of a line is part of the file and stays where it is.
func TestCarriageReturnsAreShownAndKept(t *testing.T) {
	mem := open(t, t.TempDir())
	tool := tool(mem)
	says(t, tool, `{"command": "create", "path": "/memories/d/c.md", "file_text": "# Head\n\ntwo two\r\n"}`, "File created successfully at: /memories/d/c.md")
	for range 2 { // before and after the files were read
		says(t, tool, `{"command": "view", "path": "/memories/d/c.md"}`, "Here's the content of /memories/d/c.md with line numbers:\n     1\t# Head\n     2\t\n     3\ttwo two\r\n     4\t")
		if _, err := mem.Sync(context.Background(), strata.Global().View()); err != nil {
			t.Fatal(err)
		}
	}
}

// What is wrong with a call is said, and changes nothing.
func TestRefusals(t *testing.T) {
	home := t.TempDir()
	mem := open(t, home)
	tool := tool(mem)
	says(t, tool, `{"command": "create", "path": "/memories/a", "file_text": "x"}`, "File created successfully at: /memories/a")
	for _, path := range []string{
		"/etc/passwd", "memories/a.md", "", "/memoriesx/a.md", "/memories/../a.md", "/memories/b/../../a.md", "/memories/./a.md", "/memories//a.md",
		"/memories/%2e%2e/a.md", "/memories/%2E%2E%2Fa.md", "/memories/..%5ca.md", "/memories/%252e%252e/a.md", `/memories/..\\a.md`, "/memories/.hidden.md",
		"/memories/.git/config", "/memories/_system_x.md", "/memories/a\\u0000.md", "/memories/ a.md", "/memories/x\\n.md", "/memories/b.md/c.md", "/memories/a/b.md",
		"/memories/new/", "/memories", "/memories/" + strings.Repeat("x", 300) + ".md", "/memories/" + strings.Repeat("x/", 300) + "a.md",
		"/memories/ghp_" + strings.Repeat("a1B2", 9) + ".md",
	} {
		for _, call := range []string{
			`{"command": "create", "path": "` + path + `", "file_text": "y"}`,
			`{"command": "rename", "old_path": "/memories/a", "new_path": "` + path + `"}`,
		} {
			got, err := tool.Handle(context.Background(), []byte(call))
			if err != nil || !got.IsError {
				t.Errorf("%s: %v, %v", call, got, err)
			}
		}
	}
	for _, call := range []string{
		``, `[]`, `"view"`, `{"command": "view", "path": 3}`, `{"command": "list"}`, `{"path": "/memories"}`, `{"command": "view"}`,
		`{"command": "create", "path": "/memories/b.md"}`, `{"command": "str_replace", "path": "/memories/a", "new_str": "y"}`,
		`{"command": "str_replace", "path": "/memories/a", "old_str": "", "new_str": "y"}`, `{"command": "insert", "path": "/memories/a", "insert_text": "y"}`,
		`{"command": "insert", "path": "/memories/a", "insert_line": 0}`, `{"command": "insert", "path": "/memories/a", "insert_line": -1, "insert_text": "y"}`,
		`{"command": "view", "path": "/memories/a", "view_range": [1]}`, `{"command": "view", "path": "/memories/a/"}`, `{"command": "delete", "path": "/memories/a/"}`,
		`{"command": "rename", "old_path": "/memories/a", "new_path": "/memories/a"}`, `{"command": "rename", "old_path": "/memories", "new_path": "/memories/b"}`,
		`{"command": "create", "path": "/memories/A", "file_text": "another on some disks"}`,
		`{"command": "create", "path": "/memories/keys.md", "file_text": "token ghp_` + strings.Repeat("a1B2", 9) + `"}`,
		`{"command": "create", "path": "/memories/big.md", "file_text": "` + strings.Repeat("x", 1<<20) + `"}`,
		`{"command": "create", "path": "/memories/nul.md", "file_text": "a\u0000b"}`,
		"{\"command\": \"create\", \"path\": \"/memories/caf\xe9.md\", \"file_text\": \"x\"}", "{\"command\": \"create\", \"path\": \"/memories/cafe.md\", \"file_text\": \"\xe9\"}",
	} {
		got, err := tool.Handle(context.Background(), []byte(call))
		if err != nil || !got.IsError {
			t.Errorf("%.200s: %v, %v", call, got, err)
		}
	}
	says(t, tool, `{"command": "view", "path": "/memories"}`,
		"Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n1B\t/memories\n1B\t/memories/a")
}

// A link in the directory of notes leads nowhere.
func TestLinksAreNotFollowed(t *testing.T) {
	home, outside := t.TempDir(), t.TempDir()
	notes := filepath.Join(home, "global", "notes")
	if err := os.MkdirAll(notes, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "there.md"), []byte("theirs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"dir": outside, "file.md": filepath.Join(outside, "there.md")} {
		if err := os.Symlink(to, filepath.Join(notes, name)); err != nil {
			t.Skip("links cannot be made here")
		}
	}
	tool := tool(open(t, home))
	says(t, tool, `{"command": "view", "path": "/memories/dir/there.md"}`, "Error: The path /memories/dir/there.md does not exist. Please provide a valid path.")
	says(t, tool, `{"command": "view", "path": "/memories/file.md"}`, "Error: The path /memories/file.md does not exist. Please provide a valid path.")
	for _, path := range []string{"/memories/dir/new.md", "/memories/file.md"} {
		got, err := tool.Handle(context.Background(), []byte(`{"command": "create", "path": "`+path+`", "file_text": "ours"}`))
		if err != nil || !got.IsError {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
	entries, err := os.ReadDir(outside)
	if data, _ := os.ReadFile(filepath.Join(outside, "there.md")); err != nil || len(entries) != 1 || string(data) != "theirs\n" {
		t.Errorf("outside: %v, %q, %v", entries, data, err)
	}
}

// Notes that others wrote are files like any other; their front matter stays.
func TestNotesOfOthers(t *testing.T) {
	home := t.TempDir()
	notes := filepath.Join(home, "global", "notes")
	const front = "---\nname: How we deploy # the title\ndescription: before a release\ntype: user\n---\n"
	files := map[string]string{
		"user_deploys.md": front + "Staging first.\n",
		"bare.md":         "# Only a text\n\nof mine\n",
		"broken.md":       "---\nname: [\n---\nno\n",
	}
	if err := os.MkdirAll(notes, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(notes, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mem := open(t, home)
	tool := tool(mem)
	says(t, tool, `{"command": "view", "path": "/memories/user_deploys.md"}`, "Here's the content of /memories/user_deploys.md with line numbers:\n     1\tStaging first.\n     2\t")
	says(t, tool, `{"command": "insert", "path": "/memories/user_deploys.md", "insert_line": 0, "insert_text": "\n"}`, "The file /memories/user_deploys.md has been edited.")
	says(t, tool, `{"command": "view", "path": "/memories/user_deploys.md"}`, "Here's the content of /memories/user_deploys.md with line numbers:\n     1\t\n     2\tStaging first.\n     3\t")
	says(t, tool, `{"command": "str_replace", "path": "/memories/bare.md", "old_str": "mine", "new_str": "ours"}`,
		"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\t# Only a text\n     2\t\n     3\tof ours\n     4\t")
	says(t, tool, `{"command": "view", "path": "/memories/broken.md"}`, "Here's the content of /memories/broken.md with line numbers:\n     1\tno\n     2\t")
	got2, err := tool.Handle(context.Background(), []byte(`{"command": "insert", "path": "/memories/broken.md", "insert_line": 0, "insert_text": "x"}`))
	if err != nil || !got2.IsError || !strings.Contains(got2.Content, "front matter") {
		t.Errorf("a note with broken front matter: %v, %v", got2, err)
	}
	if _, err := mem.Sync(context.Background(), strata.Global().View()); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(notes, "user_deploys.md"))
	if err != nil || !strings.HasPrefix(string(got), "---\nname: How we deploy # the title\ndescription: before a release\ntype: user\n") || !strings.HasSuffix(string(got), "---\n\n\nStaging first.\n") {
		t.Errorf("the note became\n%s", got)
	}
}

var (
	names   = []string{"a.md", "b.txt", "c", "x_.md", "projects"}
	phrases = []string{"", "\n", "one\ntwo\n", "two", "---\nname: x\n---\n\nbody", "\n\nlate", "# Head\n\ntwo two\r\n", "日本語\n", "no end\n\n\n"}
)

// callOf draws a call with a sound path.
func callOf(t *rapid.T) memorytool.Call {
	place := rapid.Custom(func(t *rapid.T) string {
		p := "/memories"
		for range rapid.IntRange(0, 3).Draw(t, "depth") {
			dir := rapid.SampledFrom([]string{"projects", "c", "d"}).Draw(t, "directory")
			p += "/" + dir
		}
		if rapid.IntRange(0, 4).Draw(t, "which") > 0 {
			p += "/" + rapid.SampledFrom(names).Draw(t, "name")
		}
		return p
	})
	text := rapid.SampledFrom(phrases)
	c := memorytool.Call{Command: rapid.SampledFrom([]string{"view", "view", "create", "create", "create", "str_replace", "insert", "insert", "delete", "rename"}).Draw(t, "command")}
	if c.Command == "rename" {
		c.OldPath, c.NewPath = place.Draw(t, "from"), place.Draw(t, "to")
		return c
	}
	c.Path = place.Draw(t, "path")
	switch c.Command {
	case "view":
		if rapid.Bool().Draw(t, "ranged") {
			c.ViewRange = []int{rapid.IntRange(-1, 5).Draw(t, "first"), rapid.IntRange(-1, 6).Draw(t, "last")}
		}
	case "create":
		s := text.Draw(t, "text")
		c.FileText = &s
	case "str_replace":
		old, with := rapid.SampledFrom([]string{"two", "\n", "one\n", "---", "x"}).Draw(t, "old"), text.Draw(t, "new")
		c.OldStr, c.NewStr = &old, &with
	case "insert":
		line, s := rapid.IntRange(-1, 6).Draw(t, "line"), text.Draw(t, "text")
		c.InsertLine, c.InsertText = &line, &s
	}
	return c
}

// Whatever a model does, the tool answers as a file system would, and the files on the
// disk say the same once they followed.
func TestAnswersAsAFileSystem(t *testing.T) {
	home := t.TempDir()
	mem := open(t, home)
	agent := 0
	rapid.Check(t, func(t *rapid.T) {
		agent++
		scope := strata.ForAgent(fmt.Sprintf("a%d", agent))
		tool, model := memorytool.New(mem, memorytool.Options{Scope: scope}), disk{}
		for range rapid.IntRange(1, 15).Draw(t, "calls") {
			c := callOf(t)
			input, _ := json.Marshal(c)
			got, err := tool.Handle(context.Background(), input)
			if err != nil {
				t.Fatalf("%s: %v", input, err)
			}
			if want := model.run(c); got != want {
				t.Fatalf("%s\nis answered\n%s\nwant\n%s", input, got, want)
			}
			if rapid.IntRange(0, 9).Draw(t, "look") == 0 {
				look(t, mem, scope)
			}
		}
		look(t, mem, scope)
		for rel, text := range model {
			got, err := tool.Run(context.Background(), memorytool.Call{Command: "view", Path: "/memories/" + rel})
			if want := model.run(memorytool.Call{Command: "view", Path: "/memories/" + rel}); err != nil || got != want {
				t.Fatalf("%s of %q, after the files were read: %v, %v", rel, text, got, err)
			}
		}
	})
}

// look reads the files, which makes nothing of what memory wrote itself.
func look(t *rapid.T, mem *engine.Engine, scope strata.Scope) {
	report, err := mem.Sync(context.Background(), scope.View())
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Changes) > 0 {
		t.Fatalf("taken for changes by hand: %+v", report.Changes)
	}
}

// Calls that come at once are carried out one after the other.
func TestCallsAtOnce(t *testing.T) {
	tool := tool(open(t, t.TempDir()))
	says(t, tool, `{"command": "create", "path": "/memories/log.md", "file_text": ""}`, "File created successfully at: /memories/log.md")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			got, err := tool.Handle(context.Background(), fmt.Appendf(nil, `{"command": "insert", "path": "/memories/log.md", "insert_line": 0, "insert_text": "line %d"}`, i))
			if err != nil || got.IsError {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	all.Wait()
	got, err := tool.Handle(context.Background(), []byte(`{"command": "view", "path": "/memories/log.md"}`))
	for i := range 8 {
		if err != nil || !strings.Contains(got.Content, fmt.Sprintf("line %d", i)) {
			t.Fatalf("line %d is not in\n%s\n%v", i, got, err)
		}
	}
}
