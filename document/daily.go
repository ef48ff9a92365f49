package document

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

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
	for _, line := range lines {
		if m := dailyLine.FindStringSubmatch(bare(line)); m != nil && m[4] != "" {
			have[m[4]] = true
		}
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b Item) int { return a.At.Compare(b.At) })
	changed := false
	for _, it := range items {
		text := neutral(it.Text, MaxItem)
		if text == "" || !isDecision(it.Decision) || have[it.Decision] {
			continue
		}
		have[it.Decision] = true
		if !changed && isBlank(strings.TrimPrefix(content, byteOrder)) {
			lines = []string{"# " + day.Format(time.DateOnly) + "\n", "\n"}
		}
		changed = true
		if n := len(lines); !strings.HasSuffix(lines[n-1], "\n") {
			lines[n-1] += eol
		}
		clock := it.At.In(day.Location()).Format("15:04")
		line := "- [" + clock + "] " + text + " <!-- " + it.Decision + " -->" + eol
		lines = slices.Insert(lines, dailyPlace(lines, clock), line)
	}
	if !changed {
		return content
	}
	return strings.Join(lines, "")
}

// dailyPlace is where a generated line of this time belongs: behind the last
// generated one that is not later, before the first where all are, and at the
// end where there is none.
func dailyPlace(lines []string, clock string) int {
	at, first := -1, -1
	for i, line := range lines {
		m := dailyLine.FindStringSubmatch(bare(line))
		if m == nil || m[4] == "" {
			continue
		}
		if first < 0 {
			first = i
		}
		if m[1]+":"+m[2] <= clock {
			at = i + 1
		}
	}
	switch {
	case at >= 0 && !generatedBehind(lines, at):
		return len(lines)
	case at >= 0:
		return at
	case first >= 0:
		return first
	}
	return len(lines)
}

// generatedBehind reports whether a generated line stands at or behind a place.
func generatedBehind(lines []string, at int) bool {
	return slices.ContainsFunc(lines[at:], func(line string) bool {
		m := dailyLine.FindStringSubmatch(bare(line))
		return m != nil && m[4] != ""
	})
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
		m := dailyLine.FindStringSubmatch(bare(line))
		if m == nil || code[i] && m[4] == "" {
			continue
		}
		hour, _ := strconv.Atoi(m[1]) // two digits, as the pattern says
		minute, _ := strconv.Atoi(m[2])
		if hour > 23 || minute > 59 {
			continue
		}
		at := day.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
		out = append(out, Item{Text: strings.TrimSpace(m[3]), Decision: m[4], At: at})
	}
	return out
}
