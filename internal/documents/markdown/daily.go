package markdown

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// DailyTitle is the line that the log of a day begins with.
func DailyTitle(day time.Time) string { return "# " + day.Format(time.DateOnly) + "\n" }

// AddDaily returns the log of a day with a line for each item, in the order of
// their times: - [HH:MM] text, and the decision in a comment. The time is that
// of the zone of day. An item whose decision has a line already changes nothing,
// whatever became of the line; those without text or decision are left out. No
// line that is there is moved or changed. An empty log gets the day as its
// heading.
func AddDaily(content string, items []Item, day time.Time) string {
	lines := linesOf(content)
	eol := lineEndOf(content)
	have := make(map[string]bool)
	var places []dailyPlace
	for i, line := range lines {
		if l, ok := dailyLineOf(trimEOL(line)); ok && l.decision != "" {
			have[l.decision] = true
			places = append(places, dailyPlace{line: i, clock: l.clock})
		}
	}
	type added struct{ clock, line string }
	var fresh []added
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b Item) int { return a.At.Compare(b.At) })
	for _, it := range items {
		text := escapeMarkers(it.Text, MaxItem)
		if text == "" || !isDecision(it.Decision) || have[it.Decision] {
			continue
		}
		have[it.Decision] = true
		clock := it.At.In(day.Location()).Format("15:04")
		fresh = append(fresh, added{clock, "- [" + clock + "] " + text + " <!-- " + it.Decision + " -->" + eol})
	}
	if len(fresh) == 0 {
		return content
	}
	if isBlank(strings.TrimPrefix(content, byteOrder)) {
		lines = []string{DailyTitle(day), "\n"}
	}
	if n := len(lines); !strings.HasSuffix(lines[n-1], "\n") {
		lines[n-1] += eol
	}
	// Later ones never come before earlier ones, so one pass puts them all.
	slices.SortStableFunc(fresh, func(a, b added) int { return strings.Compare(a.clock, b.clock) })
	removeEmptyLines(places)
	var b strings.Builder
	done := 0
	for _, f := range fresh {
		at := lineFor(places, f.clock, len(lines))
		for ; done < at; done++ {
			b.WriteString(lines[done])
		}
		b.WriteString(f.line)
	}
	for _, line := range lines[done:] {
		b.WriteString(line)
	}
	return b.String()
}

// dailyPlace is a generated line of a log. Its clock is the earliest of its own
// and of those behind it, once closeRanks was called.
type dailyPlace struct {
	line  int
	clock string
}

func removeEmptyLines(places []dailyPlace) {
	for i := len(places) - 2; i >= 0; i-- {
		places[i].clock = min(places[i].clock, places[i+1].clock)
	}
}

// lineFor is the number of the line before which a generated line of this time
// belongs: behind the last generated one that is not later, before the first
// where all are, and at the end of all lines behind the last and where there is
// none.
func lineFor(places []dailyPlace, clock string, end int) int {
	n, _ := slices.BinarySearchFunc(places, clock, func(p dailyPlace, clock string) int {
		if p.clock <= clock {
			return -1
		}
		return 1
	})
	switch n {
	case len(places):
		return end
	case 0:
		return places[0].line
	}
	return places[n-1].line + 1
}

// DailyItems returns the lines of a log that have a time, in the order of the
// file, also those that people wrote; these have no decision. The date is that
// of the first heading, or of year 1 where it is none; the zone is UTC.
func DailyItems(content string) []Item {
	day := time.Time{}
	lines := linesOf(strings.TrimPrefix(content, byteOrder))
	for _, line := range lines {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			if t, err := time.Parse(time.DateOnly, strings.TrimSpace(title)); err == nil {
				day = t
			}
			break
		}
	}
	code := fenced(lines)
	var out []Item
	for i, line := range lines {
		l, ok := dailyLineOf(trimEOL(line))
		if !ok || code[i] && l.decision == "" {
			continue
		}
		hour, _ := strconv.Atoi(l.clock[:2]) // two digits each
		minute, _ := strconv.Atoi(l.clock[3:])
		if hour > 23 || minute > 59 {
			continue
		}
		at := day.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
		out = append(out, Item{Text: strings.TrimSpace(l.text), Decision: l.decision, At: at})
	}
	return out
}
