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

// DailyOptions select the logs to move or remove.
type DailyOptions struct {
	// OlderThan is the minimum time since the day of a log ended. 0 selects all days that
	// have ended.
	OlderThan time.Duration
	Day       string // only this day, YYYY-MM-DD; empty means any
	DryRun    bool   // report what would be done, but change nothing
	Origin    strata.Origin
	Agent     string
}

// DailyReport is the result of moving or removing logs.
type DailyReport struct {
	// Logs are the logs that were moved or removed, as they were before.
	Logs []documents.DailyLog `json:"logs"`
	// Decisions are the ids of the decisions, which can be reverted.
	Decisions []string `json:"decisions,omitempty"`
	// Skipped are the logs that were left in place, with the reasons.
	Skipped []documents.File `json:"skipped,omitempty"`
	DryRun  bool             `json:"dry_run,omitempty"`
}

// ArchiveDaily moves logs of past days to _system/archive.
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

// PurgeDaily removes logs of past days, archived or not. The facts in them are kept.
// o.OlderThan must be at least a day unless o.Day is set.
func (e *Editor) PurgeDaily(ctx context.Context, view strata.View, o DailyOptions) (DailyReport, error) {
	if o.Day == "" && o.OlderThan < 24*time.Hour {
		return DailyReport{}, strata.Invalid("purge daily logs", fmt.Sprintf("older than %v is not a day", o.OlderThan), "name an age of a day or more, such as 720h, or a day")
	}
	return e.moveDaily(ctx, view, o, func(l documents.DailyLog) bool { return e.isOver(l.Day, o.OlderThan) }, "")
}

// isOver reports whether a day ended at least that long ago.
func (e *Editor) isOver(day string, ago time.Duration) bool {
	now := e.o.Now()
	at, err := time.ParseInLocation(time.DateOnly, day, now.Location())
	return err == nil && !at.AddDate(0, 0, 1).After(now.Add(-ago))
}

// moveDaily moves the wanted logs of a view to a directory, or removes them if to is
// empty. Each log is moved in one transaction.
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

// moveLog moves one log. It never replaces other logs of the same day.
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
