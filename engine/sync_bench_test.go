package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/workspace"
)

// benchNotes is how many notes the benchmarks of directories have.
const benchNotes = 10_000

// words that the notes of the benchmarks are made of.
var words = strings.Fields(`deploy server staging release branch invoice billing database index query cache token session
	agent memory window snapshot pager rotation incident review migration schema column latency budget queue worker retry timeout
	backup restore cluster region network certificate secret rollout canary metric alert dashboard owner team customer contract`)

// sentence makes a sentence of n words.
func sentence(rng *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = words[rng.IntN(len(words))]
	}
	return "The " + strings.Join(out, " ") + fmt.Sprintf(" number %d.", rng.IntN(100_000))
}

// benchNote is a note of about 1,200 bytes with three headings.
func benchNote(rng *rand.Rand, i int) string {
	var b strings.Builder
	for part := range 3 {
		fmt.Fprintf(&b, "## Part %d of %s\n\n", part, words[rng.IntN(len(words))])
		for range 4 {
			b.WriteString(sentence(rng, 12) + "\n")
		}
		b.WriteByte('\n')
	}
	return markdown.Note{Front: markdown.Front{
		Name: fmt.Sprintf("Note %d on %s", i, words[rng.IntN(len(words))]), Description: sentence(rng, 8), Type: strata.TypeProject,
	}, Body: b.String()}.Render()
}

// notesOnDisk writes the notes below a home.
func notesOnDisk(b *testing.B, home string) string {
	b.Helper()
	dir := filepath.Join(home, "global", "notes")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range benchNotes {
		name := filepath.Join(dir, fmt.Sprintf("project_note-%05d.md", i))
		if err := os.WriteFile(name, []byte(benchNote(rng, i)), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// openBench opens an engine over the files of a home.
func openBench(b *testing.B, home, db string) *engine.Engine {
	b.Helper()
	st, err := sqlite.Open(context.Background(), db, nil)
	if err != nil {
		b.Fatal(err)
	}
	e, err := engine.Open(context.Background(), st, &engine.Options{Embedder: builtin.New(), Tree: workspace.NewTree(home, nil)})
	if err != nil {
		b.Fatal(err)
	}
	return e
}

// BenchmarkFirstSync reads a directory of 10,000 notes for the first time. The
// vectors, which the background makes, are in embedded-ns.
func BenchmarkFirstSync(b *testing.B) {
	home := b.TempDir()
	notesOnDisk(b, home)
	var embedded time.Duration
	for i := 0; b.Loop(); i++ {
		e := openBench(b, home, filepath.Join(b.TempDir(), fmt.Sprintf("strata%d.db", i)))
		begun := time.Now()
		if r, err := e.Sync(context.Background(), strata.Global().View()); err != nil || r.Added < benchNotes {
			b.Fatalf("%d added, %v", r.Added, err)
		}
		b.StopTimer()
		if err := e.Drain(context.Background()); err != nil {
			b.Fatal(err)
		}
		embedded += time.Since(begun)
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(embedded.Nanoseconds())/float64(b.N), "embedded-ns")
}

// BenchmarkSync looks through 10,000 notes of which nothing changed, and of
// which one was edited: until a search finds it.
func BenchmarkSync(b *testing.B) {
	ctx, view := context.Background(), strata.Global().View()
	home := b.TempDir()
	dir := notesOnDisk(b, home)
	db := filepath.Join(b.TempDir(), "strata.db")
	e := openBench(b, home, db)
	if _, err := e.Sync(ctx, view); err != nil {
		b.Fatal(err)
	}
	if err := e.Drain(ctx); err != nil {
		b.Fatal(err)
	}
	if _, err := e.Sync(ctx, view); err != nil {
		b.Fatal(err)
	}
	b.Run("nothing", func(b *testing.B) {
		for b.Loop() {
			if r, err := e.Sync(ctx, view); err != nil || len(r.Changes) != 0 {
				b.Fatalf("%d changes, %v", len(r.Changes), err)
			}
		}
	})
	b.Run("edit", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			word := fmt.Sprintf("zqvorbli%dqu", i)
			path := filepath.Join(dir, fmt.Sprintf("project_note-%05d.md", i%benchNotes))
			text, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(path, append(text, []byte("\nAlso see "+word+".\n")...), 0o600); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if r, err := e.Sync(ctx, view); err != nil || r.Updated != 1 {
				b.Fatalf("%+v, %v", r, err)
			}
			res, err := e.Query(ctx, strata.Query{View: view, Text: word, Quiet: true})
			if err != nil || len(res.Hits) == 0 {
				b.Fatalf("the edit is not found: %v", err)
			}
		}
	})
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			e := openBench(b, home, db)
			if _, err := e.Sync(ctx, view); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			if err := e.Close(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	})
}
