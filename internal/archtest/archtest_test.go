// Package archtest holds the house plan: which package may import which. The
// plan is docs/ARCHITECTURE.md's table of levels; the test reads the import
// graph and fails on any other edge.
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

// levels assigns every package its level, by path inside the module; a path
// that ends in "/..." stands for everything below it. The root is ".".
var levels = map[string]int{
	".":            0,
	"internal/...": 0,
	// Words and patterns as data, which the extractor reads with.
	"extract/language": 0, "extract/reach": 0, "extract/verbframe": 0,

	"salience": 1, "concept": 1, "secretscan": 1, "vector": 1,
	"controller": 1, "document": 1, "extract": 1, "extract/prompt": 1, "extract/saved": 1, "learnings": 1, "llm/builtin": 1,
	"transcript": 1, "connect": 1,
	"forget": 1, "neardup": 1,
	// It knows servers by their answers alone.
	"client": 1,
	// It is files, and knows who came in.
	"web": 1,

	"store": 2, "llm": 2, "files": 2,
	"index/passage": 2, "index/nearest": 2, "index/lexical": 2, "index/small": 2,
	"store/storetest": 2, "files/filestest": 2, "llm/wire": 2, "llm/llmtest/scripted": 2, "llm/grounding": 2,

	"store/sqlite": 3, "store/sqlite/check": 3, "store/sqlite/database": 3, "store/sqlite/migration": 3,
	"store/sqlite/packed": 3, "store/sqlite/purge": 3, "store/sqlite/sqlfunc": 3,
	"store/sqlite/extension": 3, "store/sqlite/pages": 3, "store/sqlite/salvage": 3,
	"workspace": 3, "workspace/history": 3,
	"llm/ollama": 3, "llm/openai": 3, "llm/llmtest": 3, "llm/wordfile": 3,

	"recall": 4, "recall/answer": 4, "recall/question": 4, "recall/evidence": 4, "recall/reopen": 4, "session": 4, "session/conversation": 4, "contextmgr": 4, "category": 4, "embedding": 4, "transfer": 4, "ingest": 4, "extract/queue": 4, "dream": 4, "profile": 4, "quota": 4, "outage": 4, "dream/summary": 4, "dream/skills": 4, "memorytool": 4,
	"documents": 4, "documents/projection": 4, "documents/handedit": 4, "documents/edit": 4, "documents/checkpoint": 4,

	"engine": 5,

	"ops": 6, "ops/operation": 6, "ops/upkeep": 6, "mcpserver": 6, "server": 6, "hook": 6,
	// What operations take and give, described.
	"ops/schema": 1, "ops/schema/schematest": 1,

	"local": 7, "local/backup": 7, "chat": 7, "bench": 7,

	"cmd/...": 8, "examples/...": 8,
	// A model server with rules for a mind is a program, wherever it lies.
	"internal/tools/plotfigures": 8, "internal/tools/plotfigures/...": 8,
	"internal/tools/mutants":       8,
	"internal/tools/cutvectors":    8,
	"internal/tools/scriptedmodel": 8, "internal/tools/scriptedmodel/...": 8,
	// It serves memory, as a program does.
	"internal/tools/conformance": 8,
}

// barred are the levels that a level above may not import although they lie
// below: policies, the engine and the faces know ports, never adapters.
var barred = map[int][]int{
	4: {3},
	5: {3},
	6: {3},
}

// confined are packages that only the named importers may use.
var confined = map[string][]string{
	"internal/config":    {"cmd/..."},
	"internal/ephemeral": {"cmd/..."},
	"internal/failpoint": {"contextmgr", "dream", "documents", "documents/projection", "embedding", "engine", "extract/queue", "session/conversation", "store/sqlite", "workspace", "workspace/history"},

	// What draws is in no program for users.
	"internal/tools/plotfigures/chart": {"internal/tools/plotfigures"},

	// Word vectors are shipped in the embedder, made by the tool, and imported. By them facts are grouped.
	"internal/wordvec": {"concept", "llm/builtin", "llm/wordfile", "internal/tools/cutvectors"},

	// What makes models for tests is in no program for users.
	"internal/gguf":           {"internal/gguf/...", "internal/tools/..."},
	"internal/gguf/tinymodel": {"internal/tools/..."},
}

// confinedLibraries are modules that only the named packages may import, so
// that neither the program nor one that links an engine links them.
var confinedLibraries = map[string][]string{
	"gonum.org/v1/plot": {"internal/tools/plotfigures/chart"},
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func TestLevels(t *testing.T) {
	packages := list(t)
	used := make(map[string]bool)
	for _, p := range packages {
		from := inside(p.ImportPath)
		rule, level, ok := levelOf(from)
		if !ok {
			t.Errorf("package %s has no level: add it to the table and to docs/ARCHITECTURE.md", from)
			continue
		}
		used[rule] = true
		for _, imp := range p.Imports {
			if imp != module && !strings.HasPrefix(imp, module+"/") {
				continue
			}
			to := inside(imp)
			_, below, ok := levelOf(to)
			if !ok {
				continue // reported as a package of its own
			}
			if !allowed(from, level, below) {
				t.Errorf("%s (level %d) imports %s (level %d)", from, level, to, below)
			}
			if who, ok := confined[to]; ok && !matchesAny(from, who) {
				t.Errorf("%s imports %s, which is only for %v", from, to, who)
			}
		}
	}
	for rule := range levels {
		if !used[rule] {
			t.Errorf("the table names %s, which is gone", rule)
		}
	}
	for to, who := range confined {
		if !slices.ContainsFunc(packages, func(p pkg) bool { return inside(p.ImportPath) == to }) {
			t.Errorf("the list of confined packages names %s (for %v), which is gone", to, who)
		}
	}
}

// allowed reports whether a package may import another: one of a level below or of its
// own, where Go itself allows no circle.
func allowed(from string, level, below int) bool {
	if from == "." {
		return false // the nouns import the standard library only
	}
	return below <= level && !slices.Contains(barred[level], below)
}

// TestEngineLinksNoAdapter proves that whoever passes a store of their own
// links no other.
func TestEngineLinksNoAdapter(t *testing.T) {
	for _, banned := range []string{"store/sqlite", "workspace", "workspace/history", "local"} {
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

func levelOf(p string) (rule string, level int, ok bool) {
	if l, ok := levels[p]; ok {
		return p, l, true
	}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if l, ok := levels[dir+"/..."]; ok {
			return dir + "/...", l, true
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
	out := run(t, "go", "list", "-json=ImportPath,Imports", module+"/...")
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
