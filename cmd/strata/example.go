package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// examples returns the examples for the help, as command lines.
func (c *opCommand) examples() string {
	var lines []string
	for _, e := range c.info.Examples {
		lines = append(lines, "  # "+e.Doc, "  "+exampleLine(c.op, e))
	}
	if c.info.Name == "save" {
		lines = append(lines,
			"  # a long statement from a file, or from standard input", "  strata save @notes.txt",
			"  # one statement for each JSON line", "  strata save --batch statements.jsonl")
	}
	if c.info.Name == ops.MemoryTool {
		lines = append(lines, "  # calls as a model writes them, objects of JSON on standard input, one answer a line", "  strata memory-tool -o jsonl")
	}
	return strings.Join(lines, "\n")
}

// exampleLine formats the input of an example as a command line.
func exampleLine(op operation.Operation, e operation.Example) string {
	info := op.About()
	words := append([]string{"strata"}, info.Words()...)
	var in map[string]any
	// A test decodes every example.
	_ = json.Unmarshal([]byte(e.Input), &in)
	for _, f := range op.Inputs() {
		v, ok := in[f.Name]
		list, _ := v.([]any)
		switch {
		case !ok:
		case f.Arg && f.List():
			for _, item := range list {
				words = append(words, cmdline.ShellQuote(fmt.Sprint(item)))
			}
		case f.Arg:
			words = append(words, cmdline.ShellQuote(fmt.Sprint(v)))
		case v == true:
			words = append(words, "--"+flagName(f))
		case f.List():
			for _, item := range list {
				words = append(words, "--"+flagName(f), cmdline.ShellQuote(fmt.Sprint(item)))
			}
		default:
			words = append(words, "--"+flagName(f), cmdline.ShellQuote(fmt.Sprint(v)))
		}
	}
	if info.Reads != "" || info.Writes != "" {
		name := "memory"
		for _, f := range op.Inputs() {
			if v, ok := in[f.Name]; ok && f.Arg {
				name = fmt.Sprint(v)
			}
		}
		words = append(words, cmdline.ShellQuote(name+".jsonl"))
	}
	return strings.Join(words, " ")
}
