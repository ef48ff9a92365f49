package output

import (
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// would rewords what was done to what a dry run would do.
func would(dryRun bool, done string) string {
	if dryRun {
		return "would be " + done
	}
	return done
}

// done says, at the beginning of a line and in color, what was or would be done.
func (p *Page) done(dryRun bool, done string) string {
	if dryRun {
		return p.Strong(would(true, done))
	}
	return p.st.Kind(done)
}

// Done says what a decision did, for the beginning of a line.
func Done(op strata.Op) string {
	switch op {
	case strata.OpAdd:
		return "added"
	case strata.OpUpdate:
		return "updated"
	case strata.OpSupersede:
		return "replaced"
	case strata.OpDelete:
		return "deleted"
	case strata.OpNoop:
		return "unchanged"
	case strata.OpReject:
		return "rejected"
	case strata.OpForget:
		return "forgotten"
	}
	return string(op)
}

// Count formats a number with its noun: "1 scope", "2 scopes".
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Thousands formats a number with commas.
func Thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Score formats a score.
func Score(s float64) string { return fmt.Sprintf("%.2f", s) }

// When formats a time to the minute, in UTC so that the same memory reads the same
// everywhere.
func When(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// when formats a time as people say it, "3 weeks ago", on a screen, and exactly where a
// program may read it.
func (p *Page) when(t time.Time) string {
	if p.width == 0 {
		return When(t)
	}
	return Ago(t, p.now)
}

// whenSet is when for a time that may be nil, for which it is empty.
func (p *Page) whenSet(t *time.Time) string {
	if t == nil {
		return ""
	}
	return p.when(*t)
}

// exactly formats a time to the minute and, on a screen, how long ago that was: for a
// page that says everything about one thing.
func (p *Page) exactly(t time.Time) string {
	if p.width == 0 {
		return When(t)
	}
	return When(t) + " (" + Ago(t, p.now) + ")"
}

// exactlySet is exactly for a time that may be nil, for which it is empty.
func (p *Page) exactlySet(t *time.Time) string {
	if t == nil {
		return ""
	}
	return p.exactly(*t)
}

// day formats the day of a time, on a screen as people say it.
func (p *Page) day(t time.Time) string {
	if p.width == 0 {
		return t.UTC().Format(time.DateOnly)
	}
	return Ago(t, p.now)
}

// Ago says how long before now a time was, in days of now's time zone. A time in the
// future is written exactly.
func Ago(t, now time.Time) string {
	t = t.In(now.Location())
	passed := now.Sub(t)
	days := daysBetween(t, now)
	switch {
	case passed < -time.Minute:
		return When(t)
	case passed < time.Minute:
		return "just now"
	case passed < time.Hour:
		return Count(int(passed/time.Minute), "minute") + " ago"
	case days == 0:
		return Count(int(passed/time.Hour), "hour") + " ago"
	case days == 1:
		return "yesterday"
	case days < 7:
		return Count(days, "day") + " ago"
	case days < 35:
		return Count(days/7, "week") + " ago"
	case days < 365:
		return Count(days*12/365, "month") + " ago"
	}
	return Count((days+1)*100/36525, "year") + " ago"
}

// daysBetween counts the midnights between two times in the same time zone.
func daysBetween(from, to time.Time) int {
	midnight := func(t time.Time) time.Time {
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	}
	return int(midnight(to).Sub(midnight(from)) / (24 * time.Hour))
}

// Scope names a scope for people: by its kind, and an agent by its name. A program gets
// the whole key.
func (p *Page) Scope(key string) string {
	if p.width == 0 {
		return key
	}
	kind, rest, _ := strings.Cut(key, "/")
	if _, agent, ok := strings.Cut(rest, "/agent/"); ok {
		return "agent " + agent
	}
	if kind == "agent" {
		return "agent " + rest + ", everywhere"
	}
	return kind
}

// Join joins the parts that are not empty: "user · pets".
func Join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, terminal.Clean(p))
		}
	}
	return strings.Join(out, " · ")
}

// OrNone returns s, or a text that says that there is nothing.
func OrNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
