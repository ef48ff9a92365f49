//go:build amd64 || arm64

package database

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata/internal/base/powercut"
)

// A database that was created is there after a power cut, and so is its directory.
func TestCreateIsDurable(t *testing.T) {
	r := powercut.Record(t, t.TempDir(), func(dir string, acknowledge func(string)) {
		f := File{Path: filepath.Join(dir, "new", "home", "strata.db")}
		if err := f.Create(); err != nil {
			t.Fatal(err)
		}
		acknowledge("created")
		if err := os.WriteFile(filepath.Join(dir, "other"), nil, 0o600); err != nil { // while which the power is cut
			t.Fatal(err)
		}
	})
	r.Cuts(t, 20, 1, func(t *testing.T, c powercut.Cut) {
		if _, err := os.Stat(filepath.Join(c.Dir, "new", "home", "strata.db")); err != nil {
			t.Error(err)
		}
	})
}
