package session

import (
	"strconv"
	"time"
)

// age returns how many calendar days lie between at and now, in UTC; 0 for
// times in the future.
func age(now, at time.Time) int {
	day := func(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }
	return max(int(day(now).Sub(day(at))/(24*time.Hour)), 0)
}

// banner returns "12 days old, verify" for what is older than the given number
// of days, else "". A negative number means never; an unknown time has no age.
func banner(now, at time.Time, after int) string {
	if at.IsZero() || after < 0 {
		return ""
	}
	days := age(now, at)
	switch {
	case days <= after:
		return ""
	case days == 1:
		return "1 day old, verify"
	}
	return strconv.Itoa(days) + " days old, verify"
}
