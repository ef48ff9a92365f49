package main

import (
	"strings"
	"testing"
)

// Of a package with one tested and one untested function, what no test holds survives:
// the sign of the untested one, and a boundary that changes nothing.
func TestMutantsOfASample(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go test for each mutant")
	}
	var out strings.Builder
	if err := run(t.Context(), &out, "./testdata/sample", 60, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"survived          sample.go:6  <  →  <=",
		"killed            sample.go:6  return b  →",
		"survived          sample.go:14  !  →",
		"./testdata/sample: 3 mutants, 1 killed, 0 timed out, 2 survived",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}
