package server

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
)

var update = flag.Bool("update", false, "rewrite generated files")

// The types of the TypeScript client are those that /openapi.json describes.
func TestTypeScriptKnowsEveryOperation(t *testing.T) {
	const file = "../clients/typescript/src/operations.ts"
	want := typeScript(ops.All())
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is not what the operations declare (%v): go test ./server -run TypeScript -update", file, err)
	}
}

// typeScript declares the input and output of operations.
func typeScript(all []operation.Operation) string {
	var b strings.Builder
	b.WriteString("// Made from the operations by: go test ./server -run TypeScript -update\n\n")
	every := &schema.Schema{Type: "object", Properties: propertiesOf(furtherFields(operation.Info{}))}
	fmt.Fprintf(&b, "/** What the input of every operation takes. */\nexport type Where = %s;\n\n", typeOf(every, ""))
	b.WriteString("/** Every operation, by its name. */\nexport interface Operations {\n")
	var reading, writing []string
	for _, op := range all {
		info := op.About()
		writeDoc(&b, "  ", info.Summary)
		in := inputSchema(op)
		in.Properties = slices.DeleteFunc(in.Properties, func(p schema.Property) bool { return p.Name == scopeField || p.Name == aboveField })
		fmt.Fprintf(&b, "  %s: {\n    input: Where & %s;\n    output: %s;\n  };\n",
			info.Name, typeOf(in, "    "), typeOf(schema.Tree(op.Outputs(), false), "    "))
		if info.Reads != "" {
			reading = append(reading, `"`+info.Name+`"`)
		}
		if info.Writes != "" {
			writing = append(writing, `"`+info.Name+`"`)
		}
	}
	b.WriteString("}\n\n/** The name of an operation. */\nexport type Operation = keyof Operations;\n\n")
	b.WriteString("export type Input<Name extends Operation> = Operations[Name][\"input\"];\n")
	b.WriteString("export type Output<Name extends Operation> = Operations[Name][\"output\"];\n\n")
	fmt.Fprintf(&b, "/** Operations that read lines. */\nexport type LinesIn = %s;\n", strings.Join(reading, " | "))
	fmt.Fprintf(&b, "/** Operations that write lines. */\nexport type LinesOut = %s;\n", strings.Join(writing, " | "))
	return b.String()
}

// plain matches the names of properties that need no quotes.
var plain = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// typeOf is the type of what a schema allows.
func typeOf(s *schema.Schema, indent string) string {
	switch {
	case len(s.Enum) > 0:
		return `"` + strings.Join(s.Enum, `" | "`) + `"`
	case s.Type == "array" && len(s.Items.Enum) > 0:
		return "(" + typeOf(s.Items, indent) + ")[]"
	case s.Type == "array":
		return typeOf(s.Items, indent) + "[]"
	case s.Type == "integer":
		return "number"
	case s.Type != "object":
		return s.Type
	case len(s.Properties) == 0 && s.Closed:
		return "{}"
	case len(s.Properties) == 0:
		return "Record<string, unknown>"
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, p := range s.Properties {
		name, optional := p.Name, "?"
		if !plain.MatchString(name) {
			name = `"` + name + `"`
		}
		if p.Required {
			optional = ""
		}
		writeDoc(&b, indent+"  ", p.Schema.Description)
		fmt.Fprintf(&b, "%s  %s%s: %s;\n", indent, name, optional, typeOf(p.Schema, indent+"  "))
	}
	return b.String() + indent + "}"
}

func writeDoc(b *strings.Builder, indent, doc string) {
	if doc != "" {
		fmt.Fprintf(b, "%s/** %s. */\n", indent, strings.TrimSuffix(strings.ReplaceAll(doc, "*/", "*\\/"), "."))
	}
}
