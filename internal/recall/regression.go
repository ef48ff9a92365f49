package recall

import "math"

const (
	// minResidual is the residual, in standard deviations, from which a passage
	// gains anything.
	minResidual = 1
	// residualGain is how much a passage gains for each standard deviation above
	// minResidual: the closeness of so many standard deviations of the base
	// cosines.
	residualGain = 4
	// minResidualSD is the least residual standard deviation, as a part of the
	// root mean square of the model's cosines, from which the model is heeded. What
	// is below is rounding: the vectors are those of the base embedder in another
	// guise, or one vector for all.
	minResidualSD = 1e-3
	// A model is trusted from where its residuals agree with the words by more than
	// chance, in standard errors of the correlation, and in full from sure. Those of
	// vectors that mean nothing scatter around 0 with a standard deviation of 1, those
	// of word vectors beside hashed features lie at 4. Source: docs/ranking.md.
	chance = 3.0
	sure   = 5.0
)

// pair is the cosine of a passage with the question by both embeddings, and how
// much of the question's words the passage holds.
type pair struct {
	base, model float32
	words       float64
}

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
	m := momentsOf(pairs, func(p pair) (x, y float64) { return float64(p.base), float64(p.model) })
	if m.xx > 1e-12 {
		r.slope = m.xy / m.xx
	}
	r.intercept = m.y - r.slope*m.x
	r.residualSD = math.Sqrt(max(0, m.yy-r.slope*m.xy) / (m.n - 2))
	r.rms = math.Sqrt(m.yy/m.n + m.y*m.y)
	r.baseSD = math.Sqrt(m.xx / m.n)
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
// how much what it says beyond the base embedder agrees with the words. Whatever a
// model knows of meaning, it puts passages with words of the question nearer than
// others, and rare words more so; vectors that mean nothing, or are wrong on
// purpose, do not. Where no words tell, its cosines have to agree with those of the
// base embedder.
func (r regression) trust(pairs []pair) float64 {
	if !r.judges() {
		return 1
	}
	m := momentsOf(pairs, func(p pair) (x, y float64) { return r.residual(p), p.words })
	if m.yy <= 1e-12 {
		m = momentsOf(pairs, func(p pair) (x, y float64) { return float64(p.model), float64(p.base) })
	}
	if m.xx <= 1e-12 || m.yy <= 1e-12 {
		return 0
	}
	agreement := m.xy / math.Sqrt(m.xx*m.yy) * math.Sqrt(m.n)
	return math.Round(1000*min(max(0, (agreement-chance)/(sure-chance)), 1)) / 1000
}

// moments are the means of two numbers of some pairs, and the sums of squares and
// products of what differs from them.
type moments struct {
	n, x, y, xx, yy, xy float64
}

func momentsOf(pairs []pair, of func(pair) (x, y float64)) moments {
	m := moments{n: float64(len(pairs))}
	for _, p := range pairs {
		x, y := of(p)
		m.x, m.y = m.x+x, m.y+y
		m.xx, m.yy, m.xy = m.xx+x*x, m.yy+y*y, m.xy+x*y
	}
	m.x, m.y = m.x/m.n, m.y/m.n
	m.xx = max(0, m.xx-m.n*m.x*m.x)
	m.yy = max(0, m.yy-m.n*m.y*m.y)
	m.xy -= m.n * m.x * m.y
	return m
}
