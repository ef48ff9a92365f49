package storetest

import (
	"encoding/json"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// The scopes that the tests use: one of each kind, and the same agent twice.
var (
	global    = strata.Global()
	workspace = strata.InWorkspace("w1")
	neighbor  = strata.InWorkspace("w2")
	agent     = strata.ForAgent("coder")
	agentIn   = strata.ForAgentIn("w1", "coder")
)

// model is the embedding model of the tests, and dimension the length of its vectors.
const (
	model     = "test/model"
	dimension = 32
)

// theModel is that model.
var theModel = store.Model{Name: model, Dim: dimension}

// vectorOf returns a unit vector that depends only on s.
func vectorOf(s string) []float32 {
	h := fnv.New64a()
	h.Write([]byte(s))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	v := make([]float32, dimension)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return unit(v)
}

// mix returns the unit vector between a and b: a for share 0, b for share 1.
func mix(a, b []float32, share float32) []float32 {
	v := make([]float32, len(a))
	for i := range v {
		v[i] = a[i]*(1-share) + b[i]*share
	}
	return unit(v)
}

func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func cosine(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// show formats a value with everything that it holds.
func show(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err.Error()
	}
	return string(b)
}
