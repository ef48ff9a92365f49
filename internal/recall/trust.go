package recall

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/vector"
)

// A useful model places passages with words of the question nearer to it, and nearer
// still the more words they hold; then what it says about other passages is worth having.
// A model that does not is useless for this question, whatever its cosines are, and must
// not disturb what words find: the built-in embedder takes its place.

const (
	// fullTrust is the correlation of closeness with words from which vectors count in
	// full. The built-in embedder reaches it on nearly every question; meaningless
	// vectors scatter around 0.
	fullTrust = 0.2
	// minJudged is the fewest candidates that a model is judged by. With fewer, the model
	// is trusted: there is little to rank.
	minJudged = 20
)

// shipped returns the built-in embedder with the words that the program ships with. It is
// made once.
var shipped = sync.OnceValue(builtin.New)

// builtinEmbedder returns the built-in embedder of the home.
func (f *finder) builtinEmbedder() *builtin.Embedder {
	if f.req.Builtin != nil {
		return f.req.Builtin
	}
	return shipped()
}

// discountVectors makes vectors count only as far as they agree with the words.
func (f *finder) discountVectors() {
	if builtin.HasWords(f.base.model) {
		return // known to be useful, above all where words find little
	}
	trust := f.agreement()
	if trust == 1 {
		return
	}
	f.distrust = 1 - trust
	for _, p := range f.pools {
		for _, par := range p.parents {
			par.closeness *= trust
		}
		f.setParentScores(p)
	}
	for _, c := range f.cands {
		c.closeness *= trust
	}
}

// agreement returns how far to trust the vectors, in [0,1]: by the correlation of
// similarity with words over the candidates that words found. It ignores candidates that
// only vectors found, since they were chosen for being near.
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
	varX, varY := xx-x*x/n, yy-y*y/n
	if varY <= 1e-12 { // the words match all candidates equally
		return 1
	}
	if varX <= 1e-12 { // all vectors are equal
		return 0
	}
	r := (xy - x*y/n) / math.Sqrt(varX*varY)
	// Round, so that the order of summation does not decide between equal hits.
	return math.Round(1000*min(max(0, r/fullTrust), 1)) / 1000
}

// substituteBuiltin adds, as far as the vectors are not trusted, the closeness of the
// built-in embedder to the candidates that were read. It takes some ten microseconds a
// candidate.
func (f *finder) substituteBuiltin(ctx context.Context, among []*candidate) error {
	if f.distrust == 0 {
		return nil
	}
	texts := []string{f.req.Query.Text}
	var open []*candidate
	for _, c := range among {
		if !c.hasBuiltin {
			c.hasBuiltin = true
			open = append(open, c)
			texts = append(texts, indexedText(c.item))
		}
	}
	if len(open) == 0 {
		return nil
	}
	vectors, err := f.builtinEmbedder().Embed(ctx, texts)
	if err != nil {
		return fmt.Errorf("embed candidates by the built-in embedder: %w", err)
	}
	for i, c := range open {
		c.builtinCloseness = f.w.closeness(vector.Dot(vectors[0], vectors[i+1]))
	}
	f.shareCloseness(open, func(c *candidate) *float64 { return &c.builtinCloseness })
	for _, c := range open {
		c.closeness += f.distrust * c.builtinCloseness
	}
	return nil
}
