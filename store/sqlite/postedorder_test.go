package sqlite

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Whatever the numbers and gaps between them, each is found at its last place,
// and no other is.
func TestPostedOrder_FindsEachNumberAtItsLastPlace(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		o := newPostedOrder()
		places := make(map[uint32]uint32)
		number, gap := rng.Uint32N(1<<31), 1+rng.Uint32N(1<<rng.Uint32N(24))
		smallest := number
		for place := range rng.Uint32N(300) {
			switch rng.IntN(20) {
			case 0: // out of order
				number -= min(number, rng.Uint32N(gap))
			case 1: // again
			default:
				number += 1 + rng.Uint32N(gap)
			}
			o.add(number, place)
			places[number] = place
			smallest = min(smallest, number)
		}
		for n := range places {
			for _, n := range []uint32{n - 1, n, n + 1} {
				got, ok := o.place(n)
				if want, there := places[n]; ok != there || got != want {
					t.Fatalf("number %d is at %d, %v; want %d, %v", n, got, ok, want, there)
				}
			}
		}
		for _, n := range []uint32{0, smallest - 1, 1<<32 - 1} {
			if _, there := places[n]; there {
				continue
			}
			if got, ok := o.place(n); ok {
				t.Fatalf("number %d of no passage is at %d", n, got)
			}
		}
		if most := int64(len(places)+sparse) * sparse / 4; o.bytes() > most {
			t.Fatalf("%d passages take %d bytes", len(places), o.bytes())
		}
	}
}
