package chart

import (
	"fmt"
	"math"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/strata-memory/strata/bench"
)

// series is one line by number of facts. Values of 0 were not measured.
type series struct {
	name string
	of   func(bench.Point) float64
	bold bool
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// latency draws the duration of calls by number of facts.
func latency(scale []bench.Point, theme Theme) (*plot.Plot, error) {
	return overFacts("Latency", "milliseconds", scale, theme, []series{
		{"recall, p50", func(p bench.Point) float64 { return ms(p.Recall.P50) }, true},
		{"recall, p99", func(p bench.Point) float64 { return ms(p.Recall.P99) }, false},
		{"by words alone, p50", func(p bench.Point) float64 { return ms(p.Words.P50) }, false},
		{"10 nearest vectors alone, p50", func(p bench.Point) float64 { return ms(p.Nearest.P50) }, false},
		{"opening the home", func(p bench.Point) float64 { return ms(p.Open) }, false},
		{"recall from the shell", func(p bench.Point) float64 { return ms(p.Shell) }, false},
	})
}

// memory draws the bytes in memory and on disk by number of facts.
func memory(scale []bench.Point, theme Theme) (*plot.Plot, error) {
	return overFacts("Memory and disk", "MiB", scale, theme, []series{
		{"anonymous memory, serving", func(p bench.Point) float64 { return mib(p.Anonymous) }, true},
		{"files of the home, all indexes", func(p bench.Point) float64 { return mib(p.Bytes) }, false},
	})
}

func overFacts(title, unit string, scale []bench.Point, theme Theme, lines []series) (*plot.Plot, error) {
	p := newPanel(title, "facts", unit, theme)
	low, high := 0.0, 0.0
	for i, s := range lines {
		var xys plotter.XYs
		for _, point := range scale {
			y := s.of(point)
			if y <= 0 {
				continue
			}
			xys = append(xys, plotter.XY{X: float64(point.Facts), Y: y})
			if low == 0 || y < low {
				low = y
			}
			high = max(high, y)
		}
		if err := addLine(p, s.name, xys, style{number: i, bold: s.bold, theme: theme}); err != nil {
			return nil, err
		}
	}
	if low == 0 {
		return nil, fmt.Errorf("none of the points has a figure for it")
	}
	logarithmic(&p.X, float64(scale[0].Facts), float64(scale[len(scale)-1].Facts))
	logarithmic(&p.Y, low, high)
	return p, nil
}

// recall draws recall at k of the runs and, if these are LoCoMo's by turn, the published
// figures.
func recall(runs []Named, theme Theme) (*plot.Plot, error) {
	p := newPanel("Evidence found", "among the first k", "recall@k", theme)
	var marks []plot.Tick
	for i, k := range bench.Cutoffs {
		marks = append(marks, plot.Tick{Value: float64(i), Label: fmt.Sprint(k)})
	}
	low := 1.0
	line := func(name string, values []float64, s style) error {
		var xys plotter.XYs
		for i, v := range values {
			if v > 0 {
				xys = append(xys, plotter.XY{X: float64(i), Y: v})
				low = min(low, v)
			}
		}
		return addLine(p, name, xys, s)
	}
	for i, r := range runs {
		name := fmt.Sprintf("Strata: %s", r.Name)
		if err := line(name, r.Result.Scores.Recall[:], style{number: i, bold: true, theme: theme}); err != nil {
			return nil, err
		}
	}
	if first := runs[0].Result; first.Collection == bench.CollectionLoCoMo && first.Settings.Unit != bench.UnitSession {
		for i, other := range bench.PublishedLoCoMo() {
			if err := line(other.Name, other.Recall[:], style{number: len(runs) + i, dashed: true, theme: theme}); err != nil {
				return nil, err
			}
		}
		p.Title.Text = "Evidence of LoCoMo found (dashed: all ten conversations)"
	}
	p.X.Tick.Marker = plot.ConstantTicks(marks)
	p.X.Min, p.X.Max = -0.25, float64(len(bench.Cutoffs))-0.75
	p.Y.Min, p.Y.Max = max(0, math.Floor(10*low)/10), 1
	var tenths []plot.Tick
	for t := math.Round(10 * p.Y.Min); t <= 10; t++ {
		tenths = append(tenths, plot.Tick{Value: t / 10, Label: fmt.Sprintf("%.1f", t/10)})
	}
	p.Y.Tick.Marker = plot.ConstantTicks(tenths)
	return p, nil
}
