// Package tinymodel makes two models with random weights, small enough to be made anew
// for each test: one that chats and one that embeds. They are for tests against a real
// model server, which loads and runs them like any other model. The chat model produces
// meaningless words and sometimes stops in the middle, which is the kind of junk that
// Strata must survive. The embedding model places texts that share words closer together
// than others.
//
// The same seed makes the same file.
package tinymodel

import (
	"math"
	"math/rand/v2"

	"github.com/strata-memory/strata/internal/models/gguf"
)

// dice draws random weights.
type dice struct {
	*rand.Rand
}

func newDice(seed uint64) dice {
	return dice{rand.New(rand.NewPCG(seed, 0))}
}

// normal returns a tensor of numbers around 0 with the given deviation.
func (d dice) normal(name string, deviation float64, shape ...int) gguf.Tensor {
	t := constant(name, 0, shape...)
	for i := range t.Data {
		t.Data[i] = float32(d.NormFloat64() * deviation)
	}
	return t
}

// linear returns the weights of a layer that maps in numbers to out numbers and preserves
// their magnitude.
func (d dice) linear(name string, in, out int) gguf.Tensor {
	return d.normal(name, 1/math.Sqrt(float64(in)), in, out)
}

// constant returns a tensor whose elements all have the same value.
func constant(name string, value float32, shape ...int) gguf.Tensor {
	size := 1
	for _, n := range shape {
		size *= n
	}
	t := gguf.Tensor{Name: name, Shape: shape, Data: make([]float32, size)}
	for i := range t.Data {
		t.Data[i] = value
	}
	return t
}
