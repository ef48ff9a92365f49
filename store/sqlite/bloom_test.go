package sqlite

import (
	"math/rand/v2"
	"testing"
)

// A key that was added is held, whatever room there is, and few others are: how
// few is told by the comment of bloom.
func TestBloom_HoldsWhatWasAddedAndFewOthers(t *testing.T) {
	const keys, others = 20_000, 200_000
	for perKey, most := range map[int]float64{1: 1, 6: 0.075, 8: 0.026, 12: 0.006} {
		rng := rand.New(rand.NewPCG(uint64(perKey), 1))
		set := newBloom(perKey*keys, 1<<30)
		added := make([]uint64, keys)
		for i := range added {
			added[i] = rng.Uint64() >> (i % 40) // many are small
			set.add(added[i])
		}
		for _, key := range added {
			if !set.mayHold(key) {
				t.Fatalf("with %d bits a key: %x was added and is not held", perKey, key)
			}
		}
		yes := 0
		for range others {
			if set.mayHold(rng.Uint64()) {
				yes++
			}
		}
		if rate := float64(yes) / others; rate > most {
			t.Errorf("with %d bits a key %.4f of others are held, want no more than %.4f", perKey, rate, most)
		} else {
			t.Logf("with %d bits a key %.4f of others are held, %d keys are counted", perKey, rate, set.keys)
		}
	}
}

// A set without room holds everything, and one for no keys has a block.
func TestBloom_OfNothing(t *testing.T) {
	var none bloom
	one := newBloom(0, 1<<20)
	if !none.mayHold(7) || one.mayHold(7) || one.size() != bloomBlockBytes {
		t.Errorf("without room a key is held: %t; in an empty block: %t; of %d bytes", none.mayHold(7), one.mayHold(7), one.size())
	}
}

// BenchmarkBloom asks for keys that were not added: in a filter of 100,000 facts'
// keys, and in the largest.
func BenchmarkBloom(b *testing.B) {
	for name, keys := range map[string]int{"keys=300k": 300_000, "keys=1M": 1_000_000} {
		b.Run(name, func(b *testing.B) {
			set := newBloom(roomyBits*keys, maxFilters)
			rng := rand.New(rand.NewPCG(1, 2))
			for range keys {
				set.add(rng.Uint64())
			}
			asked := make([]uint64, 1<<16)
			for i := range asked {
				asked[i] = rng.Uint64()
			}
			yes := 0
			for i := 0; b.Loop(); i++ {
				if set.mayHold(asked[i%len(asked)]) {
					yes++
				}
			}
			b.ReportMetric(float64(yes)/float64(b.N), "held/op")
		})
	}
}
