package engine_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm/builtin"
)

// BenchmarkReembed changes the embedding model of a home of 20,000 facts: how
// many passages a second get their vectors of the new model (that of the
// scripted one costs nothing, that of the built-in what it does), how long the
// switch itself takes a query, and how fast the old vectors go.
func BenchmarkReembed(b *testing.B) {
	const facts = 20_000
	ctx := context.Background()
	for _, c := range []struct {
		name string
		to   func() *engine.Options
	}{
		{"free", func() *engine.Options { return &engine.Options{Embedder: newScripted("next", 384, 1)} }},
		{"builtin", func() *engine.Options { return &engine.Options{Embedder: builtin.New()} }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				db := filepath.Join(b.TempDir(), "strata.db")
				e := benchOpen(b, db, &engine.Options{Embedder: newScripted("old", 384, 1)})
				for from := 0; from < facts; from += 500 {
					cs := make([]strata.Candidate, 500)
					for i := range cs {
						cs[i] = strata.Candidate{Scope: strata.Global(), Content: fmt.Sprintf("Parcel %d went to shelf %d", from+i, (from+i)*7919%10007)}
					}
					if _, err := e.WriteBatch(ctx, cs); err != nil {
						b.Fatal(err)
					}
				}
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
				logged := make(wakes, 1)
				e = benchOpen(b, db, &engine.Options{Logger: slog.New(logged)})
				wanted := c.to().Embedder
				begin := time.Now()
				b.StartTimer()
				if err := e.UseEmbedder(ctx, wanted); err != nil {
					b.Fatal(err)
				}
				for e.Embedder() != wanted.Model() {
					<-logged // among others, that another model serves
					if _, err := e.Embedding(ctx); err != nil {
						b.Fatal(err)
					}
				}
				b.StopTimer()
				served := time.Now()
				if err := e.Drain(ctx); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(facts/served.Sub(begin).Seconds(), "passages/s")
				b.ReportMetric(facts/time.Since(served).Seconds(), "removed/s")
				if err := e.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// wakes is a handler of logs that wakes who waits for something to be logged.
type wakes chan struct{}

func (w wakes) Enabled(context.Context, slog.Level) bool { return true }
func (w wakes) WithAttrs([]slog.Attr) slog.Handler       { return w }
func (w wakes) WithGroup(string) slog.Handler            { return w }
func (w wakes) Handle(context.Context, slog.Record) error {
	select {
	case w <- struct{}{}:
	default:
	}
	return nil
}

func benchOpen(b *testing.B, db string, o *engine.Options) *engine.Engine {
	b.Helper()
	st, err := sqlite.Open(context.Background(), db, nil)
	if err != nil {
		b.Fatal(err)
	}
	e, err := engine.Open(context.Background(), st, o)
	if err != nil {
		b.Fatal(err)
	}
	return e
}
