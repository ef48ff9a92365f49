package token

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestCalibrationThatSawNothingTakesTheEstimate(t *testing.T) {
	for _, c := range []Calibration{{}, NewCalibration(1), NewCalibration(0), NewCalibration(-3), NewCalibration(math.NaN()), NewCalibration(math.Inf(1)), NewCalibration(0.1), NewCalibration(1e9)} {
		for raw, want := range map[int]int{-5: 0, 0: 0, 1: 1, 1000: 1000} {
			if got := c.Scale(raw); got != want {
				t.Errorf("%+v.Scale(%d) = %d, want %d", c, raw, got, want)
			}
		}
	}
}

func TestCalibrationKnowsWhatWasReported(t *testing.T) {
	var c Calibration
	if !c.Observe(1000, 1200) {
		t.Fatal("a plain report was not believed")
	}
	if got := c.Scale(1000); got != 1200 {
		t.Errorf("Scale of what was reported = %d, want 1200", got)
	}
	if got := c.Scale(1100); got < 1300 || got > 1330 {
		t.Errorf("Scale of a little more = %d, want 1200 and about 120", got)
	}
	if got := c.Scale(500); got < 550 || got > 610 {
		t.Errorf("Scale of half = %d, want about 600", got)
	}
}

func TestCalibrationKeepsItsFactorAcrossCompactionsAndProcesses(t *testing.T) {
	var c Calibration
	for raw := 1000; raw <= 5000; raw += 1000 {
		c.Observe(raw, raw*3/2)
	}
	c.Rebase()
	if got := c.Scale(1000); got < 1450 || got > 1550 {
		t.Errorf("after a compaction Scale(1000) = %d, want about 1500", got)
	}
	if got := NewCalibration(c.Factor()).Scale(1000); got < 1450 || got > 1550 {
		t.Errorf("begun again Scale(1000) = %d, want about 1500", got)
	}
}

// The factor goes down too where a model takes fewer tokens than it took, but
// never under the estimate.
func TestCalibrationUnlearnsSlowly(t *testing.T) {
	c := NewCalibration(2)
	for raw := 1000; raw <= 20_000; raw += 1000 {
		c.Observe(raw, raw*4/5)
	}
	if f := c.Factor(); f != 1 {
		t.Errorf("factor = %.2f, want 1", f)
	}
}

func TestCalibrationIsNotLedAstrayByOneReport(t *testing.T) {
	const perTurn, truth = 500, 1.1
	wrong := map[string]func(tokens int) int{
		"nothing":         func(int) int { return 0 },
		"negative":        func(n int) int { return -n },
		"one":             func(int) int { return 1 },
		"only the turn":   func(int) int { return perTurn },
		"a tenth":         func(n int) int { return n / 10 },
		"two fifths":      func(n int) int { return n * 2 / 5 },
		"three times":     func(n int) int { return 3 * n },
		"a hundred times": func(n int) int { return 100 * n },
		"everything":      func(int) int { return math.MaxInt },
		"the least":       func(int) int { return math.MinInt },
	}
	for name, report := range wrong {
		t.Run(name, func(t *testing.T) {
			for bad := 1; bad <= 8; bad++ { // which report is wrong
				var c Calibration
				for turn := 1; turn <= 12; turn++ {
					raw := turn * perTurn
					tokens := int(float64(raw) * truth)
					got := float64(c.Scale(raw)) / float64(tokens)
					if turn > 2 && (got < 0.9 || got > 1.35) {
						t.Errorf("report %d wrong: request %d is estimated at %.2f of the truth", bad, turn, got)
					}
					if turn == bad {
						tokens = report(tokens)
					}
					c.Observe(raw, tokens)
				}
			}
		})
	}
}

// What counts something else than the tokens of the prompt is not believed,
// however often it is reported.
func TestCalibrationNeverBelievesWhatIsOutOfProportion(t *testing.T) {
	for name, report := range map[string]func(raw int) int{
		"a tenth": func(raw int) int { return raw / 10 }, "ten times": func(raw int) int { return 10 * raw },
	} {
		var c Calibration
		for raw := 1000; raw <= 8000; raw += 1000 {
			if c.Observe(raw, report(raw)) {
				t.Errorf("%s of %d is believed", name, raw)
			}
			if got := c.Scale(raw); got != raw {
				t.Errorf("%s: Scale(%d) = %d", name, raw, got)
			}
		}
	}
}

func TestCalibrationBelievesASurpriseThatIsConfirmed(t *testing.T) {
	var c Calibration
	for raw := 1000; raw <= 4000; raw += 1000 {
		c.Observe(raw, raw)
	}
	// From here on the model counts half, as after a change of the model.
	if c.Observe(5000, 2500) {
		t.Error("a surprise was believed at once")
	}
	if !c.Observe(6000, 3000) {
		t.Error("a confirmed surprise was not believed")
	}
	if got := c.Scale(6000); got != 3000 {
		t.Errorf("Scale(6000) = %d, want 3000", got)
	}
}

// Whatever is reported: never negative, never less for more, never far from the
// estimate.
func TestCalibrationStaysSane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCalibration(rapid.Float64().Draw(t, "start"))
		for range rapid.IntRange(0, 8).Draw(t, "reports") {
			if rapid.IntRange(0, 5).Draw(t, "rebase") == 0 {
				c.Rebase()
			}
			c.Observe(rapid.IntRange(-10, 1_000_000).Draw(t, "raw"), rapid.IntRange(-10, 10_000_000).Draw(t, "reported"))
		}
		if f := c.Factor(); !(f >= lowFactor && f <= maxRatio) {
			t.Fatalf("factor = %v", f)
		}
		a := rapid.IntRange(0, 1_000_000).Draw(t, "a")
		b := a + rapid.IntRange(0, 1_000_000).Draw(t, "more")
		if c.Scale(a) > c.Scale(b) {
			t.Fatalf("Scale(%d) = %d, Scale(%d) = %d", a, c.Scale(a), b, c.Scale(b))
		}
		if n := float64(c.Scale(a)); n < 0 || n > maxRatio*float64(a)+1+slack*(1+maxRatio) {
			t.Fatalf("Scale(%d) = %v", a, n)
		}
	})
}

func TestCopiesOfACalibrationAreIndependent(t *testing.T) {
	var a Calibration
	a.Observe(1000, 1100)
	b := a
	b.Observe(2000, 3000)
	if got := a.Scale(1000); got != 1100 {
		t.Errorf("a copy changed the original: Scale(1000) = %d", got)
	}
}

func TestUnscaleIsTheMostThatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCalibration(rapid.Float64Range(1, 6).Draw(t, "factor"))
		raw := rapid.IntRange(0, 100_000).Draw(t, "raw")
		c.Observe(raw, int(float64(raw)*rapid.Float64Range(0.8, 1.4).Draw(t, "ratio")))
		n := rapid.IntRange(-10, 1<<20).Draw(t, "tokens")
		fit := c.Unscale(n)
		if c.Scale(fit) > max(n, 0)+1 || c.Scale(fit+2) < n {
			t.Fatalf("%d raw tokens are said to fit %d; they and two more cost %d and %d", fit, n, c.Scale(fit), c.Scale(fit+2))
		}
	})
}

func TestRefusedRaisesTheFactor(t *testing.T) {
	for _, c := range []struct {
		raw, window int
		want        float64
	}{{1000, 8192, 6}, {8000, 8192, 1.25}, {0, 8192, 6}} {
		var cal Calibration
		cal.Refused(c.raw, c.window)
		if f := cal.Factor(); f != c.want {
			t.Errorf("refused %d in a window of %d: the factor is %.2f, want %.2f", c.raw, c.window, f, c.want)
		}
	}
}

func TestBoundForgetsWhatContradictsIt(t *testing.T) {
	c := NewCalibration(4)
	c.Observe(1000, 4000)
	c.Bound(2)
	if c.Factor() != 2 || c.Scale(1000) != 2000 {
		t.Errorf("factor %.2f, 1000 scale to %d", c.Factor(), c.Scale(1000))
	}
	if c.Bound(0); c.Factor() != 1 {
		t.Errorf("bound below 1: factor %.2f", c.Factor())
	}
}

func TestCalibrationSurvivesJSON(t *testing.T) {
	c := NewCalibration(1.4)
	c.Observe(10_000, 13_000)
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back Calibration
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	for _, raw := range []int{1, 5000, 10_000, 20_000} {
		if got, want := back.Scale(raw), c.Scale(raw); got != want {
			t.Errorf("%d scale to %d after %s, before to %d", raw, got, data, want)
		}
	}
	for _, bad := range []string{`{"factor":-4}`, `{"raw":10,"tokens":1e9}`, `{"raw":-1,"tokens":5}`} {
		if err := json.Unmarshal([]byte(bad), &back); err != nil || back.Scale(1000) != 1000 {
			t.Errorf("%s: %v, 1000 scale to %d", bad, err, back.Scale(1000))
		}
	}
}
