package filestest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// clock is a time in the past.
var clock = time.Date(2026, 1, 2, 3, 4, 5, 678_901_000, time.UTC)

var scanTests = []test{
	{"a scan tells what is new, changed, touched and gone", func(b *bench) {
		s, known := strata.Global(), map[string]files.Stat{}
		if c := b.scan(s, known); describe(c) != "" {
			b.Errorf("in an empty directory: %s", describe(c))
		}
		for _, path := range []string{"MEMORY.md", note, "memory/2026-01-02.md"} {
			b.put(s, path, "one", clock)
		}
		b.expect(s, known, "changed MEMORY.md\nchanged memory/2026-01-02.md\nchanged notes/project_deploys.md\n")
		b.expect(s, known, "")
		b.put(s, note, "two", clock.Add(time.Hour))
		b.put(s, "MEMORY.md", "one", clock.Add(time.Hour))
		b.put(s, "new.md", "new", clock)
		b.ok(b.Hand.Delete(s, "memory/2026-01-02.md"))
		b.expect(s, known, "changed new.md\nchanged notes/project_deploys.md\ntouched MEMORY.md\nremoved memory/2026-01-02.md\n")
		b.expect(s, known, "")
	}},
	{"a smaller file with an older time is a change", func(b *bench) {
		s, known := strata.Global(), map[string]files.Stat{}
		b.put(s, note, "a long text", clock)
		b.scan(s, known)
		b.put(s, note, "short", clock.Add(-time.Hour))
		b.expect(s, known, "changed notes/project_deploys.md\n")
	}},
	{"what was written is known", func(b *bench) {
		s, known := strata.Global(), map[string]files.Stat{}
		f := b.write(s, note, "one", strata.NoFile)
		known[note] = f.Stat
		if c := b.scan(s, known); len(c.Changed)+len(c.Removed)+len(c.Skipped) > 0 {
			b.Error(describe(c))
		}
		known[note] = b.holds(s, note, "one").Stat
		if c := b.scan(s, known); len(c.Changed)+len(c.Removed)+len(c.Skipped) > 0 {
			b.Error(describe(c))
		}
	}},
	{"a change of the same size at once is noticed", func(b *bench) {
		s := strata.Global()
		for i := range 20 {
			known := map[string]files.Stat{}
			f := b.write(s, fmt.Sprintf("notes/n%d.md", i), "one", strata.NoFile)
			known[f.Path] = f.Stat
			b.put(s, f.Path, "two", time.Time{})
			b.expect(s, known, "changed "+f.Path+"\n")
			b.ok(b.Hand.Delete(s, f.Path))
		}
	}},
	{"what is no document is left out and named", func(b *bench) {
		s, known := strata.Global(), map[string]files.Stat{}
		b.put(s, "notes/large.md", string(bytes.Repeat([]byte("x"), strata.MaxDocumentBytes+1)), clock)
		b.put(s, "notes/nul.md", "a\x00b", clock)
		b.put(s, "notes/latin.md", "caf\xe9", clock)
		b.put(s, "notes/.hidden.md", "x", clock)
		b.put(s, "notes/x.md.swp", "x", clock)
		b.put(s, "notes/x.tmp", "x", clock)
		b.put(s, "notes/a\nb.md", "x", clock)
		b.put(s, note, "x", clock)
		b.expect(s, known, "changed notes/project_deploys.md\nskipped notes/.hidden.md\nskipped notes/a\nb.md\nskipped notes/large.md\n"+
			"skipped notes/latin.md\nskipped notes/nul.md\nskipped notes/x.md.swp\nskipped notes/x.tmp\n")
	}},
	{"a document that is none any more is not gone", func(b *bench) {
		s, known := strata.Global(), map[string]files.Stat{}
		b.put(s, note, "x", clock)
		b.scan(s, known)
		b.put(s, note, "x\x00", clock.Add(time.Hour))
		b.expect(s, known, "skipped notes/project_deploys.md\n")
		b.put(s, note, "y", clock.Add(2*time.Hour))
		b.expect(s, known, "changed notes/project_deploys.md\n")
	}},
	{"the project's own file belongs to the workspace", func(b *bench) {
		ws, known := strata.InWorkspace(Workspace), map[string]files.Stat{}
		b.put(ws, files.ProjectFile, "the project's", clock)
		b.put(ws, "AGENTS.md", "the memory's", clock)
		b.expect(ws, known, "changed @/AGENTS.md\nchanged AGENTS.md\n")
		b.expect(ws, known, "")
		b.expect(strata.ForAgentIn(Workspace, "coder"), map[string]files.Stat{}, "")
		b.ok(b.Hand.Delete(ws, files.ProjectFile))
		b.expect(ws, known, "removed @/AGENTS.md\n")
	}},
}

// expect scans and compares the result with want, which has one line per path.
func (b *bench) expect(scope strata.Scope, known map[string]files.Stat, want string) {
	b.Helper()
	if got := describe(b.scan(scope, known)); got != want {
		b.Fatalf("found\n%swant\n%s", got, want)
	}
}

// describe lists what a scan found, sorted where the order is not specified.
func describe(c files.Changes) string {
	var out bytes.Buffer
	for _, path := range slices.Sorted(slices.Values(paths(c.Changed))) {
		fmt.Fprintln(&out, "changed", path)
	}
	for _, path := range slices.Sorted(maps.Keys(c.Touched)) {
		fmt.Fprintln(&out, "touched", path)
	}
	for _, path := range c.Removed {
		fmt.Fprintln(&out, "removed", path)
	}
	skipped := make([]string, 0, len(c.Skipped))
	for _, s := range c.Skipped {
		line := "skipped " + s.Path
		if s.Reason == "" {
			line += " without a reason"
		}
		skipped = append(skipped, line)
	}
	for _, line := range slices.Sorted(slices.Values(skipped)) {
		fmt.Fprintln(&out, line)
	}
	return out.String()
}
