package ops

import (
	"context"
	"math"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// familyDaily is the family of the operations on daily logs.
const familyDaily = "daily"

// DailyLog is a file of the log of a day.
type DailyLog struct {
	Day        string    `json:"day" doc:"YYYY-MM-DD, in the user's time zone"`
	Seq        int       `json:"seq,omitempty" doc:"number of the file, if the day did not fit in one"`
	Scope      string    `json:"scope" doc:"who owns it"`
	Path       string    `json:"path" doc:"path of the file"`
	Archived   bool      `json:"archived,omitempty" doc:"it is in the archive"`
	Bytes      int64     `json:"bytes" doc:"size of the file"`
	ModifiedAt time.Time `json:"modified_at" doc:"when the file was last written"`
	Content    string    `json:"content,omitempty" doc:"its text; left out in lists"`
}

// dailyLogOf converts a log to its output form.
func dailyLogOf(l documents.DailyLog) DailyLog {
	return DailyLog{
		Day: l.Day, Seq: l.Seq, Scope: l.Scope.Key(), Path: l.Path, Archived: l.Archived, Bytes: l.Bytes, ModifiedAt: l.ModifiedAt, Content: l.Content,
	}
}

// DailyLogs lists daily logs.
type DailyLogs struct {
	Logs []DailyLog `json:"logs" doc:"newest first, scope by scope"`
}

// Rows returns the logs, for output line by line.
func (d DailyLogs) Rows() []any { return operation.Rows(d.Logs) }

// DailyText is the log of a day.
type DailyText struct {
	Logs []DailyLog `json:"logs" doc:"logs of that day, scope by scope, with their text"`
}

// Rows returns the logs, for output line by line.
func (d DailyText) Rows() []any { return operation.Rows(d.Logs) }

// DailyChange reports what became of logs.
type DailyChange struct {
	Change    string        `json:"change" doc:"archived, purged or restored"`
	Logs      []DailyLog    `json:"logs" doc:"logs that changed, as they were before"`
	Decisions []string      `json:"decisions,omitempty" doc:"ids of the decisions, for revert"`
	Skipped   []SkippedFile `json:"skipped,omitempty" doc:"logs that were left where they are"`
	DryRun    bool          `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// Rows returns the logs, for output line by line.
func (d DailyChange) Rows() []any { return operation.Rows(d.Logs) }

// DayIn names a day.
type DayIn struct {
	Day string `json:"day" opt:"arg,required" values:"day" doc:"the day, as YYYY-MM-DD"`
}

// DailyMoveIn selects daily logs.
type DailyMoveIn struct {
	Day           string `json:"day,omitempty" opt:"arg" values:"day" doc:"the log of this day, as YYYY-MM-DD (default: all that are old enough)"`
	OlderThanDays int    `json:"older_than_days,omitempty" default:"30" doc:"logs of days that ended this many days ago or earlier; ignored if a day is named"`
	DryRun        bool   `json:"dry_run,omitempty" doc:"say what would be done and change nothing"`
}

// options converts the input to options of the engine.
func (in DailyMoveIn) options(env *operation.Env) (edit.DailyOptions, error) {
	const most = int(math.MaxInt64 / int64(24*time.Hour))
	if in.OlderThanDays < 0 || in.OlderThanDays > most {
		return edit.DailyOptions{}, strata.Invalid("daily logs", "the age is outside 0 to 106751 days", "use a number of days such as 30")
	}
	o := edit.DailyOptions{OlderThan: time.Duration(in.OlderThanDays) * 24 * time.Hour, Day: in.Day, DryRun: in.DryRun, Origin: env.Origin, Agent: env.Agent}
	if in.Day != "" {
		o.OlderThan = 0
	}
	return o, nil
}

// changeOf converts a report about logs to its output form.
func changeOf(change string, r edit.DailyReport) DailyChange {
	return DailyChange{Change: change, Logs: operation.Each(r.Logs, dailyLogOf), Decisions: r.Decisions, Skipped: skippedOf(r.Skipped), DryRun: r.DryRun}
}

func dailyList() operation.Operation {
	return operation.Op[operation.None, DailyLogs]{
		Info: operation.Info{
			Name: "daily_list", Family: familyDaily, Summary: "List the daily logs", ReadOnly: true,
			Description: "What is saved also gets a line in the log of the day, memory/YYYY-MM-DD.md. Archived logs are listed too.",
			Examples:    []operation.Example{{Doc: "list them", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (DailyLogs, error) {
			list, err := env.Engine.DailyLogs(ctx, env.View)
			return DailyLogs{operation.Each(list, dailyLogOf)}, err
		},
	}
}

func dailyShow() operation.Operation {
	return operation.Op[DayIn, DailyText]{
		Info: operation.Info{
			Name: "daily_show", Family: familyDaily, Summary: "Show the log of a day", ReadOnly: true,
			Examples: []operation.Example{{Doc: "of a day", Input: `{"day": "2026-03-01"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in DayIn) (DailyText, error) {
			list, err := env.Engine.DailyLog(ctx, env.View, in.Day)
			return DailyText{operation.Each(list, dailyLogOf)}, err
		},
	}
}

func dailyArchive() operation.Operation {
	return operation.Op[DailyMoveIn, DailyChange]{
		Info: operation.Info{
			Name: "daily_archive", Family: familyDaily, Summary: "Move old logs into the archive",
			Description: "Moves logs of days that are over into _system/archive. They stay in the history, and daily restore brings them back.",
			Examples: []operation.Example{
				{Doc: "logs older than 30 days", Input: `{}`},
				{Doc: "see which are older than 7 days", Input: `{"older_than_days": 7, "dry_run": true}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in DailyMoveIn) (DailyChange, error) {
			o, err := in.options(env)
			if err != nil {
				return DailyChange{}, err
			}
			r, err := env.Engine.ArchiveDaily(ctx, env.View, o)
			return changeOf("archived", r), err
		},
	}
}

func dailyPurge() operation.Operation {
	return operation.Op[DailyMoveIn, DailyChange]{
		Info: operation.Info{
			Name: "daily_purge", Family: familyDaily, Summary: "Remove old logs, archived or not",
			Description: "Removes logs of days that are over. The facts they mention stay, and revert brings a log back.",
			Destructive: true,
			Examples: []operation.Example{
				{Doc: "see what is older than a year", Input: `{"older_than_days": 365, "dry_run": true}`},
				{Doc: "remove it", Input: `{"older_than_days": 365}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in DailyMoveIn) (DailyChange, error) {
			o, err := in.options(env)
			if err != nil {
				return DailyChange{}, err
			}
			r, err := env.Engine.PurgeDaily(ctx, env.View, o)
			return changeOf("purged", r), err
		},
	}
}

// DailyRestoreIn is the input of daily_restore.
type DailyRestoreIn struct {
	DayIn
	DryRun bool `json:"dry_run,omitempty" doc:"say what would be done and change nothing"`
}

func dailyRestore() operation.Operation {
	return operation.Op[DailyRestoreIn, DailyChange]{
		Info: operation.Info{
			Name: "daily_restore", Family: familyDaily, Summary: "Bring the log of a day back from the archive",
			Examples: []operation.Example{{Doc: "of a day", Input: `{"day": "2026-03-01"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in DailyRestoreIn) (DailyChange, error) {
			r, err := env.Engine.RestoreDaily(ctx, env.View, edit.DailyOptions{Day: in.Day, DryRun: in.DryRun, Origin: env.Origin, Agent: env.Agent})
			return changeOf("restored", r), err
		},
	}
}
