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

// Few passages do not tell how good a model is: then it is heeded as it is.
func TestAModelThatCannotBeJudgedIsTrusted(t *testing.T) {
	pairs := make([]pair, minJudged-1)
	for i := range pairs {
		pairs[i] = pair{base: 0.5, model: 0.9}
	}
	fit := fitRegression(pairs)
	if got := fit.trust(pairs); got != 1 {
		t.Errorf("it is trusted by %.3f", got)
	}
	w := DefaultWeights()
	if got, want := fit.gain(pairs[0], w), w.closeness(0.9)-w.closeness(0.5); got != want {
		t.Errorf("a passage gains %.3f, want %.3f", got, want)
	}
}

// A passage gains where the model's cosine stands out from the line, not where it lies on
// it, however steep and high the line is.
func TestAPassageGainsByWhatStandsOut(t *testing.T) {
	const n = 400
	rng := rand.New(rand.NewPCG(2, 0))
	pairs := make([]pair, n)
	for i := range pairs {
		b := rng.Float32()
		pairs[i] = pair{base: b, model: 0.4 + 0.5*b + 0.01*float32(rng.NormFloat64())}
	}
	fit, w := fitRegression(pairs), DefaultWeights()
	for _, b := range []float32{0, 0.5, 1} {
		if got := fit.gain(pair{base: b, model: 0.4 + 0.5*b}, w); got != 0 {
			t.Errorf("on the line at %v a passage gains %.3f", b, got)
		}
		if got := fit.residual(pair{base: b, model: 0.4 + 0.5*b + 0.03}); math.Abs(got-3) > 0.5 {
			t.Errorf("three standard deviations above the line at %v are %.2f", b, got)
		}
		if got := fit.gain(pair{base: b, model: 0.4 + 0.5*b + 0.03}, w); got <= 0 {
			t.Errorf("above the line at %v it gains %.3f", b, got)
		}
	}
}

func TestCloseness(t *testing.T) {
	w := DefaultWeights()
	for cosine, want := range map[float32]float64{-1: 0, 0: 0, float32(w.Floor): 0, float32(w.Floor+1) / 2: 0.5, 1: 1} {
		if got := w.closeness(cosine); math.Abs(got-want) > 1e-6 {
			t.Errorf("a cosine of %v is a closeness of %v, want %v", cosine, got, want)
		}
	}
}
