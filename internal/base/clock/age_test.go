package clock

import (
	"testing"
	"time"
)

func TestParseAge(t *testing.T) {
	for s, want := range map[string]time.Duration{"180d": 180 * 24 * time.Hour, "36h": 36 * time.Hour, "0d": 0, "-3h": -3 * time.Hour} {
		if got, err := ParseAge(s); err != nil || got != want {
			t.Errorf("%s is %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "d", "soon", "-1d", "70000d", "1.5d"} {
		if got, err := ParseAge(s); err == nil {
			t.Errorf("%q is %v", s, got)
		}
	}
}
