package connect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
)

var server = Server{Command: "strata", Args: []string{"mcp"}}

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// desk is a system in a directory of its own.
func desk(t testing.TB) System {
	t.Helper()
	home := t.TempDir()
	return System{OS: "linux", Home: home, Getenv: func(string) string { return "" }}
}

func client(t testing.TB, id string) Client {
	t.Helper()
	for _, c := range Clients() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no client %s", id)
	return Client{}
}

// planned is the change of a client's entry.
func planned(t testing.TB, c Client, sys System) (Change, error) {
	t.Helper()
	list, err := c.Plan(sys, server)
	return list[0], err
}

func put(t testing.TB, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// What is written is what the documentation of each client shows, and around it nothing
// changes.
func TestEntries(t *testing.T) {
	for _, c := range []struct{ client, before, after string }{
		{"claude-code", "", `{
  "mcpServers": {
    "strata": {
      "type": "stdio",
      "command": "strata",
      "args": ["mcp"]
    }
  }
}
`},
		{"claude-desktop", "{}", `{
  "mcpServers": {
    "strata": {
      "command": "strata",
      "args": ["mcp"]
    }
  }
}`},
		{"cursor", "{\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\": \"x\"}\n\t}\n}\n",
			"{\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\": \"x\"},\n\t\t\"strata\": {\n\t\t\t\"command\": \"strata\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}\n"},
		{"zed", "// Zed settings\n{\n  // The theme.\n  \"theme\": \"One Dark\", // dark\n}\n",
			"// Zed settings\n{\n  // The theme.\n  \"theme\": \"One Dark\", // dark\n  \"context_servers\": {\n    \"strata\": {\n      \"command\": \"strata\",\n      \"args\": [\"mcp\"]\n    }\n  },\n}\n"},
		{"opencode", `{"theme": "x"}`, "{\"theme\": \"x\",\n  \"mcp\": {\n    \"strata\": {\n      \"type\": \"local\",\n      \"command\": [\"strata\", \"mcp\"],\n      \"enabled\": true\n    }\n  }\n}"},
		{"vscode", "", `{
  "servers": {
    "strata": {
      "type": "stdio",
      "command": "strata",
      "args": ["mcp"]
    }
  }
}
`},
		{"gemini", `{"mcpServers": {"strata": {"command": "old"}}, "selectedAuthType": "x"}`,
			"{\"mcpServers\": {\"strata\": {\n      \"command\": \"strata\",\n      \"args\": [\"mcp\"]\n    }}, \"selectedAuthType\": \"x\"}"},
		{"codex", "model = \"o3\"\n", "model = \"o3\"\n\n[mcp_servers.strata]\ncommand = \"strata\"\nargs = [\"mcp\"]\n"},
		{"codex", "", "[mcp_servers.strata]\ncommand = \"strata\"\nargs = [\"mcp\"]\n"},
		{"codex", "[mcp_servers.strata]\ncommand = \"old\"\n\n[mcp_servers.strata.env]\nA = \"b\"\n\n# The other one.\n[mcp_servers.other]\ncommand = \"x\"\n",
			"[mcp_servers.strata]\ncommand = \"strata\"\nargs = [\"mcp\"]\n\n# The other one.\n[mcp_servers.other]\ncommand = \"x\"\n"},
	} {
		sys := desk(t)
		cl := client(t, c.client)
		if c.before != "" {
			put(t, cl.File(sys), c.before, 0o600)
		}
		change, err := planned(t, cl, sys)
		if err != nil {
			t.Errorf("%s: %v", c.client, err)
			continue
		}
		if change.After != c.after {
			t.Errorf("%s of %q:\n%s\nwant\n%s", c.client, c.before, change.After, c.after)
		}
		if _, err := change.Apply(now); err != nil {
			t.Errorf("%s: %v", c.client, err)
		}
		if got, there, err := cl.Entry(sys); !there || !got.Equal(server) || err != nil {
			t.Errorf("%s afterwards: %v %v %v", c.client, got, there, err)
		}
		if again, err := planned(t, cl, sys); err != nil || !again.Done() || again.Diff() != "" {
			t.Errorf("%s again: %+v, %v", c.client, again, err)
		}
	}
}

// An entry that is taken out leaves what was there before it was put in.
func TestRemovalBringsTheFileBack(t *testing.T) {
	for id, texts := range map[string][]string{
		"cursor": {"{\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  }\n}\n", "{\"mcpServers\": {}, \"a\": [1, 2]}", "// c\n{\n  \"mcpServers\": {\n    // d\n    \"other\": {}, // e\n  },\n}\n"},
		"codex":  {"model = \"o3\"\n", "a = 1\n\n[mcp_servers.other] # b\ncommand = \"x\"\n"},
	} {
		for _, text := range texts {
			sys, cl := desk(t), client(t, id)
			put(t, cl.File(sys), text, 0o644)
			change, err := planned(t, cl, sys)
			if err != nil {
				t.Fatalf("%s of %q: %v", id, text, err)
			}
			backup, err := change.Apply(now)
			if err != nil || get(t, backup) != text {
				t.Errorf("%s: the backup of %q is %q, %v", id, text, get(t, backup), err)
			}
			if info, _ := os.Stat(cl.File(sys)); info.Mode().Perm() != 0o644 {
				t.Errorf("%s: the mode became %v", id, info.Mode())
			}
			back, err := cl.PlanRemoval(sys)
			if err != nil {
				t.Fatal(err)
			}
			if back[0].After != text {
				t.Errorf("%s:\n%s\nwant\n%s", id, back[0].After, text)
			}
		}
	}
}

// A file that is not what the client reads is left alone, and so is one that may not be
// written.
func TestFilesThatAreLeftAlone(t *testing.T) {
	for _, c := range []struct{ client, text string }{
		{"cursor", `{"mcpServers": `}, {"cursor", `[1]`}, {"cursor", `{"mcpServers": 1}`},
		{"codex", "model = "}, {"codex", "mcp_servers = {other = {command = \"x\"}}\n"}, {"codex", "mcp_servers.strata.command = \"x\"\n"},
	} {
		sys, cl := desk(t), client(t, c.client)
		put(t, cl.File(sys), c.text, 0o600)
		_, err := planned(t, cl, sys)
		if strata.CodeOf(err) != strata.CodeInvalid || get(t, cl.File(sys)) != c.text {
			t.Errorf("%s of %q: %v", c.client, c.text, err)
		}
	}
	sys, cl := desk(t), client(t, "cursor")
	put(t, cl.File(sys), "{}", 0o400)
	change, err := planned(t, cl, sys)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 { // to whom nothing is read-only
		if _, err := change.Apply(now); strata.CodeOf(err) != strata.CodeUnavailable || get(t, cl.File(sys)) != "{}" {
			t.Errorf("a file that is read-only: %v", err)
		}
	}
	if err := os.Remove(cl.File(sys)); err != nil {
		t.Fatal(err)
	}
	put(t, cl.File(sys), `{"a": 1}`, 0o600)
	if _, err := change.Apply(now); strata.CodeOf(err) != strata.CodeConflict || get(t, cl.File(sys)) != `{"a": 1}` {
		t.Errorf("a file that changed meanwhile: %v", err)
	}
}

// A configuration that is a link stays one: many keep theirs in a repository.
func TestLinksStay(t *testing.T) {
	sys, cl := desk(t), client(t, "cursor")
	real := filepath.Join(sys.Home, "dotfiles", "mcp.json")
	put(t, real, "{}", 0o600)
	if err := os.MkdirAll(filepath.Dir(cl.File(sys)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, cl.File(sys)); err != nil {
		t.Skip("links cannot be made here")
	}
	change, err := planned(t, cl, sys)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := change.Apply(now); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(cl.File(sys))
	if err != nil || info.Mode()&os.ModeSymlink == 0 || !strings.Contains(get(t, real), "strata") {
		t.Errorf("the link became %v, %v", info.Mode(), err)
	}
}

// Whatever else is in a file of JSON is there afterwards, in the same bytes and order.
func TestOthersKeepTheirBytes(t *testing.T) {
	word := rapid.StringMatching(`[a-z]{1,6}`)
	gap := rapid.SampledFrom([]string{"", " ", "\n", "\n\t", " // note\n", "/* } */", "\r\n  "})
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		names := rapid.SliceOfNDistinct(word, 0, 5, rapid.ID[string]).Draw(t, "names")
		b.WriteString(gap.Draw(t, "gap") + "{")
		for i, n := range names {
			value := rapid.SampledFrom([]string{"1", `"x"`, "[1, 2]", "{}", `{"a": {"b": null}}`, `{"strata": 1}`}).Draw(t, "value")
			b.WriteString(gap.Draw(t, "gap") + `"` + n + `"` + gap.Draw(t, "gap") + ":" + gap.Draw(t, "gap") + value)
			if i+1 < len(names) || rapid.Bool().Draw(t, "trailing") {
				b.WriteString(gap.Draw(t, "gap") + ",")
			}
		}
		b.WriteString(gap.Draw(t, "gap") + "}" + gap.Draw(t, "gap"))
		before := b.String()
		if len(names) > 0 && rapid.Bool().Draw(t, "into one of them") {
			names = names[:1]
		} else {
			names = []string{"mcpServers"}
		}
		f := standard{at: names}
		after, err := f.set(before, server)
		if err != nil {
			if _, parse := hujson.Parse([]byte(before)); parse == nil && !strings.Contains(err.Error(), "not an object") {
				t.Fatalf("%s: %v", before, err)
			}
			return
		}
		if got, there, err := f.get(after); !there || !got.Equal(server) || err != nil {
			t.Fatalf("%s\nbecame\n%s\n%v %v %v", before, after, got, there, err)
		}
		removed, err := f.remove(after)
		if err != nil {
			t.Fatal(err)
		}
		want, got := plain(t, before), plain(t, removed)
		servers, _ := want[names[0]].(map[string]any)
		if servers == nil {
			servers = map[string]any{}
		}
		delete(servers, Name)
		want[names[0]] = servers
		x, _ := json.Marshal(want)
		y, _ := json.Marshal(got)
		if string(x) != string(y) {
			t.Fatalf("%s\nbecame\n%s\nand\n%s", before, after, removed)
		}
		for _, note := range []string{"// note", "/* } */"} {
			if strings.Count(before, note) != strings.Count(removed, note) {
				t.Fatalf("a comment of\n%s\nis not in\n%s", before, removed)
			}
		}
	})
}

func plain(t *rapid.T, text string) (v map[string]any) {
	data, err := hujson.Standardize([]byte(text))
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// Tables of TOML before and behind ours keep their bytes.
func TestOtherTablesKeepTheirBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"# note\n[profiles.a]\nmodel = \"x\"\n", "[mcp_servers.other]\ncommand = 'C:\\x'\n", "\n\n[history]\nmax = 1 # [x]\n", "[mcp_servers.\"strata-2\"]\ncommand = \"y\"\n"}), 0, 4).Draw(t, "tables")
		seen := map[string]bool{}
		before := rapid.SampledFrom([]string{"", "model = \"o3\"\n", "# only a note\n"}).Draw(t, "first")
		for _, p := range parts {
			if !seen[p] {
				before += p
			}
			seen[p] = true
		}
		after, err := codex{}.set(before, Server{Command: `C:\Program Files\strata.exe`, Args: []string{"--home", "it's", "mcp"}})
		if err != nil {
			t.Fatalf("%s: %v", before, err)
		}
		removed, err := codex{}.remove(after)
		if err != nil || strings.TrimSpace(removed) != strings.TrimSpace(before) {
			t.Fatalf("%q\nbecame\n%q\nand\n%q, %v", before, after, removed, err)
		}
		var v map[string]any
		if err := toml.Unmarshal([]byte(after), &v); err != nil {
			t.Fatal(err)
		}
	})
}

// Clients keep their files where each system has them.
func TestPlaces(t *testing.T) {
	env := map[string]string{"APPDATA": "/roaming", "CODEX_HOME": "/codex", "CLAUDE_CONFIG_DIR": "/claude", "XDG_CONFIG_HOME": "relative"}
	sys := func(os string, env map[string]string) System {
		return System{OS: os, Home: "/u", Getenv: func(k string) string { return env[k] }}
	}
	for _, c := range []struct {
		client, os string
		env        map[string]string
		want       string
	}{
		{"claude-code", "linux", nil, "/u/.claude.json"}, {"claude-code", "linux", env, "/claude/.claude.json"},
		{"claude-desktop", "darwin", nil, "/u/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", "windows", env, "/roaming/Claude/claude_desktop_config.json"},
		{"claude-desktop", "linux", env, "/u/.config/Claude/claude_desktop_config.json"},
		{"codex", "linux", env, "/codex/config.toml"}, {"codex", "linux", nil, "/u/.codex/config.toml"},
		{"cursor", "darwin", nil, "/u/.cursor/mcp.json"}, {"gemini", "linux", nil, "/u/.gemini/settings.json"},
		{"opencode", "darwin", nil, "/u/.config/opencode/opencode.json"},
		{"vscode", "darwin", nil, "/u/Library/Application Support/Code/User/mcp.json"}, {"vscode", "linux", nil, "/u/.config/Code/User/mcp.json"},
		{"zed", "darwin", nil, "/u/.config/zed/settings.json"}, {"zed", "windows", env, "/roaming/Zed/settings.json"},
	} {
		if got := filepath.ToSlash(client(t, c.client).File(sys(c.os, c.env))); got != c.want {
			t.Errorf("%s on %s: %s, want %s", c.client, c.os, got, c.want)
		}
	}
}

// A hook is Strata's if it calls Strata, not if it has a word in common with that.
func TestHooksOfOthersAreLeftToThem(t *testing.T) {
	self, err := os.Executable() // may have another name than strata
	if err != nil {
		t.Fatal(err)
	}
	sys, cl := desk(t), client(t, "claude-code")
	for line, ours := range map[string]bool{
		"strata hook stop": true, "/opt/bin/strata --home /h hook stop": true, "'/opt/my tools/strata' hook stop": true,
		`"/opt/my tools/strata" --home "/my home" hook stop`: true, `'C:\tools\strata.exe' hook stop`: true, quoteShell(self) + " hook stop": true,
		"/srv/strata/bin/notify hook stop": false, "notify --after strata hook stop": false, "strata-guard hook stop": false,
		"substrata hook stop": false, "strata hook stop; notify": false, "notify; strata hook stop": false, "strata save hook stop": false,
		"strata hook halt": false, "'strata hook stop": false, "": false,
	} {
		group, err := json.Marshal(hookGroup{Hooks: []hookCommand{{Type: "command", Command: line}}})
		if err != nil {
			t.Fatal(err)
		}
		put(t, cl.settings(sys), `{"hooks": {"Stop": [`+string(group)+`]}}`, 0o600)
		list, err := cl.PlanRemoval(sys)
		if err != nil || list[1].Done() == ours {
			t.Errorf("%s is taken for Strata's: %t, %v", line, !list[1].Done(), err)
		}
	}
}

// Hooks stand beside those of others, and go without them.
func TestHooksOfClaudeCode(t *testing.T) {
	const others = `{
  // mine
  "model": "opus",
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]} // keep
    ],
    "PreToolUse": []
  }
}
`
	for _, before := range []string{"", "{}\n", others, "{\n  \"model\": \"opus\"\n}\n"} {
		sys, cl := desk(t), client(t, "claude-code")
		if before != "" {
			put(t, cl.settings(sys), before, 0o600)
		}
		list, err := cl.Plan(sys, Server{Command: "/opt/my tools/strata", Args: []string{"--home", "/h", "mcp"}})
		if err != nil || len(list) != 2 {
			t.Fatalf("%+v, %v", list, err)
		}
		after := list[1].After
		for _, want := range []string{
			`"command": "'/opt/my tools/strata' --home /h hook session-start"`, `hook prompt"`, `"matcher": "Edit|MultiEdit|Write|NotebookEdit|Bash"`,
			`hook pre-tool"`, `hook pre-compact"`, `hook stop"`, `hook session-end"`,
		} {
			if strings.Count(after, want) != 1 {
				t.Errorf("%s is not once in\n%s", want, after)
			}
		}
		if before == others && (!strings.Contains(after, "say done") || !strings.Contains(after, "// keep") || !strings.Contains(after, "// mine")) {
			t.Errorf("what others had is not in\n%s", after)
		}
		if _, err := list[1].Apply(now); err != nil {
			t.Fatal(err)
		}
		list, err = cl.Plan(sys, Server{Command: "/opt/my tools/strata", Args: []string{"--home", "/h", "mcp"}})
		if err != nil || !list[1].Done() {
			t.Errorf("again: %v\n%s", err, list[1].Diff())
		}
		list, err = cl.Plan(sys, server) // another place
		if err != nil || strings.Contains(list[1].After, "/opt") || strings.Count(list[1].After, "strata hook stop") != 1 {
			t.Errorf("of another program: %v\n%s", err, list[1].After)
		}
		list, err = cl.PlanRemoval(sys)
		if err != nil || strings.Contains(list[1].After, "strata") || before == others && (!strings.Contains(list[1].After, "say done") || !strings.Contains(list[1].After, "// mine")) {
			t.Errorf("removed: %v\n%s", err, list[1].After)
		}
	}
}
