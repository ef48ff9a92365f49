package chart

import (
	"bytes"
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/strata-memory/strata"
)

// Sizes of the picture in points.
const (
	width       = 740 * vg.Length(1)
	panelHeight = 260 * vg.Length(1)
	margin      = 12 * vg.Length(1)
	legendWidth = 200 * vg.Length(1) // at the right of each panel
)

// Draw writes the results as one SVG with its panels in a column: latency and memory if
// there are scale results, recall at k if there are retrieval results, with published
// figures if they are of LoCoMo. The same results always produce the same bytes.
func Draw(w io.Writer, results []Named, theme Theme) error {
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
		if err := add(latency(scale, theme)); err != nil {
			return fmt.Errorf("plot latency: %w", err)
		}
		if err := add(memory(scale, theme)); err != nil {
			return fmt.Errorf("plot memory: %w", err)
		}
	}
	if len(runs) > 0 {
		if err := add(recall(runs, theme)); err != nil {
			return fmt.Errorf("plot recall: %w", err)
		}
	}
	if len(panels) == 0 {
		return strata.Invalid("plot", "there is nothing to plot", "name results of strata bench scale, locomo or retrieval")
	}
	canvas := vgsvg.New(width, panelHeight*vg.Length(len(panels)))
	paint(panels, draw.New(canvas), theme)
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return fmt.Errorf("write the plot: %w", err)
	}
	// If the font that was used to measure the texts is missing, viewers should fall back
	// to fonts with the same widths rather than their default serif font.
	const font = "font-family:Liberation Sans"
	if _, err := w.Write(bytes.ReplaceAll(svg.Bytes(), []byte(font), []byte(font+",Arial,Helvetica,sans-serif"))); err != nil {
		return fmt.Errorf("write the plot: %w", err)
	}
	return nil
}

// paint draws the panels with their legends to the right, where no line crosses them.
func paint(panels [][]*plot.Plot, c draw.Canvas, theme Theme) {
	c.SetColor(theme.ground())
	c.Fill(c.Rectangle.Path())
	legends := make([]plot.Legend, len(panels))
	for row, cells := range panels {
		theme.dress(cells[0])
		legends[row] = cells[0].Legend
		cells[0].Legend = plot.NewLegend()
	}
	tiles := draw.Tiles{
		Rows: len(panels), Cols: 1,
		PadTop: margin, PadBottom: margin, PadLeft: margin, PadRight: legendWidth, PadY: 2 * margin,
	}
	for row, cells := range plot.Align(panels, tiles, c) {
		panels[row][0].Draw(cells[0])
		side := cells[0]
		side.Min.X, side.Max.X = c.Max.X-legendWidth+2*margin, c.Max.X
		side.Max.Y -= 2 * margin // below the title
		legends[row].Top, legends[row].Left = true, true
		legends[row].Draw(side)
	}
}
