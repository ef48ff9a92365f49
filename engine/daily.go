package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// DailyLog is a file of the log of one day.
type DailyLog struct {
	Scope strata.Scope `json:"scope"`
	Day   string       `json:"day"` // YYYY-MM-DD, where the user was
	// Seq is 0 for the first file of the day, and counts those that follow where
	// it grew too large.
	Seq        int       `json:"seq,omitempty"`
	Path       string    `json:"path"`
	Archived   bool      `json:"archived,omitempty"`
	Bytes      int64     `json:"bytes"`
	ModifiedAt time.Time `json:"modified_at"`
	// Content is its text, with secrets redacted; empty where logs are listed.
	Content string `json:"content,omitempty"`

	hash     string
	redacted bool
}

// DailyOptions say which logs are moved or removed.
type DailyOptions struct {
	// OlderThan is how long ago the day of a log must have ended. 0 means that
	// it ended.
	OlderThan time.Duration
	Day       string // of this day only, YYYY-MM-DD; empty: any
	DryRun    bool   // say what would be done, change nothing
	Origin    strata.Origin
	Agent     string
}

// DailyReport says what became of logs.
type DailyReport struct {
	// Logs are those that were moved or removed, as they were before.
	Logs []DailyLog `json:"logs"`
	// Decisions are the ids of the decisions, by which it can be undone.
	Decisions []string `json:"decisions,omitempty"`
	// Skipped are logs that were left where they are, with the reason.
	Skipped []SyncFile `json:"skipped,omitempty"`
	DryRun  bool       `json:"dry_run,omitempty"`
}

// DailyLogs lists the daily logs of each scope of a view, archived ones too,
// the newest day first. They tell what a person saved: a group session has none.
func (e *Engine) DailyLogs(ctx context.Context, view strata.View) ([]DailyLog, error) {
	out := []DailyLog{}
	err := e.eachScope(ctx, view, func(r store.Reader, s strata.Scope) error {
		if view.OnlySessions() != "" {
			return nil
		}
		logs, err := logsOf(ctx, r, s, "")
		out = append(out, logs...)
		return err
	})
	return out, err
}

// DailyLog returns the logs of a day, YYYY-MM-DD, in the scopes of a view, with
// their text; not_found if there is none.
func (e *Engine) DailyLog(ctx context.Context, view strata.View, day string) ([]DailyLog, error) {
	if err := checkDay(day); err != nil {
		return nil, err
	}
	var out []DailyLog
	err := e.eachScope(ctx, view, func(r store.Reader, s strata.Scope) error {
		if view.OnlySessions() != "" {
			return nil
		}
		logs, err := logsOf(ctx, r, s, day)
		if err != nil {
			return err
		}
		slices.Reverse(logs) // the first file of the day first
		for _, l := range logs {
			d, err := r.Document(ctx, s, l.Path)
			if err != nil {
				return err
			}
			l.Content = d.Content
			out = append(out, l)
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = strata.NotFound("show daily log", "daily log", day)
	}
	return out, err
}

// ArchiveDaily moves logs of days that are over into _system/archive.
func (e *Engine) ArchiveDaily(ctx context.Context, view strata.View, o DailyOptions) (DailyReport, error) {
	return e.moveDaily(ctx, view, o, func(l DailyLog) bool { return !l.Archived && e.isOver(l.Day, o.OlderThan) }, archiveDir)
}

// RestoreDaily moves the archived logs of o.Day back.
func (e *Engine) RestoreDaily(ctx context.Context, view strata.View, o DailyOptions) (DailyReport, error) {
	if err := checkDay(o.Day); err != nil {
		return DailyReport{}, err
	}
	return e.moveDaily(ctx, view, o, func(l DailyLog) bool { return l.Archived }, dailyDir)
}

// PurgeDaily removes logs of days that are over, archived or not. The facts
// they tell of stay. OlderThan must be a day or more, unless a day is named.
func (e *Engine) PurgeDaily(ctx context.Context, view strata.View, o DailyOptions) (DailyReport, error) {
	if o.Day == "" && o.OlderThan < 24*time.Hour {
		return DailyReport{}, strata.Invalid("purge daily logs", fmt.Sprintf("older than %v is not a day", o.OlderThan), "name an age of a day or more, such as 720h, or a day")
	}
	return e.moveDaily(ctx, view, o, func(l DailyLog) bool { return e.isOver(l.Day, o.OlderThan) }, "")
}

// isOver reports whether a day ended so long ago.
func (e *Engine) isOver(day string, ago time.Duration) bool {
	now := e.opts.Now()
	at, err := time.ParseInLocation(time.DateOnly, day, now.Location())
	return err == nil && !at.AddDate(0, 0, 1).After(now.Add(-ago))
}

// checkDay reports whether a day is written as YYYY-MM-DD.
func checkDay(day string) error {
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return strata.Invalid("read day", "no such day: "+text.Clip(day, 40), "write it as 2026-01-31")
	}
	return nil
}

// moveDaily moves the wanted logs of a view into a directory, or removes them
// where that is empty. Each goes by the one write path, whole or not at all.
func (e *Engine) moveDaily(ctx context.Context, view strata.View, o DailyOptions, wanted func(DailyLog) bool, to string) (DailyReport, error) {
	report := DailyReport{Logs: []DailyLog{}, DryRun: o.DryRun}
	if o.Day != "" {
		if err := checkDay(o.Day); err != nil {
			return report, err
		}
	}
	if _, err := e.Sync(ctx, view); err != nil {
		return report, err
	}
	all, err := e.DailyLogs(ctx, view)
	if err != nil {
		return report, err
	}
	for _, l := range all {
		if !wanted(l) || o.Day != "" && l.Day != o.Day {
			continue
		}
		if to != "" && l.redacted {
			report.Skipped = append(report.Skipped, SyncFile{Scope: l.Scope, Path: l.Path, Reason: "holds a secret, which memory does not keep: move it by hand"})
			continue
		}
		if !o.DryRun {
			decisions, err := e.moveLog(ctx, l, to, o)
			if strata.CodeOf(err) == strata.CodeConflict {
				report.Skipped = append(report.Skipped, SyncFile{Scope: l.Scope, Path: l.Path, Reason: "changed meanwhile"})
				continue
			}
			if err != nil {
				return report, fmt.Errorf("%s of %s: %w", l.Path, l.Scope, err)
			}
			for _, d := range decisions {
				report.Decisions = append(report.Decisions, d.ID)
			}
		}
		report.Logs = append(report.Logs, l)
	}
	return report, nil
}

// moveLog moves one log, beside those of the same day that are there.
func (e *Engine) moveLog(ctx context.Context, l DailyLog, to string, o DailyOptions) ([]strata.Decision, error) {
	remove := strata.Candidate{
		Scope: l.Scope, Path: l.Path, Wish: strata.WishDelete, BaseHash: l.hash, Origin: o.Origin, Agent: o.Agent,
	}
	if to == "" {
		return e.WriteBatch(ctx, []strata.Candidate{remove})
	}
	var content string
	seq := l.Seq
	err := e.store.View(ctx, func(r store.Reader) error {
		d, err := r.Document(ctx, l.Scope, l.Path)
		if err != nil {
			return err
		}
		content = d.Content
		for ; ; seq++ {
			taken, err := documentAt(ctx, r, l.Scope, dailyPath(to, l.Day, seq))
			if err != nil || taken == nil {
				return err
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return e.WriteBatch(ctx, []strata.Candidate{
		{Scope: l.Scope, Path: dailyPath(to, l.Day, seq), Content: content, BaseHash: strata.NoFile, Origin: o.Origin, Agent: o.Agent},
		remove,
	})
}

// logsOf lists the daily logs of a scope, of one day or, if it is empty, of all:
// the newest day first, of a day the last file first.
func logsOf(ctx context.Context, r store.Reader, scope strata.Scope, day string) ([]DailyLog, error) {
	var out []DailyLog
	for _, dir := range []string{dailyDir, archiveDir} {
		page := strata.DocumentFilter{System: true, After: dir + "/" + day, Limit: rowPage}
	paging:
		for {
			list, err := r.Documents(ctx, scope, page)
			if err != nil {
				return nil, err
			}
			for _, d := range list {
				page.After = d.Path
				if !strings.HasPrefix(d.Path, dir+"/"+day) {
					break paging // paths are in order
				}
				at, of, seq, ok := parseDaily(d.Path)
				if !ok || at != dir {
					continue
				}
				out = append(out, DailyLog{
					Scope: scope, Day: of, Seq: seq, Path: d.Path, Archived: dir == archiveDir, Bytes: d.Size,
					ModifiedAt: d.ModifiedAt, hash: d.Hash, redacted: len(d.Redacted) > 0,
				})
			}
			if len(list) < rowPage {
				break
			}
		}
	}
	slices.SortStableFunc(out, func(a, b DailyLog) int {
		return cmp.Or(cmp.Compare(b.Day, a.Day), cmp.Compare(b.Seq, a.Seq))
	})
	return out, nil
}
