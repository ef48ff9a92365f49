package connect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// The plugin for Claude Code has the hooks and the server that connect writes.
func TestPluginOfClaudeCode(t *testing.T) {
	const dir = "../../plugins/claude-code"
	sys, cl := desk(t), client(t, "claude-code")
	list, err := cl.Plan(sys, server)
	if err != nil {
		t.Fatal(err)
	}
	for file, part := range map[string]struct{ want, key string }{
		".mcp.json": {list[0].After, "mcpServers"}, "hooks/hooks.json": {list[1].After, "hooks"},
	} {
		var got, want map[string]any
		if err := json.Unmarshal([]byte(get(t, filepath.Join(dir, file))), &got); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if err := json.Unmarshal([]byte(part.want), &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got[part.key], want[part.key]) {
			t.Errorf("%s has\n%v\nand connect writes\n%v", file, got[part.key], want[part.key])
		}
	}
	var market struct {
		Plugins []struct{ Name, Source string }
	}
	var manifest struct{ Name string }
	if err := json.Unmarshal([]byte(get(t, "../../.claude-plugin/marketplace.json")), &market); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(get(t, filepath.Join(dir, ".claude-plugin", "plugin.json"))), &manifest); err != nil {
		t.Fatal(err)
	}
	if len(market.Plugins) != 1 || market.Plugins[0].Name != manifest.Name {
		t.Fatalf("the marketplace has %+v, the plugin is %s", market.Plugins, manifest.Name)
	}
	if _, err := os.Stat(filepath.Join("..", "..", market.Plugins[0].Source, ".claude-plugin", "plugin.json")); err != nil {
		t.Error(err)
	}
}
