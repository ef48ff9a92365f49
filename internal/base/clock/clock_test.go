package clock

import (
	"testing"
	"time"
)

func TestTimesStayWithinTheBounds(t *testing.T) {
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for at, want := range map[time.Time]time.Time{
		time.Date(1903, 1, 1, 0, 0, 0, 0, time.UTC): Earliest,
		time.Unix(0, 0): Earliest,
		day:             day,
		time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC):  Latest,
		time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC): Latest,
	} {
		if got := Bounded(func() time.Time { return at })(); !got.Equal(want) {
			t.Errorf("%v is %v, want %v", at, got, want)
		}
	}
	for _, at := range []time.Time{Earliest, Latest} {
		if got := time.Unix(0, at.UnixNano()); !got.Equal(at) {
			t.Errorf("%v wraps to %v", at, got)
		}
	}
}
