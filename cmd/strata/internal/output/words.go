package output

import (
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// would turns what was done into what a dry run would do.
func would(dryRun bool, done string) string {
	if dryRun {
		return "would be " + done
	}
	return done
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

// Count writes a number with its noun: "1 scope", "2 scopes".
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Thousands writes a number with commas.
func Thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Score writes a score.
func Score(s float64) string { return fmt.Sprintf("%.2f", s) }

// When writes a time to the minute, in UTC so that the same memory reads the
// same everywhere.
func When(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// whenSet is When for a time that may be missing; then it is empty.
func whenSet(t *time.Time) string {
	if t == nil {
		return ""
	}
	return When(*t)
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

// OrNone is s, or says that there is nothing.
func OrNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
