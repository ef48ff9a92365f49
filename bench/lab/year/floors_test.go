package main

import (
	"strings"
	"testing"
)

// The figures of a year of a hundred sessions that are held, in percent: what was
// reached with seed 1, less 0.5 for what should be high, more 0.5 for what should be
// low. They are tightened with what is reached, and never loosened.
const (
	seed  = 1
	talks = 100

	leastKept    = 63.4
	leastFound   = 90.6
	leastThen    = 93.2
	mostUnseen   = 50.5 // ends that were not seen, or kept beside what ended
	mostNoise    = 2.1
	mostCrossed  = 0.5
	mostMisfiled = 1
	mostTokens   = 1176 // at the start of a session in the last month
)

// A year passes, and memory is as good as it was.
func TestFloorsOfAYear(t *testing.T) {
	if testing.Short() {
		t.Skip("lives a year")
	}
	r, err := Run(t.Context(), Options{Dir: t.TempDir(), Seed: seed, Sessions: talks, Open: open})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range r.Headlines() {
		t.Logf("%-42s %s", h.Name, h.Value)
	}
	f := r.Figures
	c := f.Changes
	for _, floor := range []struct {
		name       string
		got, least float64
	}{
		{"kept of what was told", 100 * f.KeptShare(), leastKept},
		{"found at 5", 100 * f.Holding.Share(), leastFound},
		{"found as of its time", 100 * c.AsOf.Share(), leastThen},
	} {
		if floor.got < floor.least {
			t.Errorf("%s: %.2f, the floor is %.1f", floor.name, floor.got, floor.least)
		}
	}
	for _, ceiling := range []struct {
		name      string
		got, most float64
	}{
		{"ends not understood", 100 * share(c.Missed+c.Beside, c.Ended), mostUnseen},
		{"noise", 100 * f.NoiseShare(), mostNoise},
		{"seen in the other project", 100 * share(f.Crossed, f.OfProjects), mostCrossed},
		{"misfiled", float64(f.Misfiled), mostMisfiled},
		{"tokens in the last month", float64(f.Tokens[11]), mostTokens},
	} {
		if ceiling.got > ceiling.most {
			t.Errorf("%s: %.2f, the ceiling is %.1f", ceiling.name, ceiling.got, ceiling.most)
		}
	}
	if c.Current > 0 || f.SecretsLeaked > 0 || f.Index.Intact < f.Index.Written || !f.Index.fits() {
		t.Errorf("%d past as current, %d secrets leaked, index %+v", c.Current, f.SecretsLeaked, f.Index)
	}
	if f.Archive.Sessions == 0 || f.Archive.Restored == 0 || f.Archive.Whole < f.Archive.Restored {
		t.Errorf("archived sessions: %+v", f.Archive)
	}
	if f.Secrets == 0 || f.Index.Written == 0 || f.OfProjects == 0 || c.Understood == 0 || c.AsOf.Asked == 0 {
		t.Errorf("nothing was looked for: %+v", f)
	}
	for _, fail := range r.Failures {
		if fail.Kind == FailCurrent || fail.Kind == FailSecret || fail.Kind == FailLine {
			t.Errorf("%s: %s, want %s, got %s", fail.Kind, fail.Said, fail.Want, fail.Got)
		}
	}
	page, err := r.Report()
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(page), "<svg"); n != 3 {
		t.Errorf("the report has %d plots", n)
	}
	if !strings.Contains(string(page), "<td>index<td class=\"number\">") {
		t.Error("the report does not say what the prompt is made of")
	}
}
