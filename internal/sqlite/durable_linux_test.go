//go:build amd64 || arm64

package sqlite_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/powercut"
	"github.com/strata-memory/strata/store"
)

// Once a text is forgotten no power cut brings the log back that held it.
func TestForgetIsDurable(t *testing.T) {
	r := powercut.Record(t, t.TempDir(), func(dir string, acknowledge func(string)) {
		ctx := context.Background()
		db := open(t, filepath.Join(dir, "home", "strata.db"), nil)
		update := func(fn func(w store.Writer) error) {
			if err := db.Update(ctx, fn); err != nil {
				t.Fatal(err)
			}
		}
		update(func(w store.Writer) error { return saveIn(ctx, w, newFact("fact_1", "My cat's name is Whiskerino")) })
		acknowledge("saving")
		update(func(w store.Writer) error {
			_, err := w.Forget(ctx, strata.Global(), "fact_1", nil)
			return err
		})
		if err := db.Compact(ctx); err != nil {
			t.Fatal(err)
		}
		acknowledge("forgetting")
	})
	for _, fault := range r.Faults() {
		t.Error(fault)
	}
	r.Cuts(t, 100, 1, func(t *testing.T, c powercut.Cut) {
		if !slices.Contains(c.Acknowledged, "forgetting") {
			return
		}
		for _, name := range []string{"strata.db", "strata.db-wal"} {
			content, err := os.ReadFile(filepath.Join(c.Dir, "home", name))
			if err == nil && bytes.Contains(content, []byte("Whiskerino")) {
				t.Errorf("%s holds what was forgotten", name)
			}
		}
	})
}
