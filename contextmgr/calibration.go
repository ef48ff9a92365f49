package contextmgr

import "math"

// Bounds on what is believed of reported usage. A server that reuses a cached
// prefix may report the new part only, and one that reports nonsense must not
// shrink the conversation to nothing.
const (
	minFactor = 0.5
	maxFactor = 6.0
	// leastRatio is the lowest share of the estimate that is taken for a count
	// of the whole request.
	leastRatio = 0.4
	// easing is how much of the way down one report leads: too high a count
	// costs room, too low a count costs the answer.
	easing = 0.25
	// caution is added when the factor falls.
	caution = 1.02
)

// calibration corrects the count of a request by what the model reports. Its
// zero value corrects nothing.
type calibration struct {
	// factor by which counts are multiplied; 0 means 1.
	factor float64
}

func (c calibration) value() float64 {
	if c.factor == 0 {
		return 1
	}
	return c.factor
}

// scale corrects a count, rounding up.
func (c calibration) scale(raw int) int {
	return int(math.Ceil(float64(raw) * c.value()))
}

// unscale returns how many counted tokens fit into real ones.
func (c calibration) unscale(tokens int) int {
	return int(float64(tokens) / c.value())
}

// observe learns from a request that was counted as raw and reported as
// reported. It rises at once and falls slowly.
func (c calibration) observe(raw, reported int) calibration {
	if raw <= 0 || reported <= 0 {
		return c
	}
	ratio := float64(reported) / float64(raw)
	if ratio < leastRatio {
		return c
	}
	f := c.value()
	if ratio > f {
		f = ratio
	} else if goal := ratio * caution; goal < f {
		f += (goal - f) * easing
	}
	return calibration{factor: min(max(f, minFactor), maxFactor)}
}

// refused learns from a request that was counted as raw and that the model
// refused as larger than window: it was at least that large.
func (c calibration) refused(raw, window int) calibration {
	f := max(c.value()*1.25, float64(window)/float64(max(raw, 1)))
	return calibration{factor: min(f, maxFactor)}
}
