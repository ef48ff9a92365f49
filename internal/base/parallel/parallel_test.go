package parallel_test

import (
	"sync/atomic"
	"testing"

	"github.com/strata-memory/strata/internal/base/parallel"
)

func TestEachIsCalledOnce(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 17, 1000} {
		for _, share := range []int{1, 16, 2000} {
			calls := make([]atomic.Int32, n)
			parallel.For(n, share, func(i int) { calls[i].Add(1) })
			for i := range calls {
				if got := calls[i].Load(); got != 1 {
					t.Errorf("of %d in shares of %d: %d was called %d times", n, share, i, got)
				}
			}
		}
	}
}
