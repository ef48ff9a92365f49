package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shape returns the shape of a line's points, so that lines differ by more than color.
func shape(i int) draw.GlyphDrawer {
	shapes := [...]draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.PlusGlyph{},
	}
	return shapes[i%len(shapes)]
}

// style is the style of a line.
type style struct {
	number int  // chooses color and shape
	bold   bool // for the subject of the picture
	dashed bool // for what it is compared with
	theme  Theme
}

// addLine adds a line with its points to a panel and its legend, unless it has no points.
func addLine(p *plot.Plot, name string, xys plotter.XYs, s style) error {
	if len(xys) == 0 {
		return nil
	}
	line, dots, err := plotter.NewLinePoints(xys)
	if err != nil {
		return err
	}
	line.Color, dots.Color = s.theme.line(s.number), s.theme.line(s.number)
	line.Width, dots.Radius, dots.Shape = vg.Points(1.2), vg.Points(2.5), shape(s.number)
	if s.bold {
		line.Width, dots.Radius = vg.Points(2.4), vg.Points(3.5)
	}
	if s.dashed {
		line.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	}
	p.Add(line, dots)
	p.Legend.Add(name, line, dots)
	return nil
}

// sans is the font variant that is most legible at these sizes.
const sans = "Sans"

// newPanel returns an empty panel with a faint grid.
func newPanel(title, x, y string, theme Theme) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font.Size = vg.Points(13)
	p.Title.Padding = vg.Points(6)
	p.Title.TextStyle.Font.Variant, p.Legend.TextStyle.Font.Variant = sans, sans
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font.Variant, a.Tick.Label.Font.Variant = sans, sans
		a.Label.TextStyle.Font.Size = vg.Points(11)
		a.Tick.Label.Font.Size = vg.Points(10)
	}
	p.Legend.TextStyle.Font.Size = vg.Points(9)
	p.Legend.Padding = vg.Points(4)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = theme.faint(), theme.faint()
	p.Add(grid)
	return p
}
