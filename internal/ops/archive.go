package ops

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/clock"
	"github.com/strata-memory/strata/internal/base/filelock"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/sessions"
)

func sessionsArchive() operation.Operation {
	return operation.Op[PruneIn, Pruned]{
		Info: operation.Info{
			Name: "sessions_archive", Family: "sessions", Summary: "Put what was said in old conversations into compressed files",
			Description: "Does what sessions prune does, but writes the texts of each session into a compressed file of the home first, and reads it " +
				"back. Facts that were learnt from them stay. sessions restore brings a session back; until then what was said in it is not found. " +
				"forget reaches into these files.",
			Examples: []operation.Example{
				{Doc: "see what was closed half a year ago", Input: `{"older_than": "180d", "dry_run": true}`},
				{Doc: "put it away", Input: `{"older_than": "180d"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in PruneIn) (Pruned, error) {
			if in.MaxArchives > 0 {
				return Pruned{}, strata.Invalid("archive sessions", "max_archive_bytes removes archives", "pass it to sessions prune")
			}
			o, err := in.options()
			if err != nil {
				return Pruned{}, err
			}
			done, err := env.Engine.ArchiveSessions(ctx, env.View, o)
			out := prunedOf(done, in.DryRun)
			out.Archived = true
			return out, err
		},
	}
}

// RestoreIn is the input of sessions_restore.
type RestoreIn struct {
	Session string `json:"session" opt:"arg,required" values:"session" doc:"id of the session"`
}

// RestoredSession is a session whose archived turns were restored.
type RestoredSession struct {
	Session
	Restored int `json:"restored" doc:"turns that have their text again"`
}

func sessionsRestore() operation.Operation {
	return operation.Op[RestoreIn, RestoredSession]{
		Info: operation.Info{
			Name: "sessions_restore", Family: "sessions", Summary: "Bring an archived conversation back",
			Description: "Puts what was said back into memory, where it is found again, and removes the file. What was forgotten meanwhile stays forgotten.",
			Examples:    []operation.Example{{Doc: "one that is archived", Input: `{"session": "monday"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in RestoreIn) (RestoredSession, error) {
			done, err := env.Engine.RestoreSession(ctx, env.View, in.Session)
			return RestoredSession{SessionOf(done.Session), done.Turns}, err
		},
	}
}

// RepairIn is the input of sessions_repair.
type RepairIn struct {
	Idle   string `json:"idle,omitempty" default:"24h" doc:"close open sessions of which nothing was heard for so long, as 36h or 7d"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what is wrong and change nothing"`
}

// Repaired lists what was wrong with sessions.
type Repaired struct {
	Sessions []RepairedSession `json:"sessions" doc:"those that were not as they should be"`
	DryRun   bool              `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// Rows returns the sessions, for output line by line.
func (r Repaired) Rows() []any { return operation.Rows(r.Sessions) }

// RepairedSession is a session that had to be repaired.
type RepairedSession struct {
	ID      string                 `json:"id" doc:"of the session"`
	Scope   string                 `json:"scope" doc:"who owns it"`
	Problem sessions.RepairProblem `json:"problem" doc:"left_open, wrong_count or wrong_state"`
	Detail  string                 `json:"detail" doc:"more about it"`
}

func sessionsRepair() operation.Operation {
	return operation.Op[RepairIn, Repaired]{
		Info: operation.Info{
			Name: "sessions_repair", Family: "sessions", Summary: "Close conversations that were left open, and mend what they count",
			Description: "Closes sessions that a killed process left open, as of their last turn; has sessions count their turns anew where the count is " +
				"wrong; and sets saved states aside from which a session cannot go on. Nothing that was said is lost. One in which a chat talks now is left alone.",
			WholeHome: true,
			Examples: []operation.Example{
				{Doc: "see what is wrong", Input: `{"dry_run": true}`},
				{Doc: "mend it, and close what was silent for a week", Input: `{"idle": "7d"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in RepairIn) (Repaired, error) {
			o := sessions.RepairOptions{DryRun: in.DryRun, InUse: func(session string) bool { return inUse(env.Place.Home, session) }}
			var err error
			if o.Idle, err = parseAge("repair sessions", "idle", in.Idle); err != nil {
				return Repaired{}, err
			}
			done, err := env.Engine.RepairSessions(ctx, env.View, o)
			return Repaired{operation.Each(done, func(r sessions.Repair) RepairedSession {
				return RepairedSession{ID: r.ID, Scope: r.Scope.Key(), Problem: r.Problem, Detail: r.Detail}
			}), in.DryRun}, err
		},
	}
}

// inUse reports whether a chat is open on a session: it then holds a lock on a file of
// the home. If that cannot be determined, the session counts as in use.
func inUse(home, session string) bool {
	f, err := os.Open(filepath.Join(home, "chat", session+".json"))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) && home != ""
	}
	defer f.Close()
	free, err := filelock.Try(f)
	return err != nil || !free
}

// parseAge parses an age in days, such as 180d, or a Go duration. Empty means none.
func parseAge(op, field, s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	age, err := clock.ParseAge(s)
	if err != nil || age <= 0 {
		return 0, strata.Invalid(op, field+" is no age: "+operation.Clip(s), "name an age such as 180d or 36h")
	}
	return age, nil
}
