package history_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestKilledAtAnyTime kills a process that commits, whenever it may be, and
// commits in its place.
func TestKilledAtAnyTime(t *testing.T) {
	needGit(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	h := newHome(t)
	for range 12 {
		cmd := startChild(h.dir, childName+"=ada", childCount+"=1000")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rng.IntN(150))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // it was killed
		timer.Stop()
		h.commit("after")
	}
	h.sound()
	if out := h.git("fsck", "--full", "--strict"); strings.Contains(out, "error") {
		t.Errorf("git fsck: %s", out)
	}
}
