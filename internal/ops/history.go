package ops

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/store/files"
)

// CheckpointIn is the input of checkpoint.
type CheckpointIn struct {
	Note string `json:"note,omitempty" opt:"arg,file" doc:"what it is for, in one line (default: manual)" agents:"why"`
}

// Checkpoint reports what was recorded.
type Checkpoint struct {
	OK      bool        `json:"ok" doc:"nothing went wrong"`
	OID     string      `json:"oid,omitempty" doc:"the commit, 7 digits; left out if nothing was recorded"`
	Subject string      `json:"subject,omitempty" doc:"subject of the commit"`
	Skipped bool        `json:"skipped" doc:"nothing was recorded"`
	Reason  string      `json:"reason,omitempty" doc:"why nothing was recorded"`
	Commits []RootState `json:"commits" tool:"-" doc:"one for each directory with a history of its own"`
	LeftOut []LeftOut   `json:"left_out,omitempty" tool:"-" doc:"files that were not recorded"`
}

// RootState reports what was recorded in the history of one directory.
type RootState struct {
	Scope   string `json:"scope" doc:"whose directory it is"`
	OID     string `json:"oid,omitempty" doc:"the commit, 40 digits; left out if nothing was recorded"`
	Subject string `json:"subject,omitempty" doc:"subject of the commit"`
	Files   int    `json:"files" doc:"files that changed"`
	Reason  string `json:"reason,omitempty" doc:"why nothing was recorded"`
}

// LeftOut is a file that was left out of a commit.
type LeftOut struct {
	Path   string `json:"path" doc:"path of the file"`
	Reason string `json:"reason" doc:"why"`
}

func checkpoint() operation.Operation {
	return operation.Op[CheckpointIn, Checkpoint]{
		Info: operation.Info{
			Name: "checkpoint", Summary: "Record the files of memory in their history",
			Toolset: operation.AllTools,
			Advice:  "Records the files of memory in their history. Call it before and after larger changes to notes.",
			Description: "Commits the files of the scopes in view to memory's own git repositories, one for each directory; it does not touch the user's own. " +
				"Directories without changes get no commit. Files that hold a secret or are larger than 1 MiB are left out and named.",
			Examples: []operation.Example{
				{Doc: "record the current state", Input: `{}`},
				{Doc: "with a note", Input: `{"note": "before the release"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in CheckpointIn) (Checkpoint, error) {
			out := Checkpoint{OK: true, Skipped: true, Commits: []RootState{}}
			var firstErr error
			for _, s := range roots(env) {
				c, err := env.Engine.Checkpoint(ctx, s, in.Note, env.Agent)
				switch {
				case err == nil:
					out.add(s, c)
				case firstErr == nil:
					firstErr = err // continue: another directory may be sound
				}
			}
			return out, firstErr
		},
	}
}

// add adds the outcome for one directory.
func (c *Checkpoint) add(s strata.Scope, commit files.Commit) {
	c.Commits = append(c.Commits, RootState{Scope: s.Key(), OID: commit.ID, Subject: commit.Subject, Files: commit.Files, Reason: commit.Skipped})
	for _, f := range commit.LeftOut {
		c.LeftOut = append(c.LeftOut, LeftOut(f))
	}
	switch {
	case commit.ID != "" && c.OID == "":
		c.OID, c.Subject, c.Skipped, c.Reason = short(commit.ID), commit.Subject, false, ""
	case commit.ID == "" && c.Skipped && c.Reason == "":
		c.Reason = commit.Skipped
	}
}

// roots returns the scopes whose directories have a history of their own: the named one,
// or all of the view. An agent in a workspace shares the history of the workspace.
func roots(env *operation.Env) []strata.Scope {
	var out []strata.Scope
	for _, s := range []strata.Scope{env.MainScope(), strata.ForAgent(env.Agent), strata.Global()} {
		if s.Validate() != nil || len(out) > 0 && (s == out[0] || !env.Scope.IsZero()) {
			continue
		}
		if _, ok := env.Engine.Directory(s); ok {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		out = append(out, env.MainScope()) // the error then says what is missing
	}
	return out
}

// HistoryIn is the input of history.
type HistoryIn struct {
	Limit int  `json:"limit,omitempty" short:"n" default:"10" range:"1-100" doc:"most commits" agents:"1 to 100"`
	Diff  bool `json:"diff,omitempty" doc:"also show what changed between them" agents:"changes too"`
}

// History is part of the history of a directory.
type History struct {
	Scope   string   `json:"scope" tool:"-" doc:"whose directory it is"`
	Commits []Commit `json:"commits" doc:"newest first"`
	Diff    string   `json:"diff,omitempty" tool:"-" doc:"unified diff from the oldest commit shown to the newest"`
	Note    string   `json:"note,omitempty" tool:"-" doc:"what is wrong with the history"`
}

// Rows returns the commits, for output line by line.
func (h History) Rows() []any { return operation.Rows(h.Commits) }

// Commit is a recorded state of a directory.
type Commit struct {
	OID      string    `json:"oid" tool:"-" doc:"40 digits"`
	ShortOID string    `json:"short_oid" doc:"7 digits"`
	Subject  string    `json:"subject" doc:"subject of the commit"`
	Body     string    `json:"body,omitempty" tool:"-" doc:"body of the commit message"`
	Author   string    `json:"author" tool:"-" doc:"who made it"`
	At       time.Time `json:"timestamp" doc:"when it was made"`
	Files    int       `json:"files,omitempty" tool:"-" doc:"files that changed, if known"`
}

// commitOf converts a commit to its output form.
func commitOf(c files.Commit) Commit {
	return Commit{OID: c.ID, ShortOID: short(c.ID), Subject: c.Subject, Body: c.Body, Author: c.Author, At: c.At, Files: c.Files}
}

func history() operation.Operation {
	return operation.Op[HistoryIn, History]{
		Info: operation.Info{
			Name: "history", Summary: "List the recorded states of memory's files",
			Toolset:  operation.AllTools,
			Advice:   "Lists the recorded states of memory's files. Call it to see how notes changed, with diff.",
			ReadOnly: true,
			Description: "Lists the commits of memory's own git repository: that of the workspace, or of the named scope. With --diff, the changes from the " +
				"oldest listed commit to the newest follow.",
			Examples: []operation.Example{
				{Doc: "the newest ten", Input: `{}`},
				{Doc: "what changed between the newest two", Input: `{"limit": 2, "diff": true}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in HistoryIn) (History, error) {
			scope := env.MainScope()
			log, err := env.Engine.History(ctx, scope, in.Limit, in.Diff)
			return History{Scope: scope.Key(), Commits: operation.Each(log.Commits, commitOf), Diff: log.Diff, Note: log.Note}, err
		},
	}
}

// short abbreviates a commit id.
func short(oid string) string { return oid[:min(len(oid), 7)] }

// checkpointText says what was recorded, and names what was not.
func checkpointText(c Checkpoint) string {
	var b strings.Builder
	if c.Skipped {
		b.WriteString("nothing recorded")
		if c.Reason != "" {
			b.WriteString(": " + c.Reason)
		}
	} else {
		fmt.Fprintf(&b, "recorded %s %s", c.OID, c.Subject)
	}
	for _, f := range c.LeftOut {
		fmt.Fprintf(&b, "\nleft out: %s (%s)", fence.Line(f.Path), fence.Line(f.Reason))
	}
	return b.String()
}

// historyText lists commits, one per line, and what changed.
func historyText(h History) string {
	var b strings.Builder
	if len(h.Commits) == 0 {
		b.WriteString("nothing is recorded yet")
	}
	for i, c := range h.Commits {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s %s %s", c.ShortOID, c.At.UTC().Format("2006-01-02 15:04"), fence.Line(c.Subject))
	}
	if h.Diff != "" {
		diff, length := budget{tokens: answerTokens}.fit(h.Diff)
		b.WriteString("\n\n" + blockOf("Changes. "+fence.AsData, []string{fence.Text(strings.TrimRight(diff, "\n"))}))
		if length > 0 {
			b.WriteString("\n(cut here; for a shorter diff, lower limit)")
		}
	}
	if h.Note != "" {
		b.WriteString("\nnote: " + h.Note)
	}
	return b.String()
}
