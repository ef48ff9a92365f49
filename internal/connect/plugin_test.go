package connect

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The plugin of opencode is a file of its own, which goes as a whole; one that somebody
// else wrote is left alone.
func TestPluginOfOpencode(t *testing.T) {
	sys, cl := desk(t), client(t, "opencode")
	s := Server{Command: "/opt/my tools/strata", Args: []string{"--home", "/h", "mcp"}}
	list, err := cl.Plan(sys, s)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, c := range list {
		if _, err := c.Apply(now); err != nil {
			t.Fatal(err)
		}
	}
	file := cl.settings(sys)
	if text := get(t, file); strings.Count(text, `const strata = ["/opt/my tools/strata","--home","/h"];`) != 1 {
		t.Errorf("the plugin is\n%s", text)
	}
	if got, there, err := (plugin{}).get(get(t, file)); !there || err != nil || got.Command != s.Command || len(got.Args) != 2 {
		t.Errorf("%v %v %v", got, there, err)
	}
	if again, err := cl.Plan(sys, s); err != nil || !again[1].Done() {
		t.Errorf("again: %v", err)
	}
	back, err := cl.PlanRemoval(sys)
	if err != nil {
		t.Fatal(err)
	}
	if backup, err := back[1].Apply(now); err != nil || exists(file) || !exists(backup) {
		t.Errorf("removed: %v", err)
	}
	put(t, file, "export default {}\n", 0o600)
	if list, err := cl.Plan(sys, s); err == nil || !strings.Contains(err.Error(), "not of Strata") {
		t.Errorf("a plugin of somebody else: %+v, %v", list, err)
	}
}

// Both generations of opencode load the plugin, and it calls the hooks.
func TestPluginRuns(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, in which the plugin runs")
	}
	dir := t.TempDir()
	// A stand-in for strata answers hooks with their name, and keeps what it gets.
	stand := filepath.Join(dir, "strata")
	put(t, stand, `#!/bin/sh
case "$*" in
*"hook "*) cat >/dev/null; printf '{"hookSpecificOutput":{"additionalContext":"%s"}}' "$4" ;;
*ingest*) cat >"$(dirname "$0")/kept.tmp"; mv "$(dirname "$0")/kept.tmp" "$(dirname "$0")/kept.json" ;;
esac
`, 0o700)
	text, err := plugin{}.set("", Server{Command: stand, Args: []string{"--home", "h", "mcp"}})
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "strata.mjs"), strings.Replace(text, "patience = 500", "patience = 60000", 1), 0o600)
	put(t, filepath.Join(dir, "check.mjs"), pluginCheck, 0o600)
	for _, generation := range []string{"server", "setup"} {
		cmd := exec.Command(node, "check.mjs", generation)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "session-start prompt\n" {
			t.Fatalf("%s: %v\n%s", generation, err, out)
		}
		kept := get(t, filepath.Join(dir, "kept.json"))
		for _, want := range []string{`"id":"s1"`, `"role":"user"`, `"text":"Which port?"`, `"role":"assistant"`, `"text":"8443"`, `"tool":"bash"`} {
			if !strings.Contains(kept, want) {
				t.Errorf("%s: %s is not in %s", generation, want, kept)
			}
		}
		if err := os.Remove(filepath.Join(dir, "kept.json")); err != nil {
			t.Fatal(err)
		}
	}
}

// pluginCheck does as opencode does, and prints what the model is told.
const pluginCheck = `
import { existsSync, watch } from "node:fs";
import plugin from "./strata.mjs";
const time = { created: 1, completed: 2 };
const kept = new Promise((done) => {
  const w = watch(".", () => existsSync("kept.json") && (w.close(), done()));
});
const bash = { status: "completed", input: { command: "ls" }, output: "a" };
if (process.argv[2] === "server") {
  const messages = [
    { info: { id: "m1", role: "user", time }, parts: [{ type: "text", text: "Which port?" }] },
    { info: { id: "m2", role: "assistant", time }, parts: [{ type: "tool", tool: "bash", callID: "c", state: bash }, { type: "text", text: "8443" }] },
  ];
  const session = { get: async () => ({ data: { id: "s1", directory: "." } }), messages: async () => ({ data: messages }) };
  const hooks = await plugin.server({ client: { session }, directory: "." });
  await hooks["chat.message"]({ sessionID: "s1" }, { parts: [{ type: "text", text: "Which port?" }] });
  const system = [];
  await hooks["experimental.chat.system.transform"]({ sessionID: "s1" }, { system });
  await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s1" } } });
  await hooks.event({ event: { type: "session.idle", properties: null } });
  console.log(system.join(" "));
} else {
  const hooks = {};
  const said = [
    { id: "m0", type: "system", text: "x" },
    { id: "m1", type: "user", text: "Which port?", time },
    { id: "m2", type: "assistant", content: [{ type: "tool", id: "c", name: "bash", state: bash }, { type: "text", text: "8443" }], time },
  ];
  const ctx = {
    location: { directory: "." },
    session: { hook: async (name, f) => (hooks[name] = f), context: async () => said },
    event: { subscribe: async function* () { yield { type: "session.execution.succeeded", data: { sessionID: "s1" } }; } },
  };
  await plugin.setup(ctx);
  await hooks.prompt({ sessionID: "s1", prompt: { text: "Which port?" } });
  const event = { sessionID: "s1", system: [] };
  await hooks.context(event);
  await hooks.prompt({ sessionID: "s1" });
  console.log(event.system.map((s) => s.text).join(" "));
}
await kept;
`
