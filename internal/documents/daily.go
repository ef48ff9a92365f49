package documents

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/store"
)

// DailyLog is one file of a day's log.
type DailyLog struct {
	Scope strata.Scope `json:"scope"`
	Day   string       `json:"day"` // YYYY-MM-DD, in the user's time zone
	// Seq is the number of the file within the day. It is 0 for the first; more are added
	// when a file has grown too large.
	Seq        int       `json:"seq,omitempty"`
	Path       string    `json:"path"`
	Archived   bool      `json:"archived,omitempty"`
	Bytes      int64     `json:"bytes"`
	ModifiedAt time.Time `json:"modified_at"`
	// Content is the text with secrets redacted; empty in lists.
	Content string `json:"content,omitempty"`

	Hash     string `json:"-"`
	Redacted bool   `json:"-"` // a secret was removed from the text
}

// DailyLogs lists the daily logs of each scope of a view, including archived ones, newest
// day first. Group sessions get none, since logs contain what a person saved.
func (l *Library) DailyLogs(ctx context.Context, view strata.View) ([]DailyLog, error) {
	return store.ReadEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) ([]DailyLog, error) {
		if view.OnlySessions() != "" {
			return nil, nil
		}
		return Logs(ctx, r, s, "")
	})
}

// DailyLog returns the log files of a day, YYYY-MM-DD, in the scopes of a view, with
// their content. It returns [strata.CodeNotFound] if there are none.
func (l *Library) DailyLog(ctx context.Context, view strata.View, day string) ([]DailyLog, error) {
	if err := CheckDay(day); err != nil {
		return nil, err
	}
	out, err := store.ReadEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) ([]DailyLog, error) {
		if view.OnlySessions() != "" {
			return nil, nil
		}
		logs, err := Logs(ctx, r, s, day)
		slices.Reverse(logs) // the first file of the day first
		for i := range logs {
			d, err := r.Document(ctx, s, logs[i].Path)
			if err != nil {
				return nil, err
			}
			logs[i].Content = d.Content
		}
		return logs, err
	})
	if err == nil && len(out) == 0 {
		err = strata.NotFound("show daily log", "daily log", day)
	}
	return out, err
}

// CheckDay returns an error unless a day has the form YYYY-MM-DD.
func CheckDay(day string) error {
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return strata.Invalid("read day", "no such day: "+fence.Neutral(day, 40), "write it as 2026-01-31")
	}
	return nil
}

// logPage is the number of documents read at a time when searching for logs.
const logPage = 1000

// Logs lists the daily logs of a scope, newest day first and the last file of a day
// first. An empty day means all days.
func Logs(ctx context.Context, r store.Reader, scope strata.Scope, day string) ([]DailyLog, error) {
	var out []DailyLog
	for _, dir := range []string{markdown.DailyDir, markdown.ArchiveDir} {
		prefix := dir + "/" + day
		for d, err := range allDocuments(ctx, r, scope, strata.DocumentFilter{System: true, After: prefix, Limit: logPage}) {
			if err != nil {
				return nil, err
			}
			if !strings.HasPrefix(d.Path, prefix) {
				break // paths are in order
			}
			at, of, seq, ok := markdown.ParseDailyPath(d.Path)
			if !ok || at != dir {
				continue
			}
			out = append(out, DailyLog{
				Scope: scope, Day: of, Seq: seq, Path: d.Path, Archived: dir == markdown.ArchiveDir, Bytes: d.Size,
				ModifiedAt: d.ModifiedAt, Hash: d.Hash, Redacted: len(d.Redacted) > 0,
			})
		}
	}
	slices.SortStableFunc(out, func(a, b DailyLog) int {
		return cmp.Or(cmp.Compare(b.Day, a.Day), cmp.Compare(b.Seq, a.Seq))
	})
	return out, nil
}
