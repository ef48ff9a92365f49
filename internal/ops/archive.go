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
			Name: "sessions_archive", Family: "sessions", Summary: "Move what was said in old conversations into compressed files",
			Description: "Works like sessions prune, but first writes the texts of each session into a compressed file of the home and reads it back. Facts " +
				"learned from them stay. sessions restore brings a session back; until then what was said in it cannot be found. forget also reaches " +
				"into these files.",
			Examples: []operation.Example{
				{Doc: "see what was closed at least 180 days ago", Input: `{"older_than": "180d", "dry_run": true}`},
				{Doc: "archive it", Input: `{"older_than": "180d"}`},
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
	Restored int `json:"restored" doc:"turns whose text is back"`
}

func sessionsRestore() operation.Operation {
	return operation.Op[RestoreIn, RestoredSession]{
		Info: operation.Info{
			Name: "sessions_restore", Family: "sessions", Summary: "Bring an archived conversation back",
			Description: "Puts the texts of the session back into memory, where they are found again, and removes the file. What was forgotten in the meantime" +
				" stays forgotten.",
			Examples: []operation.Example{{Doc: "restore an archived session", Input: `{"session": "monday"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in RestoreIn) (RestoredSession, error) {
			done, err := env.Engine.RestoreSession(ctx, env.View, in.Session)
			return RestoredSession{SessionOf(done.Session), done.Turns}, err
		},
	}
}

// RepairIn is the input of sessions_repair.
type RepairIn struct {
	Idle   string `json:"idle,omitempty" default:"24h" doc:"close open sessions that were silent for this long, such as 36h or 7d"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what is wrong and change nothing"`
}

// Repaired lists what was wrong with sessions.
type Repaired struct {
	Sessions []RepairedSession `json:"sessions" doc:"sessions that had a problem"`
	DryRun   bool              `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// Rows returns the sessions, for output line by line.
func (r Repaired) Rows() []any { return operation.Rows(r.Sessions) }

// RepairedSession is a session that had to be repaired.
type RepairedSession struct {
	ID      string                 `json:"id" doc:"id of the session"`
	Scope   string                 `json:"scope" doc:"who owns it"`
	Problem sessions.RepairProblem `json:"problem" doc:"left_open, wrong_count or wrong_state"`
	Detail  string                 `json:"detail" doc:"more about it"`
}

func sessionsRepair() operation.Operation {
	return operation.Op[RepairIn, Repaired]{
		Info: operation.Info{
			Name: "sessions_repair", Family: "sessions", Summary: "Close conversations that were left open, and correct their turn counts",
			Description: "Closes sessions that a killed process left open, as of their last turn; recounts the turns of sessions whose count is wrong; and " +
				"sets aside saved states from which a session cannot continue. Nothing that was said is lost. A session in which a chat is running is" +
				" left alone.",
			WholeHome: true,
			Examples: []operation.Example{
				{Doc: "see what is wrong", Input: `{"dry_run": true}`},
				{Doc: "repair it, and close what was silent for a week", Input: `{"idle": "7d"}`},
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
		return 0, strata.Invalid(op, field+" is not an age: "+operation.Clip(s), "give an age such as 180d or 36h")
	}
	return age, nil
}
