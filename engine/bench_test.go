package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm/builtin"
)

// BenchmarkAppendTurn appends one short turn a call, durably, to a session
// that has thousands already. p50-ns is what a chat waits for.
func BenchmarkAppendTurn(b *testing.B) {
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(b.TempDir(), "strata.db"), nil)
	if err != nil {
		b.Fatal(err)
	}
	e, err := engine.Open(ctx, st, &engine.Options{Embedder: builtin.New()})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	turn := func(i int) strata.Turn {
		role := strata.RoleUser
		if i%2 == 1 {
			role = strata.RoleAssistant
		}
		return strata.Turn{Role: role, Text: fmt.Sprintf("In step %d we moved the order of parts %d to the store in Porto", i, i*7%1000)}
	}
	const before = 4000
	var first []strata.Turn
	for i := range before {
		first = append(first, turn(i))
	}
	if _, err := e.AppendTurns(ctx, strata.Global(), "long", strata.SessionMain, first); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		begun := time.Now()
		if _, err := e.AppendTurns(ctx, strata.Global(), "long", strata.SessionMain, []strata.Turn{turn(before + i)}); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns")
	b.ReportMetric(float64(took[len(took)*95/100].Nanoseconds()), "p95-ns")
}
