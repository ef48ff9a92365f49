package recall

import (
	"cmp"
	"math"
	"slices"
)

const (
	// leastResidual is how many deviations a passage must lie above what is
	// expected to gain anything.
	leastResidual = 1
	// topFew is of how many passages the mean is judged, beside the first alone:
	// what a question is about is told more than once.
	topFew = 5
	// chanceFirst and chanceFew are by how many deviations the first and the mean
	// of the first few may lie above the most likely by chance, and sureFirst and
	// sureFew from where the model is trusted in full. On the development data
	// chanceFirst is passed by 1.5 % of the questions put to vectors that mean
	// nothing and chanceFew by 1 %, sureFirst and sureFew by one in a thousand.
	chanceFirst, sureFirst = 1.0, 1.75
	chanceFew, sureFew     = 0.6, 1.1
	// leastSpread is the part of a model's cosines that must be its own. Below
	// it are rounding errors: the vectors are those of the first embedding in another
	// guise, or one for all.
	leastSpread = 1e-3
)

// pair is how near a passage is to the question by both embeddings, as cosines.
type pair struct{ first, second float32 }

// line is what the first embedding lets expect of the second, by least squares.
type line struct {
	n         int
	at, slope float64 // second = at + slope * first
	spread    float64 // deviation of the second from that
	length    float64 // root mean square of the second
	first     float64 // deviation of the first from its mean
}

// fit draws the line through pairs. How a model scales its cosines, and how much
// alike all its vectors are, changes the line and not what stands out from it.
func fit(pairs []pair) line {
	l := line{n: len(pairs)}
	if l.n < minJudged {
		return l
	}
	var x, y, xx, yy, xy float64
	for _, p := range pairs {
		a, b := float64(p.first), float64(p.second)
		x, y = x+a, y+b
		xx, yy, xy = xx+a*a, yy+b*b, xy+a*b
	}
	n := float64(l.n)
	xx, xy = xx-x*x/n, xy-x*y/n
	if xx > 1e-12 {
		l.slope = xy / xx
	}
	l.at = (y - l.slope*x) / n
	l.spread = math.Sqrt(max(0, yy-y*y/n-l.slope*xy) / (n - 2))
	l.length = math.Sqrt(yy / n)
	l.first = math.Sqrt(max(0, xx) / n)
	return l
}

// judged reports whether there are enough pairs to judge the model by. With
// fewer it is believed: there is little to rank.
func (l line) judged() bool { return l.n >= minJudged }

// tellsNothing reports whether the second embedding tells nothing beside the first.
func (l line) tellsNothing() bool { return l.judged() && l.spread <= leastSpread*l.length }

// above is by how many deviations a passage is nearer than expected. A few
// decimals are kept: the order in which sums are taken must not decide between
// equal hits.
func (l line) above(p pair) float64 {
	z := (float64(p.second) - l.at - l.slope*float64(p.first)) / l.spread
	return math.Round(1e4*z) / 1e4
}

// gain is what a passage gains by a model that is trusted in full, in [0,1].
func (l line) gain(p pair, w Weights) float64 {
	if !l.judged() {
		return max(0, w.closeness(p.second)-w.closeness(p.first))
	}
	return min(secondGain*max(0, l.above(p)-leastResidual)*l.first/(1-w.Floor), 1)
}

// trust is how far the model is to be trusted on this question, in [0,1]: by how
// far the passages that stand out most lie above the places that they would have
// by chance. Of n cosines that mean nothing these places are those of a normal
// distribution, so that more passages do not make a useless model look better.
func (l line) trust(pairs []pair, n float64) float64 {
	if !l.judged() {
		return 1
	}
	most := make([]float64, len(pairs))
	for i, p := range pairs {
		most[i] = l.above(p)
	}
	most = best(most, topFew, func(a, b float64) int { return cmp.Compare(b, a) })
	slices.SortFunc(most, func(a, b float64) int { return cmp.Compare(b, a) })
	n = max(n, float64(len(pairs)))
	few := 0.0
	for i, z := range most {
		few += (z - byChance(i, n)) / float64(len(most))
	}
	first := (most[0] - byChance(0, n) - chanceFirst) / (sureFirst - chanceFirst)
	few = (few - chanceFew) / (sureFew - chanceFew)
	return math.Round(1000*min(max(0, first, few), 1)) / 1000
}

// byChance is where the i-th largest (from 0) of n normally distributed numbers
// is expected, in deviations above their mean. Source: G. Blom, Statistical
// Estimates and Transformed Beta-Variables, 1958.
func byChance(i int, n float64) float64 {
	p := (float64(i) + 0.625) / (n + 0.25)
	return math.Sqrt2 * math.Erfinv(1-2*p)
}
