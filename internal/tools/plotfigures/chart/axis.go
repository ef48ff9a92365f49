package chart

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// decades marks the powers of ten with a label, and the steps between them
// without one.
type decades struct{}

// Ticks returns the ticks of a logarithmic axis.
func (decades) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	for e := int(math.Floor(math.Log10(low))); e <= int(math.Ceil(math.Log10(high))); e++ {
		power := math.Pow10(e)
		for step := 1; step <= 9; step++ {
			v := power * float64(step)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			tick := plot.Tick{Value: v}
			if step == 1 {
				tick.Label = number(v)
			}
			out = append(out, tick)
		}
	}
	return out
}

// number formats a power of ten with thousands separators.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if v < 1000 {
		return text
	}
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// logarithmic makes an axis logarithmic, and extends it to full powers of ten.
func logarithmic(a *plot.Axis, low, high float64) {
	a.Scale = plot.LogScale{}
	a.Tick.Marker = decades{}
	a.Min = math.Pow10(int(math.Floor(math.Log10(low) + 1e-9)))
	a.Max = math.Pow10(int(math.Ceil(math.Log10(high) - 1e-9)))
	if a.Max <= a.Min {
		a.Max = 10 * a.Min // there is a single value
	}
}
