package engine

import (
	"context"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
)

// Bounds of one file of a daily log; what is more goes into the next of the
// day. Source: BEHAVIOURS.md, 1.1 item 27.
const (
	dailyBytes = 1 << 20
	dailyLines = 5000
	// dailyItemBytes is the most that one line takes: characters of four bytes.
	dailyItemBytes = 4 * document.MaxItem
)

// The directories of daily logs.
const (
	dailyDir   = "memory"
	archiveDir = "_system/archive"
)

// dailyPath is the seq-th file of the log of a day in a directory; the first
// has the number 0.
func dailyPath(dir, day string, seq int) string {
	if seq == 0 {
		return dir + "/" + day + ".md"
	}
	return dir + "/" + day + "." + strconv.Itoa(seq) + ".md"
}

// parseDaily is the inverse of dailyPath.
func parseDaily(p string) (dir, day string, seq int, ok bool) {
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
	return dir, day, seq, dailyPath(dir, day, seq) == p
}

// dayOf is the day of a daily log by its path.
func dayOf(p string) (time.Time, bool) {
	_, day, _, ok := parseDaily(p)
	if !ok {
		return time.Time{}, false
	}
	at, err := time.Parse(time.DateOnly, day)
	return at, err == nil
}

// logPlace is a file of a daily log.
type logPlace struct {
	day string
	seq int
}

// dailyLog is a file of a daily log as it stands.
type dailyLog struct {
	logPlace
	bytes, lines int
	told         map[string]bool // the decisions that have a line
	there        bool
	// odd says that it cannot be read as text: nothing is added to it.
	odd bool
}

// room is how many of the items go into the log. An empty one takes at least
// one.
func (l dailyLog) room(items []document.Item) int {
	if l.odd {
		return 0
	}
	size, lines := l.bytes, l.lines
	for n, i := range items {
		size += min(len(i.Text), dailyItemBytes) + len(i.Decision) + len("- [00:00]  <!--  -->\n")
		lines++
		if (size > dailyBytes || lines > dailyLines) && (n > 0 || l.there) {
			return n
		}
	}
	return len(items)
}

// readLog reads a file of a daily log. One that is not there is empty.
func (r *rendering) readLog(ctx context.Context, day string, seq int) (dailyLog, error) {
	out := dailyLog{logPlace: logPlace{day, seq}}
	f, err := r.standing(ctx, dailyPath(dailyDir, day, seq))
	switch strata.CodeOf(err) {
	case "":
	case strata.CodeInvalid, strata.CodeTooLarge, strata.CodeCorrupt, strata.CodeConflict:
		out.there, out.odd = true, true
		return out, nil
	default:
		return out, err
	}
	if f.Hash == strata.NoFile {
		return out, nil
	}
	content := string(f.Content)
	out.there, out.bytes, out.lines = true, len(content), strings.Count(content, "\n")
	out.told = decisionsIn(content)
	return out, nil
}

// decisionsIn are the decisions that are named in comments of a text.
func decisionsIn(content string) map[string]bool {
	const open, shut = "<!-- ", " -->"
	out := make(map[string]bool)
	for rest := content; ; {
		_, after, ok := strings.Cut(rest, open)
		if !ok {
			return out
		}
		line, _, _ := strings.Cut(after, "\n")
		if id, _, ok := strings.Cut(line, shut); ok {
			out[id] = true
		}
		rest = after
	}
}

// newestLog finds the last file of the log of a day.
func (r *rendering) newestLog(ctx context.Context, day string) (dailyLog, error) {
	last, err := r.readLog(ctx, day, r.projector.lastLog(r.scope, day))
	if err != nil || !last.there && last.seq == 0 {
		return last, err
	}
	for {
		next, err := r.readLog(ctx, day, last.seq+1)
		if err != nil || !next.there {
			return last, err
		}
		last = next
	}
}

// writesLog notes the file of a daily log that was written last, and lastLog
// where to look for the newest of a day.
func (p *projector) writesLog(scope strata.Scope, at logPlace) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.logs[scope] = at
}

func (p *projector) lastLog(scope strata.Scope, day string) (seq int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := p.logs[scope]; at.day == day {
		return at.seq
	}
	return 0
}
