package markdown

import (
	"path"
	"strconv"
	"strings"
	"time"
)

// The directories of daily logs.
const (
	DailyDir   = "memory"
	ArchiveDir = "_system/archive"
)

// DailyPath returns the path of file number seq of the log of a day (YYYY-MM-DD) in a
// directory. The first file has number 0.
func DailyPath(dir, day string, seq int) string {
	if seq == 0 {
		return dir + "/" + day + ".md"
	}
	return dir + "/" + day + "." + strconv.Itoa(seq) + ".md"
}

// ParseDailyPath is the inverse of [DailyPath].
func ParseDailyPath(p string) (dir, day string, seq int, ok bool) {
	dir = path.Dir(p)
	day, number, numbered := strings.Cut(strings.TrimSuffix(path.Base(p), ".md"), ".")
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return "", "", 0, false
	}
	if numbered {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return "", "", 0, false
		}
		seq = n
	}
	return dir, day, seq, DailyPath(dir, day, seq) == p
}

// DayOf returns the day of a daily log, given its path.
func DayOf(p string) (time.Time, bool) {
	_, day, _, ok := ParseDailyPath(p)
	if !ok {
		return time.Time{}, false
	}
	at, err := time.Parse(time.DateOnly, day)
	return at, err == nil
}
