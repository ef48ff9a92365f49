package recall

import "math"

const (
	// minResidual is the residual, in standard deviations, above which a passage gains
	// closeness.
	minResidual = 1
	// residualGain is how much closeness a passage gains for each standard deviation of
	// residual above minResidual, in standard deviations of the base cosines.
	residualGain = 4
	// minResidualSD is the smallest residual standard deviation at which a model is used,
	// as a fraction of the root mean square of its cosines. Anything smaller is rounding:
	// the vectors are those of the base embedder in another form, or all the same.
	minResidualSD = 1e-3
	// minAgreement and fullAgreement bound the agreement of a model's residuals with the
	// words, in standard errors of the correlation: a model is not trusted up to
	// minAgreement and fully trusted from fullAgreement. Meaningless vectors scatter
	// around 0 with a standard deviation of 1; word vectors beside hashed features reach
	// 4. Source: docs/ranking.md.
	minAgreement  = 3.0
	fullAgreement = 5.0
)

// pair holds the cosine of a passage with the question under both embeddings, and how
// much of the question's words the passage holds.
type pair struct {
	base, model float32
	words       float64
}

// regression is the least-squares linear regression of the model's cosines on the base
// cosines. How a model scales its cosines, and how similar all of its vectors are,
// affects the line but not how far a passage deviates from it.
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

// judges reports whether there are enough pairs to judge the model by. With fewer, the
// model is trusted: there is little to rank.
func (r regression) judges() bool { return r.n >= minJudged }

// degenerate reports whether the model adds nothing to the base embedder.
func (r regression) degenerate() bool { return r.judges() && r.residualSD <= minResidualSD*r.rms }

// residual returns how far the model's cosine lies above the line, in standard
// deviations. It is rounded so that the order of summation does not decide between equal
// hits.
func (r regression) residual(p pair) float64 {
	z := (float64(p.model) - r.intercept - r.slope*float64(p.base)) / r.residualSD
	return math.Round(1e4*z) / 1e4
}

// gain returns the closeness, in [0,1], that a passage gains from a fully trusted model.
func (r regression) gain(p pair, w Weights) float64 {
	if !r.judges() {
		return max(0, w.closeness(p.model)-w.closeness(p.base))
	}
	return min(residualGain*max(0, r.residual(p)-minResidual)*r.baseSD/(1-w.Floor), 1)
}

// trust returns how far to trust the model on this question, in [0,1]: how well its
// deviations from the base embedder agree with the words. A useful model places passages
// with words of the question nearer than others, even more so for rare words; meaningless
// or adversarial vectors do not. If the passages do not differ in words, trust compares
// the model's cosines with those of the base embedder instead.
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
	return math.Round(1000*min(max(0, (agreement-minAgreement)/(fullAgreement-minAgreement)), 1)) / 1000
}

// moments holds the means of two variables over some pairs, and the sums of the squares
// and products of their deviations.
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
