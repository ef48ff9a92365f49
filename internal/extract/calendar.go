package extract

import (
	"strconv"
	"strings"
	"time"
)

func day(t time.Time) string      { return t.Format("2 January 2006") }
func first(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.Day()) }

// monday returns the first day of the week of t.
func monday(t time.Time) time.Time { return t.AddDate(0, 0, -((int(t.Weekday()) + 6) % 7)) }

// part opens a date with a part of the day.
func part(of string) string {
	if of == "" {
		return "on "
	}
	return "on the " + of + " of "
}

// step is how far a word reaches from now.
func step(word string) int {
	switch strings.ToLower(word) {
	case "next":
		return 1
	case "last":
		return -1
	}
	return 0
}

func count(word string) int {
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	switch word {
	case "a couple of":
		return 2
	case "a few":
		return 3
	}
	for i, w := range strings.Fields("one two three four five six seven eight nine ten") {
		if w == word {
			return i + 1
		}
	}
	return 1
}

// after is the next such weekday, at least a day away.
func (c calendar) after(name string) time.Time {
	d := c.at.AddDate(0, 0, 1)
	for !strings.EqualFold(d.Weekday().String(), name) {
		d = d.AddDate(0, 0, 1)
	}
	return d
}

// before is the last such weekday, at least a day ago.
func (c calendar) before(name string) time.Time {
	d := c.at.AddDate(0, 0, -1)
	for !strings.EqualFold(d.Weekday().String(), name) {
		d = d.AddDate(0, 0, -1)
	}
	return d
}

// weekday is that day of the week which lies so many days after this one.
func (c calendar) weekday(name string, days int) time.Time {
	d := monday(c.at).AddDate(0, 0, days)
	for !strings.EqualFold(d.Weekday().String(), name) {
		d = d.AddDate(0, 0, 1)
	}
	return d
}

func monthOf(name string) time.Month {
	for i, m := range strings.Split(months, "|") {
		if strings.EqualFold(m, name) {
			return time.Month(i + 1)
		}
	}
	return 0
}

// month names a month with the year in which it comes next, or came last.
func (c calendar) month(name string, last bool) string {
	m, year := monthOf(name), c.at.Year()
	switch {
	case last && m > c.at.Month():
		year--
	case !last && m < c.at.Month():
		year++
	}
	return m.String() + " " + strconv.Itoa(year)
}

// season is the year of a season.
func (c calendar) season(word, name string) int {
	start := map[string]time.Month{"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}[name]
	year := c.at.Year()
	switch {
	case word == "last" && c.at.Month() < start+3:
		year--
	case word == "next" && c.at.Month() >= start:
		year++
	}
	return year
}

// away is a date so many units from now, as exact as the unit.
func (c calendar) away(n int, unit string) string {
	switch unit {
	case "day":
		return "on " + day(c.at.AddDate(0, 0, n))
	case "week":
		return "around " + day(c.at.AddDate(0, 0, 7*n))
	case "month":
		return "in " + first(c.at).AddDate(0, n, 0).Format("January 2006")
	}
	return "in " + strconv.Itoa(c.at.Year()+n)
}

// monthDay adds the year to a day of a month where the statement has a tense.
func (c calendar) monthDay(all, dayText, monthText, year string) string {
	n, _ := strconv.Atoi(dayText)
	m := monthOf(monthText)
	if year != "" || c.tense == timeless || n < 1 || n > 31 {
		return all
	}
	d := time.Date(c.at.Year(), m, n, 0, 0, 0, 0, c.at.Location())
	switch {
	case d.Day() != n:
		return all
	case c.tense == future && d.Before(c.at):
		d = d.AddDate(1, 0, 0)
	case c.tense == past && d.After(c.at):
		d = d.AddDate(-1, 0, 0)
	}
	return day(d)
}
