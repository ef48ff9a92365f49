package mcp

import (
	"encoding/json"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// What a tool is called with comes back short, and on a line, if at all.
func TestNoToolRepeatsWhatItIsCalledWith(t *testing.T) {
	// An answer may show the character by its code, which JSON writes with two backslashes.
	broken := regexp.MustCompile(`Q\\{1,2}[rn]|S\\{1,2}u2028|S\x{2028}|U\\u202e|U\x{202e}`)
	cs := connect(t, New(open(t), Options{Tools: operation.AllTools}))
	for _, tool := range ops.Tools(operation.AllTools) {
		_, example, _ := strings.Cut(tool.Description, " Example: ")
		for _, p := range tool.Input.Properties {
			for _, value := range []string{strings.Repeat("Q", 20_000), "Q\r\nR\u0085S\u2028T\x07U\u202eV"} {
				in := make(map[string]any)
				if err := json.Unmarshal([]byte(example), &in); err != nil {
					t.Fatal(err)
				}
				switch p.Schema.Type {
				case "string":
					in[p.Name] = value
				case "array":
					in[p.Name] = []string{value}
				default:
					in[p.Name] = value // of another type than it should be
				}
				res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: maps.Clone(in)})
				if err != nil {
					t.Fatal(err)
				}
				data, err := json.Marshal(res)
				if err != nil {
					t.Fatal(err)
				}
				if len(data) > 8000 {
					t.Errorf("%s with a long %s: %d bytes: %.200s", tool.Name, p.Name, len(data), data)
				}
				if found := broken.Find(data); found != nil {
					t.Errorf("%s with a broken %s: %q in %.600s", tool.Name, p.Name, found, data)
				}
			}
		}
	}
}
