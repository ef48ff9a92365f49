package timeexpr

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseReadsWhatPeopleWrite(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	now := time.Date(2026, 5, 13, 15, 4, 5, 0, zone) // a Wednesday
	day := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 0, 0, 0, 0, zone) }
	tests := []struct {
		text     string
		from, to time.Time
	}{
		{"now", now, now},
		{"today", day(5, 13), day(5, 14)},
		{"yesterday", day(5, 12), day(5, 13)},
		{"3 days ago", day(5, 10), day(5, 11)},
		{"three days ago", day(5, 10), day(5, 11)},
		{"last week", day(5, 4), day(5, 11)},
		{"this month", day(5, 1), day(6, 1)},
		{"last Friday", day(5, 8), day(5, 9)},
		{"2 hours ago", now.Add(-2 * time.Hour), now.Add(-2 * time.Hour)},
		{"an hour ago", now.Add(-time.Hour), now.Add(-time.Hour)},
		{"March", day(3, 1), day(4, 1)},
		{"April 2026", day(4, 1), day(5, 1)},
		{"7 May", day(5, 7), day(5, 8)},
		{"gestern", day(5, 12), day(5, 13)},
		{"2026-05-01", time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 5, 2, 0, 0, 0, 0, time.UTC)},
		{"2026-05-01T10:00:00+02:00", time.Date(2026, 5, 1, 8, 0, 0, 0, time.UTC), time.Date(2026, 5, 1, 8, 0, 0, 0, time.UTC)},
	}
	for _, tt := range tests {
		got, ok := Parse(tt.text, now)
		if !ok || !got.From.Equal(tt.from) || !got.To.Equal(tt.to) {
			t.Errorf("Parse(%q) = %v to %v, %v, want %v to %v", tt.text, got.From, got.To, ok, tt.from, tt.to)
		}
	}
	for _, text := range []string{"", "soon", "2026-13-01", "2026-02-30", "yesterday evening in Rome", "before 2020", "3 days", "ago", "99999999999999999999 days ago", "-3 days ago", " -2 hours ago"} {
		if got, ok := Parse(text, now); ok {
			t.Errorf("Parse(%q) = %v", text, got)
		}
	}
}

// Whatever is written, a time that is read begins before it ends; a count of units ago
// holds the moment so long ago, and what is written as a time is read as it.
func TestParseKeepsItsWord(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		now := time.Unix(rapid.Int64Range(1e9, 4e9).Draw(rt, "now"), 0).In(time.FixedZone("", rapid.IntRange(-12, 14).Draw(rt, "zone")*60*60))
		n := rapid.IntRange(1, 99).Draw(rt, "n")
		unit := rapid.SampledFrom([]string{"day", "week", "month", "year"}).Draw(rt, "unit")
		plural := ""
		if n > 1 {
			plural = "s"
		}
		text := fmt.Sprintf("%d %s%s ago", n, unit, plural)
		u := units[unit]
		first := u.start(time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location()))
		if r, ok := Parse(text, now); !ok || !r.From.Equal(u.add(first, -n)) || !r.To.Equal(u.add(r.From, 1)) {
			rt.Fatalf("%q at %v is %v, %v", text, now, r, ok)
		}
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(rt, "at"), 0).In(now.Location())
		if r, ok := Parse(at.Format(time.RFC3339), now); !ok || !r.From.Equal(at) || !r.To.Equal(at) {
			rt.Fatalf("%v is read as %v, %v", at, r, ok)
		}
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"last", "3", "days", "ago", "may", "2026", "-", "week", "monday", "in", "0", "hours", "yesterday", "次"}), 0, 5).Draw(rt, "words")
		any := ""
		for _, w := range words {
			any += w + " "
		}
		if r, ok := Parse(any, now); ok && (r.From.IsZero() || r.To.Before(r.From)) {
			rt.Fatalf("%q is %v", any, r)
		}
	})
}
