package edit

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

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
	Logs []documents.DailyLog `json:"logs"`
	// Decisions are the ids of the decisions, by which it can be undone.
	Decisions []string `json:"decisions,omitempty"`
	// Skipped are logs that were left where they are, with the reason.
	Skipped []documents.File `json:"skipped,omitempty"`
	DryRun  bool             `json:"dry_run,omitempty"`
}

// ArchiveDaily moves logs of days that are over into _system/archive.
func (e *Editor) ArchiveDaily(ctx context.Context, view strata.View, o DailyOptions) (DailyReport, error) {
	return e.moveDaily(ctx, view, o, func(l documents.DailyLog) bool { return !l.Archived && e.isOver(l.Day, o.OlderThan) }, markdown.ArchiveDir)
}

// RestoreDaily moves the archived logs of o.Day back.
func (e *Editor) RestoreDaily(ctx context.Context, view strata.View, o DailyOptions) (DailyReport, error) {
	if err := documents.CheckDay(o.Day); err != nil {
		return DailyReport{}, err
	}
	return e.moveDaily(ctx, view, o, func(l documents.DailyLog) bool { return l.Archived }, markdown.DailyDir)
}

// PurgeDaily removes logs of days that are over, archived or not. The facts
// they tell of stay. OlderThan must be a day or more, unless a day is named.
func (e *Editor) PurgeDaily(ctx context.Context, view strata.View, o DailyOptions) (DailyReport, error) {
	if o.Day == "" && o.OlderThan < 24*time.Hour {
		return DailyReport{}, strata.Invalid("purge daily logs", fmt.Sprintf("older than %v is not a day", o.OlderThan), "name an age of a day or more, such as 720h, or a day")
	}
	return e.moveDaily(ctx, view, o, func(l documents.DailyLog) bool { return e.isOver(l.Day, o.OlderThan) }, "")
}

// isOver reports whether a day ended so long ago.
func (e *Editor) isOver(day string, ago time.Duration) bool {
	now := e.o.Now()
	at, err := time.ParseInLocation(time.DateOnly, day, now.Location())
	return err == nil && !at.AddDate(0, 0, 1).After(now.Add(-ago))
}

// moveDaily moves the wanted logs of a view into a directory, or removes them
// where that is empty. Each goes by the one write path, whole or not at all.
func (e *Editor) moveDaily(ctx context.Context, view strata.View, o DailyOptions, wanted func(documents.DailyLog) bool, to string) (DailyReport, error) {
	report := DailyReport{Logs: []documents.DailyLog{}, DryRun: o.DryRun}
	if o.Day != "" {
		if err := documents.CheckDay(o.Day); err != nil {
			return report, err
		}
	}
	if _, err := e.o.Intake.Sync(ctx, view); err != nil {
		return report, err
	}
	all, err := e.o.Library.DailyLogs(ctx, view)
	if err != nil {
		return report, err
	}
	for _, l := range all {
		if !wanted(l) || o.Day != "" && l.Day != o.Day {
			continue
		}
		if l.Redacted {
			by := "move it by hand"
			if to == "" {
				by = "remove it by hand, or the secret from it"
			}
			report.Skipped = append(report.Skipped, documents.File{Scope: l.Scope, Path: l.Path, Reason: "holds a secret, which memory does not keep: " + by})
			continue
		}
		if !o.DryRun {
			decisions, err := e.moveLog(ctx, l, to, o)
			if strata.CodeOf(err) == strata.CodeConflict {
				report.Skipped = append(report.Skipped, documents.File{Scope: l.Scope, Path: l.Path, Reason: "changed meanwhile"})
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

// moveLog moves one log. Those of the same day that are there already stay.
func (e *Editor) moveLog(ctx context.Context, l documents.DailyLog, to string, o DailyOptions) ([]strata.Decision, error) {
	remove := strata.Candidate{
		Scope: l.Scope, Path: l.Path, Action: strata.ActionDelete, BaseHash: l.Hash, Origin: o.Origin, Agent: o.Agent,
	}
	if to == "" {
		return e.o.Memory.WriteBatch(ctx, []strata.Candidate{remove})
	}
	var content string
	seq := l.Seq
	err := e.o.Store.View(ctx, func(r store.Reader) error {
		d, err := r.Document(ctx, l.Scope, l.Path)
		if err != nil {
			return err
		}
		content = d.Content
		for ; ; seq++ {
			taken, err := documents.At(ctx, r, l.Scope, markdown.DailyPath(to, l.Day, seq))
			if err != nil || taken == nil {
				return err
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return e.o.Memory.WriteBatch(ctx, []strata.Candidate{
		{Scope: l.Scope, Path: markdown.DailyPath(to, l.Day, seq), Content: content, BaseHash: strata.NoFile, Origin: o.Origin, Agent: o.Agent},
		remove,
	})
}
