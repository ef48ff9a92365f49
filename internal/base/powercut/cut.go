package powercut

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
)

// Cut is what remains after a power cut or a kill.
type Cut struct {
	// Dir is a copy of the recorded directory, as it was left.
	Dir string
	// Acknowledged lists what the program had acknowledged, in order.
	Acknowledged []string
}

// Cuts simulates n power cuts, at random operations after the first acknowledgement, and
// calls look in a subtest for each. It removes the directories of subtests that pass. The
// same seed gives the same cuts.
func (r *Recording) Cuts(t *testing.T, n int, seed uint64, look func(t *testing.T, c Cut)) {
	t.Helper()
	first := r.begun(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	moments := make([]int, n)
	for i := range moments {
		moments[i] = first + 1 + rng.IntN(len(r.done)-first)
	}
	slices.Sort(moments)
	t.Logf("%d cuts in %d operations, seed %d", n, len(r.done), seed)
	r.stop(t, "cut", moments, func(left *disk, i int) { left.cut(rand.New(rand.NewPCG(seed, uint64(i)+1))) }, look)
}

// Kills simulates at most n kills of the program, spread evenly over the operations after
// the first acknowledgement and including the first and the last, and calls look for each
// as Cuts does. Everything that was done before a kill is in the files.
func (r *Recording) Kills(t *testing.T, n int, look func(t *testing.T, c Cut)) {
	t.Helper()
	first := r.begun(t)
	last := len(r.done) - first - 1
	n = min(n, last)
	moments := make([]int, n)
	for i := range moments {
		moments[i] = first + 2 + (last-1)*i/max(n-1, 1)
	}
	t.Logf("%d kills in %d operations", n, last)
	r.stop(t, "kill", moments, func(left *disk, _ int) { left.settleAll() }, look)
}

// begun returns the index of the first acknowledgement, which must not be the last
// operation.
func (r *Recording) begun(t *testing.T) int {
	t.Helper()
	first := slices.IndexFunc(r.done, func(o operation) bool { return o.kind == acknowledge })
	if first < 0 || first == len(r.done)-1 {
		t.Fatalf("%d operations were recorded, and nothing after an acknowledgement", len(r.done))
	}
	return first
}

// stop simulates a stop before each of the given operations, which are in order. leave
// determines what remains on the disk.
func (r *Recording) stop(t *testing.T, how string, moments []int, leave func(left *disk, i int), look func(t *testing.T, c Cut)) {
	t.Helper()
	now, at := r.begin.clone(), 0
	var acknowledged []string
	for i, moment := range moments {
		for ; at < moment; at++ {
			now.do(r.done[at], at)
			if r.done[at].kind == acknowledge {
				acknowledged = append(acknowledged, r.done[at].what)
			}
		}
		t.Run(fmt.Sprintf("%s=%d,operation=%d", how, i, moment), func(t *testing.T) {
			left := now.clone()
			leave(left, i)
			dir := filepath.Join(t.TempDir(), filepath.Base(r.root))
			if err := left.writeTo(dir); err != nil {
				t.Fatal(err)
			}
			look(t, Cut{Dir: dir, Acknowledged: slices.Clone(acknowledged)})
		})
	}
}

// settleAll makes everything that was done durable.
func (d *disk) settleAll() {
	for number := range d.nodes {
		d.sync(number, math.MaxInt)
	}
}
