package recall

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A model is trusted where what it says beyond the base embedder agrees with the words, by
// how much it does: whatever the scale and the mean of the words are.
func TestAModelIsTrustedWhereItAgreesWithTheWords(t *testing.T) {
	const n = 400
	rng := rand.New(rand.NewPCG(1, 0))
	base, other, words := make([]float32, n), make([]float64, n), make([]float64, n)
	for i := range n {
		base[i], other[i], words[i] = rng.Float32(), rng.Float64(), rng.Float64()
	}
	trust := func(agreement, scale, mean float64) float64 {
		pairs := make([]pair, n)
		for i := range pairs {
			says := agreement*words[i] + (1-agreement)*other[i]
			pairs[i] = pair{base: base[i], model: 0.5*base[i] + float32(0.2*says), words: scale*words[i] + mean}
		}
		return fitRegression(pairs).trust(pairs)
	}
	if got := trust(1, 1, 0); got != 1 {
		t.Errorf("in full agreement it is trusted by %.3f", got)
	}
	if got := trust(0, 1, 0); got != 0 {
		t.Errorf("what says nothing of the words is trusted by %.3f", got)
	}
	some := trust(0.15, 1, 0)
	if some <= 0 || some >= 1 {
		t.Errorf("in some agreement it is trusted by %.3f", some)
	}
	for _, of := range [][2]float64{{10, 0}, {1, 3}, {0.5, 1}} {
		if got := trust(0.15, of[0], of[1]); math.Abs(got-some) > 0.002 {
			t.Errorf("with words times %v and %v more it is trusted by %.3f, not %.3f", of[0], of[1], got, some)
		}
	}
}
