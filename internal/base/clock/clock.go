// Package clock keeps the time of a machine within what everything that is stored can
// tell: ids count milliseconds since 1970, and others nanoseconds until 2262.
package clock

import (
	"strconv"
	"strings"
	"time"
)

// Earliest and Latest are the bounds. The first second of 1970 is left out, because 0
// stands for no time.
var (
	Earliest = time.Unix(1, 0).UTC()
	Latest   = time.Date(2262, 4, 11, 23, 47, 16, 0, time.UTC)
)

// Bound returns the time within the bounds that is nearest to at. A machine whose
// battery is empty wakes up in 1970 or before; what it saves is kept, at Earliest.
func Bound(at time.Time) time.Time {
	switch {
	case at.Before(Earliest):
		return Earliest
	case at.After(Latest):
		return Latest
	}
	return at
}

// Bounded returns a clock that shows the time of another, nil for that of the machine,
// within the bounds.
func Bounded(now func() time.Time) func() time.Time {
	if now == nil {
		now = time.Now
	}
	return func() time.Time { return Bound(now()) }
}

// ParseAge reads an age in days, as 180d, or as one of Go's durations.
func ParseAge(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16) // less than 180 years
		return time.Duration(n) * 24 * time.Hour, err
	}
	return time.ParseDuration(s)
}
