package output

import (
	"testing"
	"time"
)

func TestAgoSaysItAsPeopleDo(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	now := time.Date(2026, 5, 13, 1, 30, 0, 0, zone)
	tests := []struct {
		at   time.Time
		want string
	}{
		{now, "just now"},
		{now.Add(-time.Minute), "1 minute ago"},
		{now.Add(-59 * time.Minute), "59 minutes ago"},
		{now.Add(-time.Hour), "1 hour ago"},
		{now.Add(-2 * time.Hour), "yesterday"}, // midnight lies between, here and not in UTC
		{now.AddDate(0, 0, -2), "2 days ago"},
		{now.AddDate(0, 0, -6), "6 days ago"},
		{now.AddDate(0, 0, -7), "1 week ago"},
		{now.AddDate(0, 0, -34), "4 weeks ago"},
		{now.AddDate(0, 0, -35), "1 month ago"},
		{now.AddDate(0, 0, -364), "11 months ago"},
		{now.AddDate(-1, 0, 0), "1 year ago"},
		{now.AddDate(-3, 0, 0), "3 years ago"},
		{now.Add(24 * time.Hour), "2026-05-13 23:30"},
	}
	for _, tt := range tests {
		if got := Ago(tt.at.UTC(), now); got != tt.want {
			t.Errorf("%v is %q, want %q", now.Sub(tt.at), got, tt.want)
		}
	}
}
