package history

import "time"

// SetReadWait sets how long readers wait for the lock, until the returned function is
// called.
func SetReadWait(d time.Duration) (restore func()) {
	was := readWait
	readWait = d
	return func() { readWait = was }
}
