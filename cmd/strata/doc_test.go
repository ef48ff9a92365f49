package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/schema"
)

// contract is the document that scripts rely on.
const contract = "../../docs/cli-json.md"

// The tables of the contract are made from the declarations, so that it cannot
// say anything else than the command does.
func TestTheContractFollowsTheDeclarations(t *testing.T) {
	data, err := os.ReadFile(contract)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, part := range []struct{ name, text string }{
		{"errors", errorTable()}, {"settings", settingTable()}, {"operations", operationTables()},
	} {
		begin, end := "<!-- begin "+part.name+" -->\n", "<!-- end "+part.name+" -->"
		before, rest, ok := strings.Cut(text, begin)
		old, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("%s has no part %s", contract, part.name)
		}
		if old != part.text && !*update {
			t.Errorf("the part %s is out of date: run go test ./cmd/strata -update", part.name)
		}
		text = before + begin + part.text + end + after
	}
	if *update {
		if err := os.WriteFile(contract, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func errorTable() string {
	var out strings.Builder
	out.WriteString("| code | exit code | meaning |\n|---|---|---|\n")
	for _, c := range strata.Codes() {
		fmt.Fprintf(&out, "| `%s` | %d | %s |\n", c, c.ExitCode(), c.Meaning())
	}
	return out.String()
}

func settingTable() string {
	var out strings.Builder
	out.WriteString("| setting | flag | variable | default | meaning |\n|---|---|---|---|---|\n")
	for _, s := range config.Settings() {
		flag := ""
		if s.Flag != "" {
			flag = "`--" + s.Flag + "`"
		}
		env := ""
		if s.Env != "" {
			env = "`" + s.Env + "`"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s |\n", s.Name, flag, env, s.Default, s.Doc)
	}
	return out.String()
}

func operationTables() string {
	var out strings.Builder
	for _, op := range ops.All() {
		info := op.About()
		name := strings.Join(info.Words(), " ")
		if info.Name == opSaveBatch || info.Name == opAppend {
			name = "save --batch"
		}
		fmt.Fprintf(&out, "\n### strata %s\n\n%s.", name, info.Summary)
		if info.Description != "" {
			out.WriteString(" " + info.Description)
		}
		out.WriteString("\n\n")
		if info.Name == opSaveBatch || info.Name == opAppend {
			out.WriteString("Each line of the file is one statement: an object with the fields of `save` except `dry_run`, " +
				"and `scope`, a canonical key. Empty lines are skipped. With `-o jsonl` the output is one decision a line.\n\n")
		} else if inputs := op.Inputs(); len(inputs) > 0 {
			out.WriteString("| input | type | meaning |\n|---|---|---|\n")
			for _, f := range inputs {
				fmt.Fprintf(&out, "| %s | %s | %s |\n", inputName(f), f.Type, meaning(f))
			}
			out.WriteString("\n")
		}
		out.WriteString("| output | type | meaning |\n|---|---|---|\n")
		for _, f := range op.Outputs() {
			doc := meaning(f)
			if f.Optional && !strings.Contains(doc, "left out") {
				doc += "; may be missing"
			}
			fmt.Fprintf(&out, "| `%s` | %s | %s |\n", f.Name, f.Type, doc)
		}
	}
	return out.String()
}

// inputName is how an input field is written on a command line.
func inputName(f schema.Field) string {
	if f.Arg {
		return "`" + strings.ToUpper(f.Name) + "`"
	}
	name := "`--" + flagName(f) + "`"
	if f.Short != "" {
		name = "`-" + f.Short + "`, " + name
	}
	return name
}

// meaning is the doc of a field with its default and values.
func meaning(f schema.Field) string {
	doc := f.Doc
	if len(f.Enum) > 0 && !strings.Contains(doc, f.Enum[0]) {
		doc += ": " + strings.Join(f.Enum, ", ")
	}
	if f.Default != "" {
		doc += " (default " + f.Default + ")"
	}
	return strings.ReplaceAll(doc, "|", "\\|")
}
