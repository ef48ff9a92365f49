package workspace

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// benchNotes is how many notes a large scope has.
const benchNotes = 10_000

// fill writes many notes of about 600 bytes that were last changed long ago.
func (s stand) fill(b testing.TB, scope strata.Scope, n int) {
	b.Helper()
	for i := range n {
		text := fmt.Sprintf("---\nname: Note %d\ntype: project\n---\n\n# Note %d\n\n%s\n", i, i, strings.Repeat("The build needs Go. ", 25+i%10))
		if err := s.Put(scope, fmt.Sprintf("notes/project_note-%05d.md", i), []byte(text), time.Date(2026, 1, 1, 0, 0, i, 0, time.UTC)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScan10kUnchanged(b *testing.B) {
	s, ctx, scope := newStand(b), context.Background(), strata.Global()
	s.fill(b, scope, benchNotes)
	known := make(map[string]files.Stat, benchNotes)
	c, err := s.Scan(ctx, scope, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range c.Changed {
		known[f.Path] = f.Stat
	}
	for b.Loop() {
		c, err := s.Scan(ctx, scope, known)
		if err != nil || len(c.Changed)+len(c.Touched)+len(c.Removed)+len(c.Skipped) > 0 {
			b.Fatalf("%+v, %v", c, err)
		}
	}
}

func BenchmarkScan10kNew(b *testing.B) {
	s, ctx, scope := newStand(b), context.Background(), strata.Global()
	s.fill(b, scope, benchNotes)
	for b.Loop() {
		c, err := s.Scan(ctx, scope, nil)
		if err != nil || len(c.Changed) != benchNotes {
			b.Fatalf("%d files, %v", len(c.Changed), err)
		}
	}
}

func BenchmarkTreeWrite(b *testing.B) {
	s, ctx, scope := newStand(b), context.Background(), strata.Global()
	base := strata.NoFile
	for i := 0; b.Loop(); i++ {
		f, err := s.Write(ctx, scope, "notes/project_note.md", fmt.Appendf(nil, "# Note %d\n", i), base)
		if err != nil {
			b.Fatal(err)
		}
		base = f.Hash
	}
}
