package chatui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/cmd/strata/internal/markdown"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/llm"
)

// view shows a chat: on a terminal with notices and a gauge, in a pipe as plain lines
// with notices on standard error, or as lines of JSON. It must be used by one goroutine
// only.
type view struct {
	out         *output.Printer
	log         *slog.Logger
	interactive bool
	ascii       bool      // the screen has only ASCII
	screen      io.Writer // standard output, limited to letters the screen has
	st          terminal.Style
	midLine     bool             // the cursor is within a line of the answer
	thinking    bool             // the current line is the model's reasoning
	answer      *markdown.Writer // formats the current answer; nil in a pipe
	waits       *waiting         // waiting for the model; nil while there is something to show
	fellBack    map[string]bool  // fallbacks that the user has been told about
}

func newView(stdin io.Reader, out *output.Printer, log *slog.Logger) view {
	interactive := terminal.Is(stdin) && terminal.Is(out.Stdout) && out.ForPeople()
	v := view{out: out, log: log, interactive: interactive, screen: out.Stdout, st: out.Style(out.Stdout), fellBack: make(map[string]bool)}
	if interactive {
		v.ascii, v.screen = !terminal.HasUTF8(out.Getenv), terminal.Letters(out.Stdout, out.Getenv)
		v.answer = markdown.NewWriter(terminal.Width(out.Stdout, out.Getenv), v.st.Color)
	}
	return v
}

func (v *view) json() bool { return !v.out.ForPeople() }

// wait shows that the model is reading, if a person is waiting.
func (v *view) wait() {
	if v.interactive && !v.out.Quiet && v.waits == nil && v.out.Getenv("TERM") != "dumb" {
		v.waits = wait(v.screen, v.st)
	}
}

// hush removes that line, before anything else is shown.
func (v *view) hush() {
	if v.waits != nil {
		v.waits.hush()
		v.waits = nil
	}
}

// line prints a line of JSON. If standard output is closed, the process ends by itself;
// there is nowhere to report another error.
func (v *view) line(e event) { _ = v.out.Line(e) }

// faint prints a line that is not part of an answer.
func (v *view) faint(format string, args ...any) {
	text := v.letters(fmt.Sprintf(format, args...))
	if columns := terminal.Width(v.out.Stdout, v.out.Getenv); v.interactive && columns > 0 {
		text = terminal.Fold(text, columns, 0)
	}
	fmt.Fprintf(v.screen, "%s\n", v.st.Faint(text))
}

// letters replaces letters that the screen lacks. It must precede fitting to the screen.
func (v *view) letters(text string) string {
	if v.ascii {
		return terminal.ASCII(text)
	}
	return text
}

// session prints the session of the chat as a line of JSON.
func (v *view) session(r chat.Report) {
	v.line(event{Event: "session", Session: r.Session, Model: r.Model, Context: contentsOf(r)})
}

// begin introduces the chat.
func (v *view) begin(r chat.Report) {
	switch {
	case v.json():
		v.session(r)
	case v.interactive && !v.out.Quiet:
		v.faint("%s · window %s · %s · /help lists the commands, Ctrl-D leaves", terminal.Clean(r.Model), output.Thousands(r.Window), r.Session)
	}
}

// end says how to continue later.
func (v *view) end(r chat.Report) {
	if v.interactive && !v.out.Quiet && r.Usage.Last > 0 {
		v.faint("go on with: strata chat --session %s", r.Session)
	}
}

// delta shows a part of the answer.
func (v *view) delta(d llm.Delta) error {
	if d.Text != "" || d.Reasoning != "" {
		v.hush()
	}
	if v.json() {
		if d.Text != "" {
			v.line(event{Event: "delta", Text: d.Text})
		}
		if d.Reasoning != "" {
			v.line(event{Event: "reasoning", Text: d.Reasoning})
		}
		return nil
	}
	if d.Reasoning != "" && v.interactive {
		v.thinking, v.midLine = true, true
		if _, err := io.WriteString(v.screen, v.st.Faint(spoken(d.Reasoning))); err != nil {
			return err
		}
	}
	if d.Text == "" {
		return nil
	}
	if v.thinking {
		v.newLine()
	}
	text := v.letters(spoken(d.Text))
	v.midLine = !strings.HasSuffix(text, "\n")
	if v.answer != nil {
		text = v.answer.Write(text)
	}
	_, err := io.WriteString(v.screen, text)
	return err
}

// spoken makes a model's text safe for a terminal.
func spoken(text string) string { return terminal.CleanLines(strings.ReplaceAll(text, "\r", "")) }

// newLine ends the current line of the answer, if there is one.
func (v *view) newLine() {
	v.hush()
	if v.answer != nil && !v.thinking {
		rest, open := v.answer.Close()
		fmt.Fprint(v.screen, rest)
		v.midLine = open
	}
	if v.midLine {
		fmt.Fprintln(v.screen)
	}
	v.midLine, v.thinking = false, false
}

// answered ends an answer and shows how full the window is.
func (v *view) answered(a chat.Answer, whole bool, r chat.Report) {
	if v.json() {
		if whole {
			v.line(event{Event: "answer", Text: a.Text, Calls: a.Calls, PromptTokens: a.Usage.Prompt,
				CompletionTokens: a.Usage.Completion, Context: contentsOf(r)})
		}
		return
	}
	v.newLine()
	if whole && a.Stop == llm.StopLength {
		v.notice("the answer was cut: it reached the longest that fits")
	}
	if v.interactive && !v.out.Quiet {
		v.faint("%s", gauge(r.Usage))
	}
}

// gauge formats "[ctx 43% · 3.5k/8.2k · 12 turns]".
func gauge(u contextmgr.Usage) string {
	return fmt.Sprintf("[ctx %d%% · %s/%s · %s]", int(u.Level*100+0.5), short(u.Total), short(u.Window), output.Count(int(u.Last), "turn"))
}

// short formats a number of tokens in few characters: 950, 3.5k, 128k.
func short(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 99_950:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprintf("%dk", (n+500)/1000)
}

// notice says in one line what happened.
func (v *view) notice(format string, args ...any) {
	if v.out.Quiet {
		return
	}
	if !v.interactive {
		v.out.Note(format, args...)
		return
	}
	waited := v.waits != nil
	v.newLine()
	mark := "·"
	if v.ascii {
		mark = "-"
	}
	v.faint("%s %s", mark, terminal.Clean(fmt.Sprintf(format, args...)))
	if waited {
		v.wait()
	}
}

// failed shows an error.
func (v *view) failed(err error) {
	v.hush()
	if v.json() {
		out := output.ErrorOf(err)
		v.line(event{Event: "error", Code: out.Code, Message: out.Message, Hint: out.Hint})
	} else {
		v.newLine()
		if v.interactive && errors.Is(err, context.Canceled) {
			v.notice("interrupted")
			return
		}
	}
	v.log.Debug("failed", "error", err.Error())
	v.out.Report(err)
}

// event shows what happens while an answer is generated.
func (v *view) event(e any) {
	if v.json() {
		if out, ok := eventOf(e); ok {
			v.line(out)
		}
		return
	}
	switch e := e.(type) {
	case contextmgr.FlushStarted:
		if v.interactive {
			v.notice("saving what turns %d to %d say", e.From, e.To)
		}
	case contextmgr.FlushFinished:
		v.flushed(e)
	case contextmgr.CompactionStarted:
		if v.interactive {
			v.notice("compacting %s tokens", output.Thousands(e.Tokens))
		}
	case contextmgr.Compacted:
		v.notice("compacted from %s to %s tokens: turns %d to %d are a summary now", output.Thousands(e.Before), output.Thousands(e.After), e.From, e.To)
	case contextmgr.Read:
		v.saved(e.Decisions)
		if e.Err != nil {
			v.notice("what the model read in the turns %d to %d is saved later: %s", e.From, e.To, e.Err)
		}
	case contextmgr.Summarized:
		v.notice("the model's summary of the turns up to %d is in place: %s tokens, %s before", e.To, output.Thousands(e.After), output.Thousands(e.Before))
	case contextmgr.Rests:
		v.notice("%s is not asked for facts and summaries until %s, rules do it: %s", e.Model, e.Until.Local().Format("15:04"), e.Why)
	case contextmgr.Resumed:
		v.notice("%s finds facts and writes summaries again", e.Model)
	case contextmgr.Pruned:
		v.notice("pruned from %s to %s tokens: turns %d to %d are not shown to the model", output.Thousands(e.Before), output.Thousands(e.After), e.From, e.To)
	case contextmgr.Stubbed:
		v.notice("turn %d is shown shortened: %s of %s tokens", e.Seq, output.Thousands(e.After), output.Thousands(e.Before))
	case contextmgr.Warned:
		v.notice("the context is %d%% full; the model is told", int(e.Level*100))
	case contextmgr.Recalled:
		v.notice("recalled %s", memories(len(e.IDs)))
	case contextmgr.FellBack:
		if !v.fellBack[e.What+e.Why] { // show each once
			v.fellBack[e.What+e.Why] = true
			v.notice("%s: %s; in its place: %s", e.What, e.Why, e.To)
		}
	case contextmgr.Dropped:
		v.notice("%s of what the model would keep was not said", output.Count(len(e.Why), "fact"))
	case contextmgr.Retried:
		v.notice("the model refused the request as too large; a smaller one is sent")
	case contextmgr.Restored:
		v.notice("the conversation goes on: %s shown", output.Count(e.Turns, "turn"))
	case contextmgr.StateSetAside:
		v.notice("the saved state could not be used, the conversation was read from its turns: %s", e.Reason)
	case chat.ToolStarted:
		if v.interactive {
			v.notice("%s %s", e.Call.Name, terminal.Cut(e.Call.Arguments, 60))
		}
	case chat.ToolFinished:
		v.tool(e)
		v.wait() // the model now reads the tool's result
	case chat.ToolHeld:
		v.notice("%s held back: %s", e.Call.Name, e.Warning)
	case chat.Corrected:
		v.notice("noted as a correction, for later sessions too")
	case chat.Missed:
		v.notice("%s: %s", e.What, e.Err)
	case chat.ToolsLeftOut:
		v.notice("the window is small: the model works without %s", strings.Join(e.Names, ", "))
	}
}

// flushed says which facts were saved.
func (v *view) flushed(e contextmgr.FlushFinished) {
	v.saved(e.Decisions)
	if e.Err != nil {
		v.notice("facts up to turn %d are saved, the rest later: %s", e.To, e.Err)
	}
}

// saved lists the facts that changed.
func (v *view) saved(decisions []strata.Decision) {
	var texts []string
	for _, d := range decisions {
		if d.Op.Changed() && d.After != nil {
			texts = append(texts, d.After.Text)
		}
	}
	if len(texts) > 0 {
		v.notice("%s saved: %s", output.Count(len(texts), "fact"), strings.Join(texts, " · "))
	}
}

// tool says what a tool did.
func (v *view) tool(e chat.ToolFinished) {
	if e.Err != nil {
		v.notice("%s failed: %s", e.Call.Name, output.Message(e.Err))
		return
	}
	switch out := e.Output.(type) {
	case ops.Saved:
		v.notice("%s by %s: %s", output.Done(out.Decision), e.Call.Name, out.Reason)
	case ops.Found:
		v.notice("%s found %s", e.Call.Name, memories(len(out.Hits)))
	}
}

func memories(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}
