package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/progress"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ingest"
	"github.com/strata-memory/strata/internal/ops"
)

const (
	// lookEvery is the pause between two looks at the transcripts.
	lookEvery = 2 * time.Second
	// restFor is how long a file rests after it was read, as a multiple of the time that
	// took: a long transcript that keeps growing takes at most about a tenth of the time.
	restFor = 10
)

// newWatchCommand returns the command watch, which follows the transcripts of agents.
func newWatchCommand(a *app) *cobra.Command {
	var in ops.IngestIn
	once := false
	cmd := &cobra.Command{
		Use:     "watch [DIR]...",
		GroupID: groupUse,
		Short:   "Take in the conversations of agents as they are held",
		Long: "Follows the directories in which agents keep their transcripts (Claude Code, Codex and opencode, if they are there, or\n" +
			"the named ones) and takes in what is added, as ingest does, until it is interrupted. It first takes in what is already\n" +
			"there. It prints which directories it follows. A project opts out with the line ingest = false in its\n" +
			".strata/workspace.toml, or by the setting no_ingest.",
		Example: "  strata watch\n  strata watch --since 2026-03-01\n  strata watch --once ~/transcripts",
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return a.watchAgents(cmd.Context(), &in, dirs, once)
		},
	}
	cmd.Flags().StringVar(&in.Since, "since", "", "leave out what was said before this time, such as yesterday or 2026-03-01")
	cmd.Flags().BoolVar(&once, "once", false, "take in what is there and end")
	cmdline.Complete(cmd, "since", cmdline.Fixed(nil))
	return cmd
}

// Watched is a directory of transcripts that is followed.
type Watched struct {
	Agent string `json:"agent,omitempty"` // agent whose transcripts they are; empty for a directory that was named
	Dir   string `json:"watching"`
}

// String formats the directory for people.
func (w Watched) String() string {
	return fmt.Sprintf("watching  %s\n", output.Join(w.Agent, terminal.Clean(w.Dir)))
}

// transcriptDirs returns the directories in which agents keep transcripts.
func (a *app) transcriptDirs() []Watched {
	home := a.getenv("HOME")
	at := func(variable string, standard ...string) string {
		if dir := a.getenv(variable); dir != "" {
			return dir
		}
		return filepath.Join(append([]string{home}, standard...)...)
	}
	return []Watched{
		{"Claude Code", filepath.Join(at("CLAUDE_CONFIG_DIR", ".claude"), "projects")},
		{"Codex", filepath.Join(at("CODEX_HOME", ".codex"), "sessions")},
		{"opencode", filepath.Join(at("XDG_DATA_HOME", ".local", "share"), "opencode", "storage")},
	}
}

// watchAgents follows directories; with once, it looks at them only once.
func (a *app) watchAgents(ctx context.Context, in *ops.IngestIn, dirs []string, once bool) error {
	if !once && a.out.Format == output.JSON {
		return strata.Invalid("", "watch writes without end, but a JSON document must end", "use -o jsonl, or --once")
	}
	wanted := a.transcriptDirs()
	if len(dirs) > 0 {
		wanted = nil
	}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return strata.Invalid("", terminal.Quote(dir)+" is not a directory", "name the directory of an agent's transcripts")
		}
		wanted = append(wanted, Watched{Dir: dir})
	}
	op, _ := ops.Find(opIngest)
	a.reads, a.session = true, !once
	env, err := a.environment(ctx)
	if err != nil {
		return err
	}
	w := watcher{
		intake: intake{op: op, in: in, env: env, out: a.out, progress: progress.New("", nil)},
		app:    a, wanted: wanted, found: make(map[string]bool), looked: make(map[string]looked),
	}
	if err := w.look(ctx); err != nil {
		return err
	}
	if len(w.found) == 0 {
		a.out.Note("no agent that keeps transcripts is installed; name a directory, or leave this running until one is")
	}
	if once {
		if err := w.end(""); err != nil {
			return err
		}
		return a.readByModel(ctx, env)
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil // an interrupt ends it normally
		case <-tick.C:
		}
		w.all = nil // already printed
		if err := w.look(ctx); err != nil {
			return err
		}
	}
}

// watcher follows transcripts.
type watcher struct {
	intake
	app    *app
	wanted []Watched
	found  map[string]bool   // directories that exist
	looked map[string]looked // state of each file when it was read
}

// looked is the state of a file when it was read, and until when it rests.
type looked struct {
	size     int64
	modified time.Time
	until    time.Time
}

// look ingests the files that changed since the last look.
func (w *watcher) look(ctx context.Context) error {
	for _, dir := range w.wanted {
		if info, err := os.Stat(dir.Dir); err != nil || !info.IsDir() {
			continue // not installed yet
		}
		if !w.found[dir.Dir] {
			w.found[dir.Dir] = true
			if err := w.out.Item(dir); err != nil {
				return err
			}
		}
		if err := w.lookAt(ctx, dir.Dir); err != nil {
			return err
		}
	}
	return nil
}

// lookAt ingests the files of one directory that changed. A file that cannot be ingested
// now is tried again at the next look.
func (w *watcher) lookAt(ctx context.Context, dir string) error {
	fsys := os.DirFS(dir)
	files, err := ingest.Files(fsys)
	if err != nil {
		w.app.log.Warn("a directory cannot be read", "dir", dir, "error", input.ReadError(terminal.Quote(dir), err))
		return nil
	}
	for _, f := range files {
		if ctx.Err() != nil {
			return nil
		}
		name := filepath.Join(dir, f.Path)
		before := w.looked[name]
		if before.size == f.Size && before.modified.Equal(f.Modified) || time.Now().Before(before.until) {
			continue
		}
		begun := time.Now()
		err := w.file(ctx, fsys, dir, f)
		switch {
		case ctx.Err() != nil:
			return nil
		case strata.CodeOf(err) == strata.CodeBusy || strata.CodeOf(err) == strata.CodeUnavailable:
			w.app.log.Warn("a transcript is not taken in yet", "file", name, "error", err)
			continue
		case err != nil:
			return err
		}
		w.looked[name] = looked{size: f.Size, modified: f.Modified, until: time.Now().Add(restFor * time.Since(begun))}
	}
	return nil
}
