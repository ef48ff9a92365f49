package queue

import "time"

// SetLease sets how long a session is left to the worker that reads it.
func (q *Queue) SetLease(d time.Duration) { q.lease = d }
