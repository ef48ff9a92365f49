package bench_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/local"
)

// BenchmarkLongTurns is 1,000 turns of some 600 words, as an assistant's answers
// have, appended ten at a time, and then as many questions, each for one paragraph
// of one turn. saves/s counts turns; found is the share of questions whose turn is
// among the first ten with the paragraph as its match.
func BenchmarkLongTurns(b *testing.B) {
	const turns, paragraphs = 1000, 32
	statements := bench.Generate(turns*paragraphs, 11)
	for b.Loop() {
		opened, err := local.Open(b.Context(), b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		mem := opened.Engine()
		ctx := b.Context()
		var batch []strata.Turn
		started := time.Now()
		for i := range turns {
			var said strings.Builder
			for k, s := range statements[i*paragraphs : (i+1)*paragraphs] {
				said.WriteString(s.Text)
				said.WriteString([]string{". ", ".\n\n"}[k%2])
			}
			batch = append(batch, strata.Turn{Role: strata.RoleAssistant, Text: said.String(), At: time.Unix(int64(1_700_000_000+60*i), 0)})
			if len(batch) == 10 {
				if _, err := mem.AppendTurns(ctx, strata.Global(), fmt.Sprint("s", i/50), strata.SessionMain, batch); err != nil {
					b.Fatal(err)
				}
				batch = batch[:0]
			}
		}
		b.ReportMetric(turns/time.Since(started).Seconds(), "saves/s")
		b.ReportMetric(text.CountWords(statements[0].Text)*paragraphs, "words")
		var asked latencies
		found := 0
		for i := range turns {
			s := statements[i*paragraphs+i%paragraphs]
			q := strata.Query{View: strata.Global().View(), Text: s.Question, Kinds: []strata.Kind{strata.KindTurn}, Tokens: 4000, Quiet: true}
			asked.time(func() {
				res, err := mem.Query(ctx, q)
				if err != nil {
					b.Fatal(err)
				}
				for _, h := range res.Hits {
					if h.Match != nil && strings.Contains(h.Text[h.Match.Start-h.Offset:h.Match.End-h.Offset], s.Text) {
						found++
						break
					}
				}
			})
		}
		b.ReportMetric(float64(found)/turns, "found")
		asked.report(b)
		if err := mem.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
