package token

import "slices"

// Bounds of what a report is believed to say, as multiples of the raw estimate.
// Tokenizers with tables of 30,000 to 260,000 entries take between a half and
// twice of the estimate for ordinary text; what lies far outside counts
// something else (only what was not cached, a whole bill, bytes).
const (
	leastRatio = 0.3 // less is not believed
	lowRatio   = 0.5 // less is taken for this
	highRatio  = 4.0 // more is taken for this
	// slack is the part of a report that may be there whatever the text is:
	// the frame that a server puts round a request, in tokens.
	slack = 200
	// lowFactor is the least factor for text that no report has covered. A
	// conversation in a language that takes few tokens may turn to another.
	lowFactor = 0.95
	// steady is added to what two reports differ by, so that a turn of a few
	// tokens says little about the factor.
	steady = 100
	// kept is how many reports count. The middle one of three is used, so that
	// one wrong report changes little.
	kept = 3
)

// Calibration turns raw estimates into the tokens that a model will report. It
// learns from the reports: the part of a conversation that was reported is
// known, and only what came after is estimated, with a factor that follows what
// the reports say of the estimate. One wrong report, however absurd, does not
// lead it astray. The zero value has seen nothing and uses the estimate as it
// is. It is not safe for concurrent use; it can be copied.
type Calibration struct {
	start   float64  // factor it began with; 0 means 1
	anchors []report // of this conversation, oldest first, at most kept
	ratios  []float64
	slopes  []float64
}

// report is what a model counted for a raw estimate.
type report struct{ raw, tokens float64 }

// NewCalibration returns a calibration that begins with a factor, such as one
// that [Calibration.Factor] gave for the same model earlier. Anything but a
// number between 0.5 and 4 means 1.
func NewCalibration(factor float64) Calibration {
	if !(factor >= lowRatio && factor <= highRatio) {
		factor = 1
	}
	return Calibration{start: factor}
}

// Factor is how many tokens the model counts for one of the raw estimate, in
// text that no report has covered. It can be stored to begin with another time.
func (c Calibration) Factor() float64 {
	if len(c.ratios) == 0 {
		return c.prior()
	}
	return max(lowFactor, median(pad(c.ratios, c.prior())), median(pad(c.slopes, c.prior())))
}

// Scale returns the tokens to expect for a raw estimate of a whole request: 0
// for 0, never negative, and never less for more.
func (c Calibration) Scale(raw int) int {
	if raw <= 0 {
		return 0
	}
	f := c.Factor()
	lines := make([]float64, 0, kept)
	for _, a := range c.anchors {
		lines = append(lines, a.line(float64(raw), f))
	}
	return int(median(pad(lines, f*float64(raw))) + 0.5)
}

// line continues a report to a raw estimate: what came after the report counts
// by the factor. A shorter request counts by the factor too, but no more than
// the longer one did.
func (r report) line(raw, factor float64) float64 {
	if raw < r.raw {
		return min(factor*raw, r.tokens)
	}
	return r.tokens + factor*(raw-r.raw)
}

// Observe learns that a request with this raw estimate was reported as so many
// tokens. Requests are observed in the order they were sent, each being the one
// before with more at its end; see [Calibration.Rebase]. It reports whether the
// report was believed: one of 0, a negative one or one much too low, as from a
// server that counts only what it had not cached, is not, and changes nothing.
func (c *Calibration) Observe(raw, reported int) bool {
	if raw <= 0 || reported <= 0 || float64(reported) < leastRatio*float64(raw) {
		return false
	}
	r := report{raw: float64(raw)}
	r.tokens = min(max(float64(reported), lowRatio*r.raw), highRatio*r.raw+slack)
	if n := len(c.anchors); n > 0 && r.raw > c.anchors[n-1].raw {
		last := c.anchors[n-1]
		c.slopes = push(c.slopes, clamp((r.tokens-last.tokens+steady)/(r.raw-last.raw+steady)))
	}
	c.ratios = push(c.ratios, clamp((r.tokens+steady)/(r.raw+steady)))
	c.anchors = push(c.anchors, r)
	return true
}

// Rebase says that the next request does not begin with the one observed last,
// as after a compaction. What was learnt of the model stays.
func (c *Calibration) Rebase() { c.anchors = nil }

func (c Calibration) prior() float64 {
	if c.start == 0 {
		return 1
	}
	return c.start
}

func clamp(ratio float64) float64 { return min(max(ratio, lowRatio), highRatio) }

// push appends to a new slice, so that copies do not share, and keeps the
// newest.
func push[T any](s []T, v T) []T {
	out := append(slices.Clip(slices.Clone(s)), v)
	return out[max(0, len(out)-kept):]
}

// pad fills up to the number of reports that count with what is expected.
func pad(s []float64, v float64) []float64 {
	s = slices.Clone(s)
	for len(s) < kept {
		s = append(s, v)
	}
	return s
}

// median is the middle of three.
func median(s []float64) float64 {
	slices.Sort(s)
	return s[len(s)/2]
}
