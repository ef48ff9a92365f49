package chart

import (
	"image/color"

	"gonum.org/v1/plot"
)

// Theme selects a light or dark background. The zero value is Light.
type Theme int

const (
	Light Theme = iota // dark on white
	Dark               // light on the dark gray of pages in dark mode
)

// gray is a shade of gray.
func gray(level uint8) color.RGBA { return color.RGBA{R: level, G: level, B: level, A: 0xff} }

// ground returns the background color. It is opaque, so that a picture is readable on any
// page.
func (t Theme) ground() color.Color {
	if t == Dark {
		return color.RGBA{R: 0x0d, G: 0x11, B: 0x17, A: 0xff}
	}
	return gray(0xff)
}

// ink returns the color of texts and axes.
func (t Theme) ink() color.Color {
	if t == Dark {
		return gray(0xe2)
	}
	return gray(0x1a)
}

// faint returns the color of the grid.
func (t Theme) faint() color.Color {
	if t == Dark {
		return gray(0x2c)
	}
	return gray(0xe4)
}

// line returns the color of line i. The colors are distinguishable for color-blind
// readers (Okabe and Ito, 2008), with a violet instead of the yellow, which is too faint
// on white, and are lighter on a dark background.
func (t Theme) line(i int) color.Color {
	colors := [...][2]color.RGBA{
		{{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, {R: 0x4d, G: 0xa8, B: 0xe8, A: 0xff}},
		{{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, {R: 0xf0, G: 0x81, B: 0x35, A: 0xff}},
		{{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, {R: 0x2c, G: 0xc4, B: 0x97, A: 0xff}},
		{{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, {R: 0xe0, G: 0x94, B: 0xbf, A: 0xff}},
		{{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}, {R: 0x9f, G: 0xd8, B: 0xfa, A: 0xff}},
		{{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}, {R: 0xf2, G: 0xb8, B: 0x3d, A: 0xff}},
		{{R: 0x6a, G: 0x3d, B: 0x9a, A: 0xff}, {R: 0xb8, G: 0x9a, B: 0xe6, A: 0xff}},
		{{R: 0x55, G: 0x55, B: 0x55, A: 0xff}, {R: 0xa8, G: 0xa8, B: 0xa8, A: 0xff}},
	}
	pair := colors[i%len(colors)]
	if t == Dark {
		return pair[1]
	}
	return pair[0]
}

// dress applies the theme's colors to a panel, except for its lines, which have theirs.
func (t Theme) dress(p *plot.Plot) {
	p.BackgroundColor = t.ground()
	p.Title.TextStyle.Color, p.Legend.TextStyle.Color = t.ink(), t.ink()
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Color, a.Tick.Label.Color = t.ink(), t.ink()
		a.LineStyle.Color, a.Tick.LineStyle.Color = t.ink(), t.ink()
	}
}
