package chart

import (
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/strata-memory/strata"
)

// The size of the picture, in points.
const (
	width       = 640 * vg.Length(1)
	panelHeight = 300 * vg.Length(1)
	margin      = 12 * vg.Length(1)
)

// Draw writes the results as one SVG with a panel below the other: latency and
// memory where there are scales, recall at k where there are retrievals.
// Published figures stand beside retrievals of LoCoMo.
// The same results make the same bytes.
func Draw(w io.Writer, results []Named) error {
	scale, err := points(results)
	if err != nil {
		return err
	}
	runs, err := retrievals(results)
	if err != nil {
		return err
	}
	var panels [][]*plot.Plot
	add := func(p *plot.Plot, err error) error {
		panels = append(panels, []*plot.Plot{p})
		return err
	}
	if len(scale) > 0 {
		if err := add(latency(scale)); err != nil {
			return fmt.Errorf("plot latency: %w", err)
		}
		if err := add(memory(scale)); err != nil {
			return fmt.Errorf("plot memory: %w", err)
		}
	}
	if len(runs) > 0 {
		if err := add(recall(runs)); err != nil {
			return fmt.Errorf("plot recall: %w", err)
		}
	}
	if len(panels) == 0 {
		return strata.Invalid("plot", "there is nothing to plot", "name results of strata bench scale, locomo or retrieval")
	}
	canvas := vgsvg.New(width, panelHeight*vg.Length(len(panels)))
	tiles := draw.Tiles{
		Rows: len(panels), Cols: 1,
		PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: 2 * margin, PadY: 2 * margin,
	}
	for row, cells := range plot.Align(panels, tiles, draw.New(canvas)) {
		panels[row][0].Draw(cells[0])
	}
	if _, err := canvas.WriteTo(w); err != nil {
		return fmt.Errorf("write the plot: %w", err)
	}
	return nil
}
