// Package parallel distributes short function calls over the processors.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// For calls fn for 0 to n-1 and returns when all calls have returned. It uses this
// goroutine and, if there is more than one share of calls, others too. share is how many
// calls are worth a goroutine, at least 1.
func For(n, share int, fn func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	work := func() {
		for {
			from := int(next.Add(int64(share))) - share
			if from >= n {
				return
			}
			for i := from; i < min(from+share, n); i++ {
				fn(i)
			}
		}
	}
	for range min(runtime.GOMAXPROCS(0), (n+share-1)/share) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}
