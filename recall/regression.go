package recall

import (
	"cmp"
	"math"
	"slices"
)

const (
	// minResidual is the residual, in standard deviations, from which a passage
	// gains anything.
	minResidual = 1
	// residualGain is how much a passage gains for each standard deviation above
	// minResidual: the closeness of so many standard deviations of the base
	// cosines. The answers of a good model lie four deviations out and more, and
	// are then taken to be as close as the closest by words.
	residualGain = 2
	// minResidualSD is the least residual standard deviation, as a part of the
	// root mean square of the model's cosines, from which the model is heeded. What
	// is below is rounding: the vectors are those of the base embedder in another
	// guise, or one vector for all.
	minResidualSD = 1e-3
	// topFew is the number of passages by whose mean residual a model is judged,
	// as well as by the first alone: what a question is about is often said more
	// than once.
	topFew = 5
	// A model is trusted from where the largest residual, or the mean of the few
	// largest, exceeds what is expected by chance by so many standard deviations
	// (chance), and in full from a larger excess (sure). Source: on the
	// development data 1.5 % of the questions exceed chanceFirst with vectors that
	// mean nothing, 1 % exceed chanceFew, and one in a thousand exceeds sureFirst
	// or sureFew.
	chanceFirst, sureFirst = 1.0, 1.75
	chanceFew, sureFew     = 0.6, 1.1
)

// pair is the cosine of a passage with the question by both embeddings.
type pair struct{ base, model float32 }

// regression is the linear regression of the model's cosines on the base cosines
// by least squares. How a model scales its cosines, and how much alike all its
// vectors are, changes the line and not what stands out from it.
type regression struct {
	n                int
	intercept, slope float64 // model = intercept + slope * base
	residualSD       float64 // standard deviation of the model's cosines around the line
	rms              float64 // root mean square of the model's cosines
	baseSD           float64 // standard deviation of the base cosines
}

func fitRegression(pairs []pair) regression {
	r := regression{n: len(pairs)}
	if !r.judges() {
		return r
	}
	var x, y, xx, yy, xy float64
	for _, p := range pairs {
		a, b := float64(p.base), float64(p.model)
		x, y = x+a, y+b
		xx, yy, xy = xx+a*a, yy+b*b, xy+a*b
	}
	n := float64(r.n)
	xx, xy = xx-x*x/n, xy-x*y/n
	if xx > 1e-12 {
		r.slope = xy / xx
	}
	r.intercept = (y - r.slope*x) / n
	r.residualSD = math.Sqrt(max(0, yy-y*y/n-r.slope*xy) / (n - 2))
	r.rms = math.Sqrt(yy / n)
	r.baseSD = math.Sqrt(max(0, xx) / n)
	return r
}

// judges reports whether there were enough pairs to judge the model by. With
// fewer it is trusted: there is little to rank.
func (r regression) judges() bool { return r.n >= minJudged }

// degenerate reports whether the model says no more than the base embedder.
func (r regression) degenerate() bool { return r.judges() && r.residualSD <= minResidualSD*r.rms }

// residual returns by how many standard deviations the model's cosine lies above
// the line. It is rounded, so that the order of the sums does not decide between
// equal hits.
func (r regression) residual(p pair) float64 {
	z := (float64(p.model) - r.intercept - r.slope*float64(p.base)) / r.residualSD
	return math.Round(1e4*z) / 1e4
}

// gain returns what a passage gains by a model that is trusted in full, in [0,1].
func (r regression) gain(p pair, w Weights) float64 {
	if !r.judges() {
		return max(0, w.closeness(p.model)-w.closeness(p.base))
	}
	return min(residualGain*max(0, r.residual(p)-minResidual)*r.baseSD/(1-w.Floor), 1)
}

// trust returns how far the model is to be trusted on this question, in [0,1]: by
// how much the largest residuals exceed those that are expected by chance. The
// largest of n cosines that mean nothing are taken for order statistics of a normal
// distribution, so that more passages do not make a useless model look better.
func (r regression) trust(pairs []pair, n float64) float64 {
	if !r.judges() {
		return 1
	}
	residuals := make([]float64, len(pairs))
	for i, p := range pairs {
		residuals[i] = r.residual(p)
	}
	slices.SortFunc(residuals, func(a, b float64) int { return cmp.Compare(b, a) })
	top := residuals[:min(topFew, len(residuals))]
	n = max(n, float64(len(pairs)))
	few := 0.0
	for i, z := range top {
		few += (z - orderStatistic(i, n)) / float64(len(top))
	}
	first := (top[0] - orderStatistic(0, n) - chanceFirst) / (sureFirst - chanceFirst)
	few = (few - chanceFew) / (sureFew - chanceFew)
	return math.Round(1000*min(max(0, first, few), 1)) / 1000
}

// orderStatistic returns the expected value of the i-th largest, from 0, of n
// numbers of a standard normal distribution. Source: G. Blom, Statistical
// Estimates and Transformed Beta-Variables, 1958.
func orderStatistic(i int, n float64) float64 {
	p := (float64(i) + 0.625) / (n + 0.25)
	return math.Sqrt2 * math.Erfinv(1-2*p)
}
