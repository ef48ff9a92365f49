//go:build amd64 || arm64

package local_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/powercut"
	"github.com/strata-memory/strata/internal/home/homedir"
	"github.com/strata-memory/strata/local"
)

// recordCreation records how a home is made that nobody has seen before.
func recordCreation(t *testing.T) *powercut.Recording {
	t.Helper()
	return powercut.Record(t, t.TempDir(), func(dir string, acknowledge func(string)) {
		acknowledge("begun")
		opened, err := local.Open(t.Context(), filepath.Join(dir, "home"))
		if err != nil {
			t.Fatal(err)
		}
		mem := opened.Engine()
		if err := mem.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// wantFinished wants a home whose creation was cut to be no damaged and no lost one, and
// the next opening to finish it.
func wantFinished(t *testing.T, home string) {
	t.Helper()
	if mended, err := local.Mend(t.Context(), home, nil); mended || err != nil && strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("mended %v, %v", mended, err)
	}
	problems, err := local.Examine(t.Context(), home, nil)
	if len(problems) > 0 || err != nil && strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("%d problems, %v", len(problems), err)
	}
	if homedir.LostDatabase(home) {
		t.Error("it is taken for a home whose database was lost")
	}
	var notices []string
	opened, err := local.OpenWith(t.Context(), local.Options{Home: home, Notice: func(s string) { notices = append(notices, s) }})
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	defer mem.Close()
	if len(notices) > 0 {
		t.Errorf("noticed: %s", strings.Join(notices, "; "))
	}
	if _, err := mem.Save(t.Context(), strata.Global(), "The gate is painted green"); err != nil {
		t.Error(err)
	}
	report, err := mem.Doctor(t.Context(), nil)
	if err != nil || len(report.Problems) > 0 {
		t.Errorf("once it is finished: %+v, %v", report.Problems, err)
	}
}

func TestAHomeWhoseCreationWasKilledIsFinished(t *testing.T) {
	n := 150
	if testing.Short() {
		n = 25
	}
	recordCreation(t).Kills(t, n, func(t *testing.T, c powercut.Cut) { wantFinished(t, filepath.Join(c.Dir, "home")) })
}

func TestAHomeWhoseCreationLostPowerIsFinished(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 15
	}
	recordCreation(t).Cuts(t, n, 41, func(t *testing.T, c powercut.Cut) { wantFinished(t, filepath.Join(c.Dir, "home")) })
}
