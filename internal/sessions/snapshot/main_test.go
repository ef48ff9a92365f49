package snapshot_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

var update = flag.Bool("update", false, "write the golden files anew")

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

var work = strata.InWorkspace("01JWORK")

// golden compares got with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("differs from %s; run with -update and read the difference\n%s", path, got)
	}
}
