package mcp

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

var update = flag.Bool("update", false, "rewrite golden files and generated documents")

// The tables of docs/mcp.md cannot say anything else than the declarations do.
func TestTheDocumentFollowsTheDeclarations(t *testing.T) {
	const path, begin, end = "../../docs/mcp.md", "<!-- begin tools -->\n", "<!-- end tools -->"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no part for the tools", path)
	}
	want := toolTables()
	if *update {
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != want {
		t.Errorf("%s is out of date: run go test ./mcpserver -update", path)
	}
}

func toolTables() string {
	var out strings.Builder
	for _, tool := range ops.Tools(operation.AllTools) {
		kind := ""
		switch {
		case tool.ReadOnly:
			kind = " Read-only."
		case tool.Destructive:
			kind = " Destructive."
		}
		set := ""
		if !slices.ContainsFunc(ops.Tools(operation.CoreTools), func(t ops.Tool) bool { return t.Name == tool.Name }) {
			set = " With `--tools all`."
		}
		said, example, _ := strings.Cut(tool.Description, " Example: ")
		fmt.Fprintf(&out, "### %s\n\n%s%s%s Example: `%s`\n\n| input | type | meaning |\n|---|---|---|\n", tool.Name, said, kind, set, example)
		docs := fieldDocs(tool.Name)
		for _, p := range tool.Input.Properties {
			doc := docs[p.Name]
			if doc == "" {
				doc = p.Schema.Description
			}
			fmt.Fprintf(&out, "| `%s` | %s | %s |\n", p.Name, schemaType(p.Schema), meaning(p, doc))
		}
		var names []string
		for _, p := range tool.Output.Properties {
			name := "`" + p.Name + "`"
			if p.Schema.Description != "" {
				name += " (each with `" + strings.ReplaceAll(p.Schema.Description, ", ", "`, `") + "`)"
			}
			names = append(names, name)
		}
		fmt.Fprintf(&out, "\nAnswers with %s.\n\n", strings.Join(names, ", "))
	}
	return out.String()
}

func schemaType(s *schema.Schema) string {
	if s.Items != nil {
		return "list of " + schemaType(s.Items)
	}
	return s.Type
}

// fieldDocs are the docs of the inputs of a tool, which it says in fewer words itself.
func fieldDocs(tool string) map[string]string {
	docs := make(map[string]string)
	for _, op := range ops.All() {
		if op.About().Tool() == tool {
			for _, f := range op.Inputs() {
				docs[f.Name] = f.Doc
			}
		}
	}
	return docs
}

// meaning is the doc of a field with its values and default.
func meaning(p schema.Property, doc string) string {
	enum := p.Schema.Enum
	if p.Schema.Items != nil {
		enum = p.Schema.Items.Enum
	}
	if len(enum) > 0 {
		doc += ": " + strings.Join(enum, ", ")
	}
	if p.Schema.Default != nil {
		doc += fmt.Sprintf(" (default %v)", p.Schema.Default)
	}
	if p.Required {
		doc += "; required"
	}
	return strings.ReplaceAll(doc, "|", "\\|")
}
