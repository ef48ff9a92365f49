package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/ergochat/readline"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/secretscan"
	"github.com/strata-memory/strata/store"
)

// errLeave says that the user is done.
var errLeave = errors.New("leave the chat")

// chatInput is where messages come from.
type chatInput interface {
	// read returns the next message or command; errLeave at the end.
	read(ctx context.Context) (string, error)
	// confirm asks a question that is answered with yes or no.
	confirm(ctx context.Context, question string) error
	close()
}

func (r *chatRun) newInput(ctx context.Context) (chatInput, error) {
	if r.view.interactive {
		return r.newTerminalInput(ctx)
	}
	return &pipeInput{lines: bufio.NewReader(interruptible(ctx, r.app.stdin))}, nil
}

// pipeInput reads a message a line. A backslash at the end of a line joins it
// to the next.
type pipeInput struct{ lines *bufio.Reader }

func (p *pipeInput) read(context.Context) (string, error) {
	var text strings.Builder
	for {
		line, err := p.lines.ReadString('\n')
		if text.Len()+len(line) > strata.MaxTurnBytes {
			return "", &strata.Error{Code: strata.CodeTooLarge, Message: "a message is longer than 16 MiB", Hint: "split it into shorter pieces"}
		}
		line = strings.TrimRight(line, "\r\n")
		part, goesOn := strings.CutSuffix(line, `\`)
		text.WriteString(part)
		switch {
		case err == nil && goesOn:
			text.WriteByte('\n')
			continue
		case err == nil, errors.Is(err, io.EOF) && text.Len() > 0:
			return strings.TrimSpace(text.String()), nil
		case errors.Is(err, io.EOF):
			return "", errLeave
		}
		return "", readError("standard input", err)
	}
}

func (p *pipeInput) confirm(context.Context, string) error {
	return strata.Invalid("", "there is no terminal to ask on", "add --yes to go ahead")
}

func (p *pipeInput) close() {}

// newlineMark stands for a line break inside a message that is edited on one
// line, as after a paste.
const newlineMark = '⏎'

// terminalInput edits lines on a terminal. What was said before, as memory keeps
// it, is its history: there is no file that forget would have to find.
type terminalInput struct {
	edit    *readline.Instance
	prompt  string
	signals chan os.Signal
	warned  bool // that another Ctrl-C leaves
	view    *chatView
}

func (r *chatRun) newTerminalInput(ctx context.Context) (*terminalInput, error) {
	t := &terminalInput{prompt: r.view.st.strong("> "), view: &r.view, signals: make(chan os.Signal, 1)}
	edit, err := readline.NewFromConfig(&readline.Config{
		Prompt: t.prompt, HistoryLimit: mostHistory, DisableAutoSaveHistory: true, HistorySearchFold: true, Undo: true,
		AutoComplete: slashCompleter{r}, Stdin: &pasteReader{from: os.Stdin},
	})
	if err != nil {
		return nil, &strata.Error{Code: strata.CodeUnsupported, Message: "the terminal cannot be used for editing", Err: err,
			Hint: "write messages to a pipe instead, or use another terminal"}
	}
	t.edit = edit
	for _, line := range r.history(ctx) {
		t.remember(line)
	}
	// A terminal that goes away, or a request to end, ends the wait for a line.
	signal.Notify(t.signals, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		if _, ok := <-t.signals; ok {
			_ = edit.Close()
		}
	}()
	return t, nil
}

// mostHistory is how many messages the up key reaches, and historySessions in
// how many sessions they are looked for.
const (
	mostHistory     = 200
	historySessions = 12
)

// history is what the user said in the newest sessions, the oldest first. What
// cannot be read is left out: a history is a comfort.
func (r *chatRun) history(ctx context.Context) []string {
	list, err := r.sessions(ctx)
	if err != nil {
		return nil
	}
	var lines []string
	for _, s := range list[:min(len(list), historySessions)] {
		turns, err := r.env.Engine.ListTurns(ctx, s.Scope.View(), s.ID, store.TurnFilter{After: max(s.Turns-4*mostHistory, 0), NoImages: true})
		if err != nil {
			continue
		}
		for _, t := range slices.Backward(turns) {
			if t.Role == strata.RoleUser && !t.Forgotten && len(t.Text) <= 4096 {
				lines = append(lines, t.Text)
			}
		}
		if len(lines) >= mostHistory {
			lines = lines[:mostHistory]
			break
		}
	}
	slices.Reverse(lines)
	return lines
}

// remember puts a message into the history, without its secrets.
func (t *terminalInput) remember(text string) {
	text, _ = secretscan.Redact(text)
	_ = t.edit.SaveToHistory(strings.ReplaceAll(text, "\n", string(newlineMark))) // it is kept in the process only
}

func (t *terminalInput) read(context.Context) (string, error) {
	var parts []string
	for {
		line, err := t.line()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			if len(parts) > 0 || line != "" {
				t.edit.SetPrompt(t.prompt)
				return "", nil
			}
			if t.warned {
				return "", errLeave
			}
			t.warned = true
			t.view.notice("Ctrl-C again, or Ctrl-D, leaves")
			continue
		case err != nil:
			return "", errLeave
		}
		t.warned = false
		part, goesOn := strings.CutSuffix(line, `\`)
		parts = append(parts, part)
		if goesOn {
			t.edit.SetPrompt("… ")
			continue
		}
		t.edit.SetPrompt(t.prompt)
		text := strings.TrimSpace(strings.ReplaceAll(strings.Join(parts, "\n"), string(newlineMark), "\n"))
		if text != "" {
			t.remember(text)
		}
		return text, nil
	}
}

// line reads one line. While it does, the terminal marks what is pasted.
func (t *terminalInput) line() (string, error) {
	io.WriteString(os.Stdout, "\x1b[?2004h")
	defer io.WriteString(os.Stdout, "\x1b[?2004l")
	return t.edit.ReadLine()
}

func (t *terminalInput) confirm(_ context.Context, question string) error {
	t.edit.SetPrompt(question + " [y/N] ")
	defer t.edit.SetPrompt(t.prompt)
	answer, err := t.edit.ReadLine()
	if err == nil {
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes":
			return nil
		}
	}
	return &strata.Error{Code: strata.CodeCanceled, Message: "nothing was changed", Hint: "answer y to go on"}
}

func (t *terminalInput) close() {
	signal.Stop(t.signals)
	close(t.signals)
	_ = t.edit.Close() // it only gives the terminal back
}

// pasteReader turns the line breaks of a paste into marks, so that it is one
// message. A terminal puts ESC [200~ and ESC [201~ around what is pasted
// (xterm, "bracketed paste mode"). A sequence that is cut off by the end of a
// read waits for the next; a lone escape does too, as readline itself would.
type pasteReader struct {
	from   io.Reader
	inside bool
	held   []byte // the beginning of what may be a sequence
	ready  []byte // to be handed out
}

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

func (p *pasteReader) Read(out []byte) (int, error) {
	for len(p.ready) == 0 {
		var buf [1024]byte
		n, err := p.from.Read(buf[:])
		p.take(buf[:n])
		if err != nil { // what was held is no sequence
			p.ready, p.held = append(p.ready, p.held...), nil
		}
		if err != nil && len(p.ready) == 0 {
			return 0, err
		}
	}
	n := copy(out, p.ready)
	p.ready = p.ready[n:]
	return n, nil
}

// take works through bytes that came.
func (p *pasteReader) take(data []byte) {
	data = append(p.held, data...)
	p.held = nil
	for len(data) > 0 {
		mark := pasteBegin
		if p.inside {
			mark = pasteEnd
		}
		switch {
		case strings.HasPrefix(string(data), mark):
			p.inside, data = !p.inside, data[len(mark):]
		case strings.HasPrefix(mark, string(data)), p.inside && string(data) == "\r":
			p.held = slices.Clone(data)
			return
		case p.inside && (data[0] == '\r' || data[0] == '\n'):
			if data[0] == '\r' && len(data) > 1 && data[1] == '\n' {
				data = data[1:]
			}
			p.ready = append(p.ready, string(newlineMark)...)
			data = data[1:]
		case p.inside && data[0] == '\t':
			p.ready, data = append(p.ready, "    "...), data[1:]
		case p.inside && data[0] < ' ':
			data = data[1:] // a paste presses no keys
		default:
			p.ready, data = append(p.ready, data[0]), data[1:]
		}
	}
}
