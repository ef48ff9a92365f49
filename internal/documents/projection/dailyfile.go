package projection

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// Limits of one file of a daily log; further lines go into another file of the day. The
// maximum size of a document is 1 MiB, see docs/formats/workspace.md.
const (
	dailyBytes = 1 << 20
	dailyLines = 5000
	// dailyItemBytes is the maximum size of the text of a line, with four bytes per
	// character.
	dailyItemBytes = 4 * markdown.MaxItem
)

// dailyLog is a file of a daily log in its current state.
type dailyLog struct {
	day        string
	seq        int
	content    string
	there      bool
	unreadable bool // not valid text, so that nothing is added to it
}

// room returns the number of items that fit in the log. At least one fits in an empty
// log.
func (l dailyLog) room(items []markdown.Item) int {
	if l.unreadable {
		return 0
	}
	size, lines := len(l.content), strings.Count(l.content, "\n")
	for n, i := range items {
		size += min(len(i.Text), dailyItemBytes) + len(i.Decision) + len("- [00:00]  <!--  -->\n")
		lines++
		if (size > dailyBytes || lines > dailyLines) && (n > 0 || l.there) {
			return n
		}
	}
	return len(items)
}

// readLog reads a file of a daily log. A file that does not exist is empty.
func (r *rendering) readLog(ctx context.Context, day string, seq int) (dailyLog, error) {
	out := dailyLog{day: day, seq: seq}
	f, err := r.read(ctx, markdown.DailyPath(markdown.DailyDir, day, seq))
	switch strata.CodeOf(err) {
	case "":
	case strata.CodeInvalid, strata.CodeTooLarge, strata.CodeCorrupt, strata.CodeConflict:
		out.there, out.unreadable = true, true
		return out, nil
	default:
		return out, err
	}
	if f.Hash == strata.NoFile {
		return out, nil
	}
	out.there, out.content = true, string(f.Content)
	return out, nil
}

// split separates the items whose decisions have a line in a log from the others.
func (l dailyLog) split(items []markdown.Item) (known, fresh []markdown.Item) {
	const open, shut = "<!-- ", " -->"
	wanted := make(map[string]bool, len(items)) // true means that it has a line
	for _, i := range items {
		wanted[i.Decision] = false
	}
	for rest := l.content; ; {
		_, after, ok := strings.Cut(rest, open)
		if !ok {
			break
		}
		line, _, _ := strings.Cut(after, "\n")
		if id, _, ok := strings.Cut(line, shut); ok {
			if _, ok := wanted[id]; ok {
				wanted[id] = true
			}
		}
		rest = after
	}
	for _, i := range items {
		if wanted[i.Decision] {
			known = append(known, i)
		} else {
			fresh = append(fresh, i)
		}
	}
	return known, fresh
}

// newestLog finds the last file of the log of a day.
func (r *rendering) newestLog(ctx context.Context, day string) (dailyLog, error) {
	known, err := store.Read(ctx, r.o.Store, func(v store.Reader) ([]documents.DailyLog, error) {
		return documents.Logs(ctx, v, r.scope, day)
	})
	if err != nil {
		return dailyLog{}, err
	}
	seq := 0
	for _, l := range known {
		if !l.Archived {
			seq = max(seq, l.Seq)
		}
	}
	last, err := r.readLog(ctx, day, seq)
	for err == nil && last.there { // a process that was killed may have started more files
		next, nextErr := r.readLog(ctx, day, last.seq+1)
		if nextErr != nil || !next.there {
			return last, nextErr
		}
		last = next
	}
	return last, err
}
