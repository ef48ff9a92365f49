// Package archtest holds the plan of the house, which docs/ARCHITECTURE.md draws: which
// package may import which, and which of them are for other programs.
package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/strata-memory/strata"

// layers are who may import whom, lowest first: a package imports those of its own
// layer and of the layers below. A name that ends in "/..." stands for everything below
// it that has no place of its own. The root is ".".
var layers = []struct {
	name     string
	packages []string
	barred   string // a layer below that may not be imported
}{
	{name: "nouns", packages: []string{"."}},
	// What knows nothing of memory, and words and patterns as data.
	{name: "base", packages: []string{
		"internal/base/...", "internal/text", "internal/text/...", "internal/home/...", "internal/models/gguf", "internal/models/gguf/...",
		"internal/secrets/fence", "internal/documents/memoryurl", "internal/extract/language", "internal/extract/reach", "internal/extract/verbframe",
		"internal/archtest", "internal/tools/...",
	}},
	{name: "pure", packages: []string{
		"salience", "vector", "learnings", "llm/builtin", "client",
		"internal/topics", "internal/secrets", "internal/decide", "internal/decide/neardup", "internal/documents/markdown", "internal/extract",
		"internal/extract/prompt", "internal/extract/saved", "internal/ingest/transcript", "internal/connect", "internal/forget", "internal/page",
		"internal/ops/schema", "internal/ops/schema/schematest",
	}},
	{name: "ports", packages: []string{
		"store", "store/storetest", "store/files", "store/files/filestest", "llm", "internal/index/...",
		"internal/models/wire", "internal/models/grounding", "internal/models/llmtest/scripted",
	}},
	{name: "adapters", packages: []string{
		"internal/sqlite", "internal/sqlite/...", "workspace", "internal/history", "llm/ollama", "llm/openai", "internal/models/llmtest", "internal/models/wordfile",
	}},
	{name: "policies", barred: "adapters", packages: []string{
		"contextmgr", "internal/recall", "internal/recall/...", "internal/sessions", "internal/sessions/snapshot", "internal/topics/category", "internal/models/embedding",
		"internal/models/quota", "internal/models/outage", "internal/backup/transfer", "internal/ingest", "internal/extract/queue", "internal/dream", "internal/dream/...",
		"internal/profile", "internal/ops/memorytool", "internal/documents", "internal/documents/...",
	}},
	{name: "engine", barred: "adapters", packages: []string{"engine"}},
	{name: "operations and faces", barred: "adapters", packages: []string{
		"internal/ops", "internal/ops/operation", "internal/ops/upkeep", "server", "server/mcp", "internal/hooks",
	}},
	{name: "compositions", packages: []string{"local", "internal/backup", "chat", "bench"}},
	// What serves memory, draws or plays a model is a program, wherever it lies.
	{name: "programs", packages: []string{
		"cmd/...", "examples/...", "internal/tools/plotfigures", "internal/tools/plotfigures/...", "internal/tools/mutants", "internal/tools/cutvectors",
		"internal/tools/scriptedmodel", "internal/tools/scriptedmodel/...", "internal/tools/conformance",
	}},
}

// public are the packages that other programs may import. Whatever else a program needs
// is reached through them.
var public = []string{
	".", "local", "engine", "contextmgr", "chat", "client", "llm", "llm/builtin", "llm/ollama", "llm/openai", "store", "store/storetest",
	"store/files", "store/files/filestest", "workspace", "learnings", "salience", "vector", "server", "server/mcp", "bench",
}

// confined are packages that only the named importers may use.
var confined = map[string][]string{
	"internal/home/config":    {"cmd/..."},
	"internal/home/ephemeral": {"cmd/..."},
	"internal/base/failpoint": {"contextmgr", "internal/dream", "internal/documents", "internal/documents/projection", "internal/models/embedding", "engine", "internal/extract/queue", "internal/sessions", "internal/sqlite", "workspace", "internal/history"},

	// What draws is in no program for users.
	"internal/tools/plotfigures/chart": {"internal/tools/plotfigures"},

	// Word vectors are shipped in the embedder, made by the tool, and imported. By them facts are grouped.
	"internal/text/wordvec": {"internal/topics", "llm/builtin", "internal/models/wordfile", "internal/tools/cutvectors"},

	// What makes models for tests is in no program for users.
	"internal/models/gguf":           {"internal/models/gguf/...", "internal/tools/..."},
	"internal/models/gguf/tinymodel": {"internal/tools/..."},
}

// confinedLibraries are modules that only the named packages may import, so
// that neither the program nor one that links an engine links them.
var confinedLibraries = map[string][]string{
	"gonum.org/v1/plot": {"internal/tools/plotfigures/chart"},
}

type pkg struct {
	ImportPath string
	Name       string
	Imports    []string
}

func TestLayers(t *testing.T) {
	packages := list(t)
	used := make(map[string]bool)
	for _, p := range packages {
		from := inside(p.ImportPath)
		rule, layer, ok := layerOf(from)
		if !ok {
			t.Errorf("package %s has no layer", from)
			continue
		}
		used[rule] = true
		for _, imp := range p.Imports {
			if imp != module && !strings.HasPrefix(imp, module+"/") {
				continue
			}
			to := inside(imp)
			_, below, ok := layerOf(to)
			if !ok {
				continue // reported as a package of its own
			}
			if from == "." || below > layer || layers[below].name == layers[layer].barred {
				t.Errorf("%s (%s) imports %s (%s)", from, layers[layer].name, to, layers[below].name)
			}
			if matchesAny(from, []string{"examples/..."}) && !slices.Contains(public, to) {
				t.Errorf("%s imports %s, which the reader's program cannot", from, to)
			}
			if who, ok := confined[to]; ok && !matchesAny(from, who) {
				t.Errorf("%s imports %s, which is only for %v", from, to, who)
			}
		}
	}
	for _, l := range layers {
		for _, rule := range l.packages {
			if !used[rule] {
				t.Errorf("the layer %s names %s, which is gone", l.name, rule)
			}
		}
	}
	for to, who := range confined {
		if !slices.ContainsFunc(packages, func(p pkg) bool { return inside(p.ImportPath) == to }) {
			t.Errorf("the list of confined packages names %s (for %v), which is gone", to, who)
		}
	}
}

// TestFewPackagesArePublic proves that a program can import the packages that are meant
// for it, and no others.
func TestFewPackagesArePublic(t *testing.T) {
	var got []string
	for _, p := range list(t) {
		if name := inside(p.ImportPath); p.Name != "main" && !strings.Contains("/"+name+"/", "/internal/") {
			got = append(got, name)
		}
	}
	want := slices.Sorted(slices.Values(public))
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("public are %v, meant to be %v", got, want)
	}
}

// TestEngineLinksNoAdapter proves that whoever passes a store of their own
// links no other.
func TestEngineLinksNoAdapter(t *testing.T) {
	for _, banned := range []string{"internal/sqlite", "workspace", "internal/history", "local"} {
		for _, dep := range deps(t, module+"/engine") {
			if dep == module+"/"+banned {
				t.Errorf("engine depends on %s", banned)
			}
		}
	}
}

// TestLibrariesAreConfined keeps what only one package needs out of the others,
// and out of the program.
func TestLibrariesAreConfined(t *testing.T) {
	used := make(map[string]bool)
	for _, p := range list(t) {
		from := inside(p.ImportPath)
		for _, imp := range p.Imports {
			for library, who := range confinedLibraries {
				if imp != library && !strings.HasPrefix(imp, library+"/") {
					continue
				}
				used[library] = true
				if !matchesAny(from, who) {
					t.Errorf("%s imports %s, which is only for %v", from, imp, who)
				}
			}
		}
	}
	linked := deps(t, module+"/cmd/strata")
	for library := range confinedLibraries {
		if !used[library] {
			t.Errorf("the list of confined libraries names %s, which nothing imports", library)
		}
		if slices.ContainsFunc(linked, func(d string) bool { return d == library || strings.HasPrefix(d, library+"/") }) {
			t.Errorf("the program links %s", library)
		}
	}
}

// TestDefaultIsOffline proves that no code of ours that the embedded default
// links can reach the network. (The tokenizer library links net/http for a
// loader that is never used: the tables are inside the program.)
func TestDefaultIsOffline(t *testing.T) {
	linked := deps(t, module+"/local")
	for _, p := range list(t) {
		if !slices.Contains(linked, p.ImportPath) {
			continue
		}
		for _, banned := range []string{"net", "net/http"} {
			if slices.Contains(p.Imports, banned) {
				t.Errorf("%s imports %s; the default must not be able to call out", inside(p.ImportPath), banned)
			}
		}
	}
}

// layerOf returns the number of a package's layer, and the name that put it there.
func layerOf(p string) (rule string, layer int, ok bool) {
	rules := []string{p}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		rules = append(rules, dir+"/...")
	}
	for _, rule := range rules {
		for i, l := range layers {
			if slices.Contains(l.packages, rule) {
				return rule, i, true
			}
		}
	}
	return "", 0, false
}

func matchesAny(p string, rules []string) bool {
	return slices.ContainsFunc(rules, func(r string) bool {
		return r == p || strings.HasSuffix(r, "/...") && strings.HasPrefix(p, strings.TrimSuffix(r, "..."))
	})
}

// inside returns a package's path inside the module.
func inside(importPath string) string {
	if importPath == module {
		return "."
	}
	return strings.TrimPrefix(importPath, module+"/")
}

func list(t *testing.T) []pkg {
	t.Helper()
	out := run(t, "go", "list", "-json=ImportPath,Name,Imports", module+"/...")
	dec := json.NewDecoder(bytes.NewReader(out))
	var all []pkg
	for {
		var p pkg
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func deps(t *testing.T, importPath string) []string {
	t.Helper()
	return strings.Fields(string(run(t, "go", "list", "-deps", importPath)))
}

func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return out
}
