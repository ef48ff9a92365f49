package markdown

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// DailyTitle returns the first line of the log of a day.
func DailyTitle(day time.Time) string { return "# " + day.Format(time.DateOnly) + "\n" }

// AddDaily returns a daily log with a line added for each item, sorted by time: - [HH:MM]
// text, and the decision in a comment. The time is in the time zone of day. Items whose
// decisions already have a line are ignored, even if the line was changed, and so are
// items without text or decision. Existing lines are never moved or changed. An empty log
// gets the day as its heading.
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
	// Later items are never inserted before earlier ones, so one pass inserts them all.
	slices.SortStableFunc(fresh, func(a, b added) int { return strings.Compare(a.clock, b.clock) })
	lowerClocks(places)
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

// dailyPlace is a generated line of a log. After lowerClocks, clock is the earliest time
// of the line itself and of those after it.
type dailyPlace struct {
	line  int
	clock string
}

func lowerClocks(places []dailyPlace) {
	for i := len(places) - 2; i >= 0; i-- {
		places[i].clock = min(places[i].clock, places[i+1].clock)
	}
}

// lineFor returns the index of the line before which to insert a generated line with this
// time: after the last generated line that is not later, or before the first if all are
// later. It returns end if that is after the last generated line, or there are none.
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

// DailyItems returns the lines of a daily log that have a time, in the order of the file.
// Lines that people wrote have no decision. The date is that of the first heading, or in
// year 1 if that is not a date; the time zone is UTC.
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
