package main

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/llm/builtin"
)

// save saves the rows along with what produced them.
func (o options) save(rows []row) error {
	r := result{bench.NewResult("peers", o.command()), rows}
	r.Data = hashOf(max(o.facts, o.nearest))
	r.Settings = bench.Settings{Embedder: builtin.Model, Questions: o.questions}
	return bench.WriteFigures(o.result, r)
}

// command returns the command that repeats the run at the root of the repository.
func (o options) command() string {
	line := fmt.Sprintf("make peers FACTS=%d NEAREST=%d QUESTIONS=%d", o.facts, o.nearest, o.questions)
	if len(o.only) > 0 {
		line += " PEERS=" + strings.Join(o.only, ",")
	}
	if o.keep != "" {
		line += " KEEP=DIR"
	}
	return line
}

// versionOf returns the version of a peer that this program was built with, or that is
// pinned for npm; empty for Strata, which is of the same commit.
func versionOf(name string) string {
	modules := map[string]string{"chromem-go": "github.com/philippgille/chromem-go", "bleve": "github.com/blevesearch/bleve/v2"}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == modules[name] {
				return m.Version
			}
		}
	}
	var pinned struct{ Dependencies map[string]string }
	data, err := nodeFiles.ReadFile("node/package.json")
	if err != nil || json.Unmarshal(data, &pinned) != nil {
		return ""
	}
	return pinned.Dependencies[map[string]string{"server-memory": "@modelcontextprotocol/server-memory", "mem0ai": "mem0ai"}[name]]
}
