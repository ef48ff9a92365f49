package bench_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os/exec"
	"testing"

	"github.com/strata-memory/strata/bench"
)

var (
	scaleFacts  = flag.String("scale.facts", "10000,100000,1000000", "`sizes` at which BenchmarkScale measures, rising")
	scaleScopes = flag.Int("scale.scopes", 1, "`scopes` that hold the facts of BenchmarkScale in turn")
)

// BenchmarkScale is what strata bench scale measures, a line for each size:
// times of a whole recall, of nearest vectors and of words alone, of opening a
// home and of a recall from the shell, each in processes of their own; bytes on
// disk a fact, and the most anonymous memory while recalls were served.
func BenchmarkScale(b *testing.B) {
	if testing.Short() {
		b.Skip("long")
	}
	cmd := exec.Command(built(b), "bench", "scale", "--facts", *scaleFacts, "--scopes", fmt.Sprint(*scaleScopes), "-q", "-o", "json")
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%s: %v", cmd, err)
	}
	var measured struct{ Points []bench.Point }
	if err := json.Unmarshal(out, &measured); err != nil {
		b.Fatal(err)
	}
	for _, p := range measured.Points {
		b.Run(fmt.Sprintf("facts=%d/scopes=%d", p.Facts, *scaleScopes), func(b *testing.B) {
			b.ReportMetric(0, "ns/op") // it was measured before
			for unit, value := range map[string]float64{
				"p50-ns":         float64(p.Recall.P50),
				"p99-ns":         float64(p.Recall.P99),
				"nearest-p50-ns": float64(p.Nearest.P50),
				"words-p50-ns":   float64(p.Words.P50),
				"found@10":       p.Found10,
				"open-ns":        float64(p.Open),
				"shell-ns":       float64(p.Shell),
				"bytes/fact":     p.Fact,
				"rss-anon-MiB":   float64(p.Anonymous) / (1 << 20),
			} {
				b.ReportMetric(value, unit)
			}
		})
	}
}
