package powercut

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
)

// Cut is what a power cut left.
type Cut struct {
	// Dir is a directory like that which was recorded.
	Dir string
	// Acknowledged is what the program had said was done, in order.
	Acknowledged []string
}

// Cuts has the power cut n times, at operations after the first acknowledgement, and
// calls look for what each leaves as a test of its own. Directories of those that
// pass are removed. The seed repeats them all.
func (r *Recording) Cuts(t *testing.T, n int, seed uint64, look func(t *testing.T, c Cut)) {
	t.Helper()
	first := slices.IndexFunc(r.done, func(o operation) bool { return o.kind == acknowledge })
	if first < 0 || first == len(r.done)-1 {
		t.Fatalf("%d operations were recorded, and nothing after an acknowledgement", len(r.done))
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	moments := make([]int, n)
	for i := range moments {
		moments[i] = first + 1 + rng.IntN(len(r.done)-first)
	}
	slices.Sort(moments)
	t.Logf("%d cuts in %d operations, seed %d", n, len(r.done), seed)
	now, at := r.begin.clone(), 0
	var acknowledged []string
	for i, moment := range moments {
		for ; at < moment; at++ {
			now.do(r.done[at], at)
			if r.done[at].kind == acknowledge {
				acknowledged = append(acknowledged, r.done[at].what)
			}
		}
		t.Run(fmt.Sprintf("cut=%d,operation=%d", i, moment), func(t *testing.T) {
			left := now.clone()
			left.cut(rand.New(rand.NewPCG(seed, uint64(i)+1)))
			dir := filepath.Join(t.TempDir(), filepath.Base(r.root))
			if err := left.writeTo(dir); err != nil {
				t.Fatal(err)
			}
			look(t, Cut{Dir: dir, Acknowledged: slices.Clone(acknowledged)})
		})
	}
}
