package dream_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents/projection"
	"github.com/strata-memory/strata/internal/dream"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/topics"
	"github.com/strata-memory/strata/store"
)

const (
	benchFacts   = 100_000
	benchRecalls = 10_000 // as many as a scope keeps
)

// BenchmarkDream has a scope of 100,000 facts dream. "first" is the first dream of all,
// which tags facts, merges some and settles others; "next" one of those that follow, in
// which all facts are compared again and nothing is left to do about them.
func BenchmarkDream(b *testing.B) {
	b.Run("first", func(b *testing.B) { benchmarkDream(b, true) })
	b.Run("next", func(b *testing.B) { benchmarkDream(b, false) })
}

func benchmarkDream(b *testing.B, first bool) {
	ctx := context.Background()
	var ids id.Maker
	now := time.Date(2026, 3, 1, 4, 0, 0, 0, time.UTC)
	sleep := func(st store.Store) *strata.Dream {
		now = now.Add(time.Hour)
		d := dream.New(dream.Options{Store: st, IDs: &ids, Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler),
			Projector: projection.New(projection.Options{})})
		res, err := d.Dream(ctx, strata.Global(), strata.DreamForced)
		if err != nil || res.Dream.Considered != benchRecalls {
			b.Fatalf("%+v, %v", res, err)
		}
		return res.Dream
	}
	var st store.Store
	for i := 0; b.Loop(); i++ {
		if first || i == 0 {
			b.StopTimer()
			st = benchHome(ctx, b, &ids, now)
			for more := !first; more; { // until all is done that there is to do
				d := sleep(st)
				more = d.Merged+d.Settled+d.Tagged > 0
			}
			b.StartTimer()
		}
		d := sleep(st)
		if done := d.Merged+d.Settled > 0; done != first {
			b.Fatalf("%+v", d)
		}
		if first {
			b.StopTimer()
			b.ReportMetric(float64(d.Merged), "merged")
			b.ReportMetric(float64(d.Settled), "settled")
			if err := st.Close(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	}
	if !first {
		if err := st.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// benchHome is a store with facts about many things, of which one in a thousand is said
// twice and one in a thousand contradicts another, and recalls of a tenth of them.
func benchHome(ctx context.Context, b *testing.B, ids *id.Maker, now time.Time) store.Store {
	b.Helper()
	st, err := sqlite.Open(ctx, filepath.Join(b.TempDir(), fmt.Sprint(ids.New("home", now), ".db")), nil)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(24, 3))
	var last string
	var events []store.RecallEvent
	put := func(w store.Writer, i int) error {
		said := sentence(rng)
		switch i % 1000 {
		case 500:
			said = "the " + last // says the same
		case 900:
			said = negated(last)
		}
		last = said
		at := now.Add(time.Duration(i-benchFacts) * time.Second)
		f := strata.Fact{ID: ids.New(id.Fact, at), Scope: strata.Global(), Type: strata.TypeUser, Category: fmt.Sprint("subject ", i%300), Text: said,
			Tags: topics.Derive(text.Analyze(said), topics.MaxTags), Origin: strata.OriginCLI, Generation: 1, Confidence: 1, RecordedAt: at}
		number, err := w.PutFact(ctx, f)
		if err != nil {
			return err
		}
		if i%(benchFacts/benchRecalls) == 0 {
			events = append(events, store.RecallEvent{Scope: f.Scope, Memory: f.ID, Query: "what of " + said, Score: 0.5, At: now})
		}
		return w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: f.Scope, Parent: f.Category, Type: f.Type,
			Text: said, Said: said, RecordedAt: at})
	}
	const batch = 2000
	for from := 0; from < benchFacts; from += batch {
		err := st.Update(ctx, func(w store.Writer) error {
			for i := from; i < from+batch; i++ {
				if err := put(w, i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := st.Update(ctx, func(w store.Writer) error { return w.RecordRecall(ctx, events, benchRecalls) }); err != nil {
		b.Fatal(err)
	}
	return st
}

var (
	benchWho   = []string{"Anna", "Ben", "the user", "the team", "the neighbor", "Carla", "the landlord", "the teacher", "Dora", "the captain"}
	benchVerbs = []string{"repairs", "sells", "keeps", "paints", "needs", "borrows", "likes", "collects", "cleans", "orders"}
	benchKinds = []string{"red", "old", "heavy", "broken", "cheap", "wooden", "blue", "tiny", "loud", "foreign"}
	benchWhat  = []string{"bicycle", "violin", "kettle", "lantern", "ladder", "printer", "boat", "clock", "mirror", "compass", "garden", "ledger"}
	benchWhere = []string{"Lisbon", "Bonn", "Oslo", "Kyoto", "Quito", "Turin", "Accra", "Perth", "Lima", "Cork", "Graz", "Brno"}
)

// sentence is a statement as people make them, with a number in one of two.
func sentence(rng *rand.Rand) string {
	pick := func(from []string) string { return from[rng.IntN(len(from))] }
	out := fmt.Sprintf("%s %s the %s %s of %s in %s", pick(benchWho), pick(benchVerbs), pick(benchKinds), pick(benchWhat), pick(benchWho), pick(benchWhere))
	if rng.IntN(2) == 0 {
		out += fmt.Sprintf(" on day %d", rng.IntN(1000))
	}
	return out
}

// negated denies a statement.
func negated(s string) string {
	for _, verb := range benchVerbs {
		if at := strings.Index(s, " "+verb+" "); at >= 0 {
			return s[:at] + " does not " + verb[:len(verb)-1] + s[at+len(verb)+1:]
		}
	}
	return s
}
