package projection

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/documents"
	"github.com/strata-memory/strata/store"
)

// Bounds of one file of a daily log; what is more goes into the next of the
// day. Source: BEHAVIOURS.md, 1.1 item 27.
const (
	dailyBytes = 1 << 20
	dailyLines = 5000
	// dailyItemBytes is the most that one line takes: characters of four bytes.
	dailyItemBytes = 4 * document.MaxItem
)

// logPlace is a file of a daily log.
type logPlace struct {
	day string
	seq int
}

// leftLog is the newest file of a daily log as a rendering left it, after what
// it wrote was stamped: while the file has this hash, no other process wrote
// into the log since, and no outstanding decision has a line in it.
type leftLog struct {
	logPlace
	hash string
}

// dailyLog is a file of a daily log as it stands.
type dailyLog struct {
	logPlace
	hash, content string
	there         bool
	// odd says that it cannot be read as text: nothing is added to it.
	odd bool
}

// room is how many of the items go into the log. An empty one takes at least
// one.
func (l dailyLog) room(items []document.Item) int {
	if l.odd {
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

// readLog reads a file of a daily log. One that is not there is empty.
func (r *rendering) readLog(ctx context.Context, day string, seq int) (dailyLog, error) {
	out := dailyLog{logPlace: logPlace{day, seq}}
	f, err := r.standing(ctx, document.DailyPath(document.DailyDir, day, seq))
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
	out.there, out.hash, out.content = true, f.Hash, string(f.Content)
	return out, nil
}

// split returns the items whose decisions have a line in a log, and the others.
func (l dailyLog) split(items []document.Item) (told, fresh []document.Item) {
	const open, shut = "<!-- ", " -->"
	wanted := make(map[string]bool, len(items)) // true: it has a line
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
			told = append(told, i)
		} else {
			fresh = append(fresh, i)
		}
	}
	return told, fresh
}

// newestLog finds the last file of the log of a day. clean says that it stands
// as a rendering of this process left it.
func (r *rendering) newestLog(ctx context.Context, day string) (last dailyLog, clean bool, err error) {
	left := r.lastLog(r.scope)
	seq := left.seq
	if left.day != day {
		if seq, err = r.newestKnown(ctx, day); err != nil {
			return last, false, err
		}
	}
	last, err = r.readLog(ctx, day, seq)
	if err != nil {
		return last, false, err
	}
	clean = left.day == day && last.hash == left.hash
	for last.there {
		next, err := r.readLog(ctx, day, last.seq+1)
		if err != nil || !next.there {
			return last, clean, err
		}
		last, clean = next, false // another process began it
	}
	return last, false, nil
}

// newestKnown is the number of the last file of a day's log that memory knows;
// 0 where there is none.
func (r *rendering) newestKnown(ctx context.Context, day string) (seq int, err error) {
	err = r.o.Store.View(ctx, func(v store.Reader) error {
		logs, err := documents.Logs(ctx, v, r.scope, day)
		for _, l := range logs {
			if !l.Archived {
				seq = max(seq, l.Seq)
			}
		}
		return err
	})
	return seq, err
}

// leavesLog notes the newest file of a daily log that was written and stamped,
// and lastLog returns it.
func (p *Projector) leavesLog(scope strata.Scope, left leftLog) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.logs[scope] = left
}

func (p *Projector) lastLog(scope strata.Scope) leftLog {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.logs[scope]
}
