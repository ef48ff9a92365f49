package backup_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/local/backup"
)

var benchFacts = flag.Int("backup.facts", 10_000, "facts of the home that is backed up")

// A backup of a home of facts: the time, and the size before and after.
func BenchmarkBackup(b *testing.B) {
	home, dir := filepath.Join(b.TempDir(), "home"), b.TempDir()
	mem, err := local.Open(b.Context(), home)
	if err != nil {
		b.Fatal(err)
	}
	defer mem.Close()
	for i := 0; i < *benchFacts; i += 500 {
		var cs []strata.Candidate
		for j := i; j < min(i+500, *benchFacts); j++ {
			cs = append(cs, strata.Candidate{Scope: strata.Global(), Origin: strata.OriginCLI,
				Content: fmt.Sprintf("Parcel %d from Bergen goes to platform %d with %d violins", j, j*7919%100_003, j%97)})
		}
		if _, err := mem.WriteBatch(b.Context(), cs); err != nil {
			b.Fatal(err)
		}
	}
	n := 0
	for b.Loop() {
		n++
		c, err := backup.Create(b.Context(), backup.Options{Home: home, To: filepath.Join(dir, fmt.Sprint(n)), Now: noon})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(c.Manifest.Bytes())/1e6, "MB")
		b.ReportMetric(float64(c.Size)/1e6, "compressed-MB")
	}
}
