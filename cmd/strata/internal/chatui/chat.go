// Package chatui is the user interface of a chat at a terminal, in a pipe, or as lines of
// JSON. It reads messages and commands, shows the answers and actions of the agent of
// package chat, and locks the session against other chats.
package chatui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/cmd/strata/internal/editor"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/llm"
)

// Options configure a chat. All but Newest are required.
type Options struct {
	// Chat describes the agent. Run fills in the callbacks, and the session if there is
	// none.
	Chat chat.Options
	Env  *operation.Env
	// Newest resumes the newest open session.
	Newest     bool
	MaxResults int // number of hits of /recall
	// Model connects to a model by its name, such as ollama:NAME, for /model. close drops
	// the connection.
	Model  func(name string) (m Models, close func(), err error)
	Home   string // directory that holds the locks of sessions
	Stdin  io.Reader
	Out    *output.Printer
	Editor editor.Editor
	Log    *slog.Logger
}

// Models are the models of a chat.
type Models struct {
	Chat, Small   llm.Chat
	ContextLength func(ctx context.Context, model string) (int, error)
}

// ui is one run of the chat.
type ui struct {
	Options
	agent  *chat.Agent
	view   view
	input  messages
	lock   *sessionLock   // of the agent's session
	images []strata.Image // sent with the next message
	models func()         // disconnects a model chosen inside the chat; nil if there is none

	leave bool  // the user wants to leave
	err   error // the last error that was shown
}

// Run runs the chat until the user leaves. It shows an error of a message or command and
// continues; in a pipe it returns the last such error as an [output.Reported].
func Run(ctx context.Context, o Options) error {
	u := &ui{Options: o, view: newView(o.Stdin, o.Out, o.Log)}
	u.Editor.Interactive = u.view.interactive
	u.Chat.OnEvent, u.Chat.OnDelta = u.view.event, u.view.delta
	// On a terminal an interrupt ends the current answer, not the chat, so it must not
	// reach the memory.
	if u.view.interactive {
		ctx = context.WithoutCancel(ctx)
	}
	u.flushKilled(ctx)
	if err := u.open(ctx); err != nil {
		return err
	}
	defer func() { u.lock.release(false) }()
	defer func() {
		if u.models != nil {
			u.models()
		}
	}()
	var err error
	if u.input, err = u.newInput(ctx); err != nil {
		return err
	}
	defer u.input.Close()
	u.view.begin(u.agent.Report())
	u.loop(ctx)
	u.finish(ctx)
	if u.err != nil && !u.view.interactive {
		return output.AsReported(u.err)
	}
	return nil
}

// open opens the conversation and locks it against other chats.
func (u *ui) open(ctx context.Context) (err error) {
	if u.Newest {
		if u.Chat.Talk.Session, err = u.newestOpen(ctx); err != nil {
			return err
		}
	}
	if u.Chat.Talk.Session == "" {
		u.Chat.Talk.Session = u.Env.Engine.NewSession()
	}
	if u.lock, err = u.lockSession(u.Chat.Talk.Session); err != nil {
		return err
	}
	if u.agent, err = chat.New(ctx, u.Chat); err != nil {
		u.lock.release(true)
	}
	return err
}

// loop reads messages and answers them until the user leaves.
func (u *ui) loop(ctx context.Context) {
	for !u.leave {
		text, err := u.input.Read()
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			u.fail(err)
			return
		case text == "":
			continue
		}
		if err := u.handle(ctx, text); err != nil {
			u.fail(err)
			if ctx.Err() != nil {
				return
			}
		}
	}
}

// handle runs a command or sends a message. An interrupt ends it.
func (u *ui) handle(ctx context.Context, text string) error {
	ctx, stop := u.interruptible(ctx)
	defer stop()
	if name, rest, ok := slash(text); ok {
		return u.command(ctx, name, rest)
	}
	if len(text) > 1 && text[:2] == "//" {
		text = text[1:] // a message that begins with one slash
	}
	images, err := u.takeImages(text)
	if err != nil {
		return err
	}
	return u.answer(func() (chat.Answer, error) { return u.agent.Send(ctx, text, images...) })
}

// answer shows the agent's answer to a request.
func (u *ui) answer(ask func() (chat.Answer, error)) error {
	u.view.wait()
	answer, err := ask()
	u.view.answered(answer, err == nil, u.agent.Report())
	return err
}

// interruptible returns a context that an interrupt cancels. A termination signal also
// makes the chat end.
func (u *ui) interruptible(ctx context.Context) (context.Context, func()) {
	if !u.view.interactive {
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
					u.leave = true // read after the goroutine has ended
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

// finishTimeout bounds the time to save the latest facts after a termination signal: its
// sender waits a little, then kills the process.
const finishTimeout = 8 * time.Second

// finish saves the facts of the latest turns. What cannot be saved now is saved when the
// next chat opens.
func (u *ui) finish(ctx context.Context) {
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
		defer cancel()
	}
	ctx, stop := u.interruptible(ctx)
	err := u.agent.Close(ctx)
	stop()
	u.lock.release(err == nil)
	if err != nil {
		u.fail(fmt.Errorf("save the facts of what was said last: %w", err))
		return
	}
	u.view.end(u.agent.Report())
}

// fail shows an error; the chat continues.
func (u *ui) fail(err error) {
	u.err = err
	u.view.failed(err)
}
