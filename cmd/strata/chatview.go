package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/ops"
)

// chatView shows a chat: on a terminal with notices and a gauge, in a pipe as
// plain lines with notices on standard error, or as lines of JSON. It is used
// by one goroutine.
type chatView struct {
	app         *app
	interactive bool
	st          style
	midLine     bool // the cursor stands inside a line of the answer
	thinking    bool // that line is the model's reasoning
	fell        map[string]bool
}

func (a *app) newChatView() chatView {
	interactive := isTerminal(a.stdin) && isTerminal(a.stdout) && a.format == formatTable
	return chatView{app: a, interactive: interactive, st: a.styleFor(a.stdout), fell: make(map[string]bool)}
}

func (v *chatView) json() bool { return v.app.format != formatTable }

// line prints a line of JSON. Standard output that is gone ends the process by
// itself; there is nowhere to report another error to.
func (v *chatView) line(e chatEvent) { _ = v.app.printLine(e) }

// begin says what the chat is about.
func (v *chatView) begin(r chat.Report) {
	switch {
	case v.json():
		v.line(chatEvent{Event: "session", Session: r.Session, Model: r.Model, Context: contextOf(r)})
	case v.interactive && !v.app.flags.quiet:
		fmt.Fprintf(v.app.stdout, "%s\n", v.st.faint(fmt.Sprintf("%s · window %s · %s · /help lists the commands, Ctrl-D leaves", clean(r.Model), thousands(r.Window), r.Session)))
	}
}

// end says how to go on.
func (v *chatView) end(r chat.Report) {
	if v.interactive && !v.app.flags.quiet && r.Usage.Last > 0 {
		fmt.Fprintf(v.app.stdout, "%s\n", v.st.faint("go on with: strata chat --session "+r.Session))
	}
}

// delta shows a part of the answer.
func (v *chatView) delta(d llm.Delta) error {
	if v.json() {
		if d.Text != "" {
			v.line(chatEvent{Event: "delta", Text: d.Text})
		}
		if d.Reasoning != "" {
			v.line(chatEvent{Event: "reasoning", Text: d.Reasoning})
		}
		return nil
	}
	if d.Reasoning != "" && v.interactive {
		v.thinking, v.midLine = true, true
		if _, err := io.WriteString(v.app.stdout, v.st.faint(spoken(d.Reasoning))); err != nil {
			return err
		}
	}
	if d.Text == "" {
		return nil
	}
	if v.thinking {
		v.newLine()
	}
	text := spoken(d.Text)
	v.midLine = !strings.HasSuffix(text, "\n")
	_, err := io.WriteString(v.app.stdout, text)
	return err
}

// spoken makes what a model says safe for a terminal.
func spoken(text string) string { return cleanLines(strings.ReplaceAll(text, "\r", "")) }

// newLine ends the line of the answer, if one is open.
func (v *chatView) newLine() {
	if v.midLine {
		fmt.Fprintln(v.app.stdout)
	}
	v.midLine, v.thinking = false, false
}

// answered ends an answer and shows how full the window is.
func (v *chatView) answered(a chat.Answer, whole bool, r chat.Report) {
	if v.json() {
		if whole {
			v.line(chatEvent{Event: "answer", Text: a.Text, Calls: a.Calls, PromptTokens: a.Usage.Prompt,
				CompletionTokens: a.Usage.Completion, Context: contextOf(r)})
		}
		return
	}
	v.newLine()
	if whole && a.Stop == llm.StopLength {
		v.notice("the answer was cut: it reached the longest that fits")
	}
	if v.interactive && !v.app.flags.quiet {
		fmt.Fprintf(v.app.stdout, "%s\n", v.st.faint(gauge(r.Usage)))
	}
}

// gauge is "[ctx 43% · 3.5k/8.2k · 12 turns]".
func gauge(u contextmgr.Usage) string {
	return fmt.Sprintf("[ctx %d%% · %s/%s · %s]", int(u.Level*100+0.5), short(u.Total), short(u.Window), count(int(u.Last), "turn"))
}

// short writes a number of tokens in few characters: 950, 3.5k, 128k.
func short(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 99_950:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprintf("%dk", (n+500)/1000)
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// notice tells in one line what happened beside the answer.
func (v *chatView) notice(format string, args ...any) {
	if v.app.flags.quiet {
		return
	}
	if !v.interactive {
		v.app.note(format, args...)
		return
	}
	v.newLine()
	fmt.Fprintf(v.app.stdout, "%s\n", v.st.faint("· "+clean(fmt.Sprintf(format, args...))))
}

// failed shows an error.
func (v *chatView) failed(err error) {
	if v.json() {
		out := errorOf(err)
		v.line(chatEvent{Event: "error", Code: out.Code, Message: out.Message, Hint: out.Hint})
	} else {
		v.newLine()
		if v.interactive && errors.Is(err, context.Canceled) {
			v.notice("interrupted")
			return
		}
	}
	v.app.report(err)
}

// event shows what happens beside the answer.
func (v *chatView) event(e any) {
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
			v.notice("compacting %s tokens", thousands(e.Tokens))
		}
	case contextmgr.Compacted:
		v.notice("compacted from %s to %s tokens: turns %d to %d are a summary now", thousands(e.Before), thousands(e.After), e.From, e.To)
	case contextmgr.Pruned:
		v.notice("pruned from %s to %s tokens: turns %d to %d are not shown to the model", thousands(e.Before), thousands(e.After), e.From, e.To)
	case contextmgr.Stubbed:
		v.notice("turn %d is shown shortened: %s of %s tokens", e.Seq, thousands(e.After), thousands(e.Before))
	case contextmgr.Warned:
		v.notice("the context is %d%% full; the model is told", int(e.Level*100))
	case contextmgr.Recalled:
		v.notice("recalled %s", memories(len(e.IDs)))
	case contextmgr.FellBack:
		if !v.fell[e.What+e.Why] { // told once
			v.fell[e.What+e.Why] = true
			v.notice("%s: %s; in its place: %s", e.What, e.Why, e.To)
		}
	case contextmgr.Retried:
		v.notice("the model refused the request as too large; a smaller one is sent")
	case contextmgr.Restored:
		v.notice("the conversation goes on: %s shown", count(e.Turns, "turn"))
	case contextmgr.StateSetAside:
		v.notice("the saved state could not be used, the conversation was read from its turns: %s", e.Reason)
	case chat.ToolStarted:
		if v.interactive {
			v.notice("%s %s", e.Call.Name, cut(e.Call.Arguments, 60))
		}
	case chat.ToolFinished:
		v.tool(e)
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

// flushed tells which facts were saved.
func (v *chatView) flushed(e contextmgr.FlushFinished) {
	var saved []string
	for _, d := range e.Decisions {
		if d.Op.Changed() && d.After != nil {
			saved = append(saved, d.After.Text)
		}
	}
	if len(saved) > 0 {
		v.notice("%s saved: %s", count(len(saved), "fact"), strings.Join(saved, " · "))
	}
	if e.Err != nil {
		v.notice("facts up to turn %d are saved, the rest later: %s", e.To, e.Err)
	}
}

// tool tells what a tool did.
func (v *chatView) tool(e chat.ToolFinished) {
	switch out := e.Output.(type) {
	case ops.Saved:
		if e.Err == nil {
			v.notice("%s by %s: %s", done(out.Decision), e.Call.Name, out.Reason)
			return
		}
	case ops.Found:
		if e.Err == nil {
			v.notice("%s found %s", e.Call.Name, memories(len(out.Hits)))
			return
		}
	}
	if e.Err != nil {
		v.notice("%s failed: %s", e.Call.Name, message(e.Err))
	}
}

func memories(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}
