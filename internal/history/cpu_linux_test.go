package history_test

import (
	"syscall"
	"testing"
)

// measureCPU reports how much processor time an operation takes, which other
// programs on the machine do not change as they change its duration. Call what
// it returns behind the loop.
func measureCPU(b *testing.B) (done func()) {
	used := func() int64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return u.Utime.Nano() + u.Stime.Nano()
	}
	start := used()
	return func() { b.ReportMetric(float64(used()-start)/float64(b.N), "cpu-ns/op") }
}
