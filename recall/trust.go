package recall

import "math"

const (
	// fullTrust is the correlation of closeness with words from which a model's
	// vectors count in full. The built-in embedder reaches it on nearly every
	// question; vectors that mean nothing scatter around 0.
	fullTrust = 0.2
	// minJudged is the fewest candidates that a model is judged by. With fewer
	// it is believed: there is little to rank.
	minJudged = 20
)

// trust lets the vectors count as far as they agree with the words. A model
// that is of use puts passages that hold words of the question nearer to it,
// the more of them the nearer; what it adds for other passages is then worth
// having. One that does not is useless for this question, whatever its
// cosines are, and must not disturb what words find: the built-in embedder
// stands in for it, see [finder.replace].
func (f *finder) trust() {
	t := f.agreement()
	if t == 1 {
		return
	}
	f.distrust = 1 - t
	for _, p := range f.pools {
		for _, par := range p.parents {
			par.closeness *= t
		}
	}
	for _, c := range f.cands {
		c.closeness *= t
		c.parent = c.pool.parents[c.meta.Parent].relevance(f.w)
	}
}

// agreement is how far to trust the vectors, in [0,1], by the correlation of
// closeness with words over the candidates that words found. Those that only
// vectors found are left out: they are near for being chosen so.
func (f *finder) agreement() float64 {
	var n, x, y, xx, yy, xy float64
	for _, c := range f.cands {
		if !c.compared || c.own <= 0 {
			continue
		}
		s, w := float64(c.similarity), c.own
		n++
		x, y = x+s, y+w
		xx, yy, xy = xx+s*s, yy+w*w, xy+s*w
	}
	if n < minJudged {
		return 1
	}
	spreadX, spreadY := xx-x*x/n, yy-y*y/n
	if spreadY <= 1e-12 { // all match alike
		return 1
	}
	if spreadX <= 1e-12 { // one vector for all
		return 0
	}
	r := (xy - x*y/n) / math.Sqrt(spreadX*spreadY)
	// The order in which sums are taken must not decide between equal hits.
	return math.Round(1000*min(max(0, r/fullTrust), 1)) / 1000
}
