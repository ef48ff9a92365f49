package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/internal/config"
	"github.com/strata-memory/strata/ops"
	"github.com/strata-memory/strata/session/conversation"
)

// chatFlags are the flags of chat that are no settings.
type chatFlags struct {
	session  string
	goOn     bool
	noRecall bool
}

// newChatCommand talks with a model that remembers.
func newChatCommand(a *app) *cobra.Command {
	var f chatFlags
	cmd := &cobra.Command{
		Use:     "chat",
		GroupID: groupUse,
		Short:   "Talk with a model that remembers",
		Long: "Talks with a model that has the memory tools. What is said is kept turn by turn; facts are saved before they leave the\n" +
			"model's window, and by the end. Nothing is sent anywhere but to the server that --model or the settings name.\n" +
			"Inside, /help lists the commands. In a pipe every line is a message, and with -o json everything that happens is a\n" +
			"line of JSON (docs/cli-json.md). The key of an openai: server is read from the variable that the setting\n" +
			"api_key_env names; it is never kept or shown.",
		Example: "  strata chat --model ollama:qwen3:4b\n" +
			"  strata chat --model openai:gpt-5-mini --base-url https://api.openai.com/v1\n" +
			"  strata chat --continue",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.chat(cmd.Context(), f) },
	}
	for _, s := range config.Settings() {
		if s.Local {
			cmd.Flags().String(s.Flag, "", s.Doc)
			register(cmd, s.Flag, fixed(nil))
		}
	}
	cmd.Flags().StringVar(&f.session, "session", "", "go on with this session, or begin it")
	cmd.Flags().BoolVar(&f.goOn, "continue", false, "go on with the newest session that is open")
	cmd.Flags().BoolVar(&f.noRecall, "no-recall", false, "do not look in memory for every message by itself")
	register(cmd, "session", a.completeValues("session"))
	cmd.MarkFlagsMutuallyExclusive("session", "continue")
	return cmd
}

// reported is an error that was shown already: only its exit code is left.
type reported struct{ error }

func (r *reported) Unwrap() error { return r.error }

// chatRun is one run of chat.
type chatRun struct {
	app    *app
	env    *ops.Env
	agent  *chat.Agent
	view   chatView
	input  chatInput
	seat   *seat
	opened chat.Options // what agent was made from

	leave bool  // the user wants to go
	err   error // the last that was shown
}

func (a *app) chat(ctx context.Context, f chatFlags) error {
	models, err := a.chatModels()
	if err != nil {
		return err
	}
	defer models.close()
	a.session = true
	env, err := a.environment(ctx)
	if err != nil {
		return err
	}
	r := &chatRun{app: a, env: env}
	r.view = a.newChatView()
	// On a terminal an interrupt ends the answer under way, not the chat, so it
	// must not reach the memory.
	if r.view.interactive {
		ctx = context.WithoutCancel(ctx)
	}
	r.opened = chat.Options{
		Memory: env.Engine, Scope: env.Scope, Model: models.chat, Small: models.small, ContextLength: models.length,
		Window: a.cfg.Int(config.Window), SmallWindow: models.smallWindow, NoRecall: f.noRecall,
		Talk:    conversation.Options{Session: f.session, Workspace: env.Workspace, Agent: env.Agent, Scope: env.Scope, View: env.View},
		OnEvent: r.view.event, OnDelta: r.view.delta,
	}
	defer a.watch(ctx, env)()
	r.settle(ctx)
	if f.goOn {
		if r.opened.Talk.Session, err = r.newestOpen(ctx); err != nil {
			return err
		}
	}
	if err := r.sitDown(ctx); err != nil {
		return err
	}
	defer r.seat.leave(false)
	if r.input, err = r.newInput(ctx); err != nil {
		return err
	}
	defer r.input.close()
	r.view.begin(r.agent.Report())
	r.loop(ctx)
	r.finish(ctx)
	if r.err != nil && !r.view.interactive {
		return &reported{r.err}
	}
	return nil
}

// sitDown opens the conversation and keeps other chats out of it.
func (r *chatRun) sitDown(ctx context.Context) error {
	if r.opened.Talk.Session == "" {
		r.opened.Talk.Session = r.env.Engine.NewSession()
	}
	place, err := r.take(r.opened.Talk.Session)
	if err != nil {
		return err
	}
	if r.agent, err = chat.New(ctx, r.opened); err != nil {
		place.leave(true)
		return err
	}
	r.seat = place
	return nil
}

// loop reads and answers until the user leaves.
func (r *chatRun) loop(ctx context.Context) {
	for !r.leave {
		text, err := r.input.read(ctx)
		switch {
		case errors.Is(err, errLeave):
			return
		case err != nil:
			r.fail(err)
			return
		case text == "":
			continue
		}
		if err := r.handle(ctx, text); err != nil {
			r.fail(err)
			if ctx.Err() != nil {
				return
			}
		}
	}
}

// handle runs a command or sends a message. An interrupt ends it.
func (r *chatRun) handle(ctx context.Context, text string) error {
	ctx, stop := r.interruptible(ctx)
	defer stop()
	if name, rest, ok := slash(text); ok {
		return r.command(ctx, name, rest)
	}
	if len(text) > 1 && text[:2] == "//" {
		text = text[1:] // a message that begins with a slash
	}
	answer, err := r.agent.Send(ctx, text)
	r.view.answered(answer, err == nil, r.agent.Report())
	return err
}

// interruptible returns a context that ends at an interrupt. The signal to end
// the process makes the chat leave as well.
func (r *chatRun) interruptible(ctx context.Context) (context.Context, func()) {
	if !r.view.interactive {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			select {
			case <-ended:
				return
			case s := <-signals:
				if s != os.Interrupt || n > 0 {
					r.leave = true // read after the goroutine is joined
				}
				cancel()
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(ended)
		<-done
		cancel()
	}
}

// finishTimeout bounds saving the facts of what was said last when the process
// was asked to end: whoever asks waits a little, then kills.
const finishTimeout = 8 * time.Second

// finish saves the facts of what was said last. What cannot be saved now is
// saved when a chat opens next.
func (r *chatRun) finish(ctx context.Context) {
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
		defer cancel()
	}
	ctx, stop := r.interruptible(ctx)
	err := r.agent.Close(ctx)
	stop()
	r.seat.leave(err == nil)
	if err != nil {
		r.fail(fmt.Errorf("save the facts of what was said last: %w", err))
		return
	}
	r.view.end(r.agent.Report())
}

// fail shows an error; the chat goes on.
func (r *chatRun) fail(err error) {
	r.err = err
	r.view.failed(err)
}

// newestOpen is the id of the newest session that can go on; empty for none.
func (r *chatRun) newestOpen(ctx context.Context) (string, error) {
	list, err := r.sessions(ctx)
	if err != nil {
		return "", err
	}
	for _, s := range list {
		if s.ClosedAt == nil && !r.taken(s.ID) {
			return s.ID, nil
		}
	}
	r.app.note("no session is open: this is a new one")
	return "", nil
}

// mostSessions bounds what is looked through and listed.
const mostSessions = 100

// sessions are the conversations of this scope in which something was said,
// newest first.
func (r *chatRun) sessions(ctx context.Context) ([]strata.Session, error) {
	list, err := r.env.Engine.Sessions(ctx, r.scope().View(), mostSessions)
	if err != nil {
		return nil, err
	}
	var out []strata.Session
	for _, s := range list {
		if s.Turns > 0 && s.Parent == "" && (s.Kind == "" || s.Kind == strata.SessionMain) {
			out = append(out, s)
		}
	}
	return out, nil
}

// scope owns the sessions of this chat.
func (r *chatRun) scope() strata.Scope {
	switch {
	case !r.env.Scope.IsZero():
		return r.env.Scope
	case r.env.Workspace != "":
		return strata.InWorkspace(r.env.Workspace)
	}
	return strata.Global()
}
