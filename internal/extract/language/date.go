package language

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// date is a time counted from now.
type date struct {
	pattern *regexp.Regexp
	needs   []string // one of these stands in every match; nil: unknown
	unit    string   // day, week, month or year
	count   int
}

// parseStep reads "month+1".
func parseStep(s string) (date, error) {
	at := strings.IndexAny(s, "+-")
	if at < 0 {
		return date{}, fmt.Errorf("no step: %s", s)
	}
	n, err := strconv.Atoi(s[at:])
	switch d := (date{unit: s[:at], count: n}); {
	case err != nil:
		return date{}, fmt.Errorf("no step: %s", s)
	case d.unit != "day" && d.unit != "week" && d.unit != "month" && d.unit != "year":
		return date{}, fmt.Errorf("no unit of time: %s", d.unit)
	default:
		return d, nil
	}
}

// Dated puts beside every time that is counted from now the date it means when
// said at at: "nächsten Monat (2026-12)". The words stay, since a date needs others
// around it in every language. Without a time it changes nothing.
func (l *Language) Dated(text string, at time.Time) string {
	if at.IsZero() {
		return text
	}
	low := lower(text)
	for _, d := range l.dates {
		if !holdsOne(low, d.needs) {
			continue
		}
		found := d.pattern.FindStringSubmatchIndex(low)
		if found == nil {
			continue
		}
		end := found[3]
		if strings.HasPrefix(text[end:], " (") {
			continue // a longer expression has it
		}
		return text[:end] + " (" + d.from(at) + ")" + text[end:]
	}
	return text
}

// from writes the date that lies so far from at.
func (d date) from(at time.Time) string {
	first := at.AddDate(0, 0, 1-at.Day())
	switch d.unit {
	case "day":
		return at.AddDate(0, 0, d.count).Format(time.DateOnly)
	case "week":
		monday := at.AddDate(0, 0, 7*d.count-(int(at.Weekday())+6)%7)
		return monday.Format(time.DateOnly) + " – " + monday.AddDate(0, 0, 6).Format(time.DateOnly)
	case "month":
		return first.AddDate(0, d.count, 0).Format("2006-01")
	}
	return strconv.Itoa(at.Year() + d.count)
}
