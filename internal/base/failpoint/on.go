//go:build failpoint

package failpoint

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// armed is parsed once: the environment of a process under test does not change.
var armed = parse(os.Getenv("STRATA_FAILPOINT"))

type point struct {
	name string
	left atomic.Int64
}

func parse(setting string) *point {
	name, count, _ := strings.Cut(setting, "=")
	n, err := strconv.ParseInt(count, 10, 64)
	if err != nil {
		n = 1
	}
	p := &point{name: name}
	p.left.Store(n)
	return p
}

// Hit kills the process, as a power cut would, if the point is the armed one and has been
// reached the given number of times.
func Hit(name string) {
	if name != armed.name || armed.left.Add(-1) != 0 {
		return
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // the signal may take a moment; do not continue
}
