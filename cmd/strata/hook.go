package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/client"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/base/detached"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/hooks"
	"github.com/strata-memory/strata/server"
)

// hookTime is the default time limit of a hook. A user would notice a longer delay.
const hookTime = 300 * time.Millisecond

// newHookCommand returns the command hook, which answers the hooks of coding agents.
func newHookCommand(a *app) *cobra.Command {
	patience := hookTime
	cmd := &cobra.Command{
		Use:     "hook EVENT",
		GroupID: groupUse,
		Short:   "Answer a hook of a coding agent",
		Long: "An agent calls this command, with the JSON of the hook on standard input; strata connect claude-code sets that up.\n" +
			"EVENT is session-start (prints what the agent should know), prompt (what bears on what the user wrote, if memory is\n" +
			"sure of it), pre-tool (what memory holds about the file or command, and how earlier calls failed), or pre-compact,\n" +
			"stop or session-end (takes in the transcript, in the background). It never fails the agent: if anything goes wrong, it\n" +
			"prints nothing and exits with success; --verbose tells why.",
		Example: "  echo '{\"session_id\": \"s1\", \"prompt\": \"which port does staging use?\"}' | strata hook prompt",
		Args:    cmdline.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			event := hooks.Event(args[0])
			if !slices.Contains(hooks.Events(), event) {
				return strata.Invalid("hook", "there is no hook "+terminal.Quote(args[0]), "use "+strings.Join(hookNames(), ", "))
			}
			if err := errors.Join(a.hook(cmd.Context(), event, patience), a.closeMemory()); err != nil {
				a.log.Info("the hook says nothing", "event", event, "error", err)
			}
			return nil
		},
		ValidArgsFunction: cmdline.Fixed(hookNames()),
	}
	cmd.Flags().DurationVar(&patience, "patience", hookTime, "how long the agent waits at most; later output is left out")
	return cmd
}

func hookNames() (names []string) {
	for _, e := range hooks.Events() {
		names = append(names, string(e))
	}
	return names
}

// hook answers one hook.
func (a *app) hook(ctx context.Context, event hooks.Event, patience time.Duration) error {
	in, err := hooks.Read(a.stdin)
	if err != nil {
		return err
	}
	if event.TakesIn() {
		return a.ingestInBackground(in.Transcript)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a.withoutWorkspace = true
	env := a.through()
	if env == nil {
		a.serveInBackground()
		if env, err = a.environment(ctx); err != nil {
			return err
		}
	}
	answer, err := hooks.Answer(ctx, env, event, in)
	if note := a.disputedNote(); err == nil && note != "" && event == hooks.SessionStart {
		answer = strings.TrimPrefix(answer+"\n\n"+note, "\n\n")
	}
	if err != nil || answer == "" {
		return err
	}
	reply, err := hooks.Reply(in, answer)
	if err != nil {
		return err
	}
	_, err = a.out.Stdout.Write(reply)
	return err
}

// ingestInBackground starts a process that ingests a transcript, without making the agent
// wait. Ingesting resumes where it left off, so that a process that is interrupted loses
// nothing.
func (a *app) ingestInBackground(transcript string) error {
	if transcript == "" {
		return strata.Invalid("hook", "the hook names no transcript", "pass transcript_path, as agents do")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return detached.Start(exec.Command(self, "--home", a.home(), "--quiet", "ingest", "--", transcript))
}

// serveInBackground starts a server of the home for later hooks, unless one is running,
// without making the agent wait. The server ends when it has not been called for a while.
func (a *app) serveInBackground() {
	if a.cfg.Get(config.HookServer) == config.Off || a.noServer || a.cfg.Get(config.Server) == config.Off || a.temp != nil {
		return
	}
	if server.Held(a.home()) {
		return // the running server has another version or other settings
	}
	self, err := os.Executable()
	if err == nil {
		err = client.Start(self, a.home(), a.cfg.Duration(config.HookServer))
	}
	if err != nil {
		a.log.Info("no server was started in the background", "error", err)
	}
}
