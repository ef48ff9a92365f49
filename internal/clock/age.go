package clock

import (
	"strconv"
	"strings"
	"time"
)

// ParseAge reads an age in days, as 180d, or as one of Go's durations.
func ParseAge(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16) // less than 180 years
		return time.Duration(n) * 24 * time.Hour, err
	}
	return time.ParseDuration(s)
}
