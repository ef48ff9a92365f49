// Package clock keeps times within the range that everything stored can represent: ids
// count milliseconds since 1970, other times nanoseconds until 2262.
package clock

import (
	"strconv"
	"strings"
	"time"
)

// Earliest and Latest bound the range. It leaves out the first second of 1970, because 0
// means no time.
var (
	Earliest = time.Unix(1, 0).UTC()
	Latest   = time.Date(2262, 4, 11, 23, 47, 16, 0, time.UTC)
)

// Bound returns the time in the range that is nearest to at. A machine with an empty
// clock battery starts in 1970 or before; what it saves is kept, at Earliest.
func Bound(at time.Time) time.Time {
	switch {
	case at.Before(Earliest):
		return Earliest
	case at.After(Latest):
		return Latest
	}
	return at
}

// Bounded returns a clock that shows the time of now, within the range. A nil now is the
// system clock.
func Bounded(now func() time.Time) func() time.Time {
	if now == nil {
		now = time.Now
	}
	return func() time.Time { return Bound(now()) }
}

// ParseAge parses an age in days, such as 180d, or a Go duration.
func ParseAge(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16) // less than 180 years
		return time.Duration(n) * 24 * time.Hour, err
	}
	return time.ParseDuration(s)
}
