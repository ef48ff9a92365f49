package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/config"
	"github.com/strata-memory/strata/ops"
)

// slashCommand is a command inside a chat.
type slashCommand struct {
	name string
	args string // as help shows them
	doc  string
	run  func(r *chatRun, ctx context.Context, rest string) error
}

// slashCommands are all of them, in the order of the help.
func slashCommands() []slashCommand {
	return []slashCommand{
		{"memory", "", "what memory holds, and what of it the model sees", nil},
		{"memory", "NAME", "a fact or lesson by its id, the facts of a category, or a note", nil},
		{"memory", "edit [NAME]", "change a fact (the newest one), a note or a file in your editor", nil},
		{"memory", "clear", "delete the facts of this scope, and of no other", nil},
		{"memory", "rebuild [all]", "extract again from this session (or all) and rebuild the index", (*chatRun).memory},
		{"save", "TEXT", "remember a statement", (*chatRun).save},
		{"recall", "TEXT", "look in memory", (*chatRun).recall},
		{"context", "", "what the window is filled with", (*chatRun).context},
		{"compact", "", "replace older turns by a summary now", (*chatRun).compact},
		{"reset", "", "begin a new session; memory stays", (*chatRun).reset},
		{"sessions", "[ID]", "list sessions, or go on with one", (*chatRun).switchTo},
		{"help", "", "this list", (*chatRun).help},
		{"quit", "", "leave; facts are saved and the session stays open", (*chatRun).quit},
	}
}

// slash takes a command apart: "/memory edit" is memory with the rest edit. Two
// slashes begin a message.
func slash(text string) (name, rest string, ok bool) {
	body, ok := strings.CutPrefix(text, "/")
	if !ok || strings.HasPrefix(body, "/") {
		return "", "", false
	}
	name, rest, _ = strings.Cut(body, " ")
	return name, strings.TrimSpace(rest), true
}

// command runs a command.
func (r *chatRun) command(ctx context.Context, name, rest string) error {
	for _, c := range slashCommands() {
		if c.name == name && c.run != nil {
			return c.run(r, ctx, rest)
		}
	}
	hint := "/help lists the commands; begin a message that starts with / with //"
	if near := nearest(name); near != "" {
		hint = "did you mean /" + near + "? " + hint
	}
	return strata.Invalid("", "no such command: "+quote("/"+name), hint)
}

// nearest is the command that a mistyped name begins or is begun by.
func nearest(name string) string {
	for n := len(name); n >= 2; n-- {
		for _, c := range slashCommands() {
			if strings.HasPrefix(c.name, name[:n]) {
				return c.name
			}
		}
	}
	return ""
}

// show prints what a command found: as a line of JSON, or as text prints it.
func (r *chatRun) show(command string, data any, text func(w io.Writer) error) error {
	if r.view.json() {
		r.view.line(chatEvent{Event: "output", Command: command, Data: data})
		return nil
	}
	return text(r.app.stdout)
}

// operation runs an operation of the command line inside the chat.
func (r *chatRun) operation(ctx context.Context, command, name string, input map[string]any) error {
	op, ok := ops.Find(name)
	if !ok {
		return &strata.Error{Code: strata.CodeInternal, Message: "no operation " + name}
	}
	data, err := json.Marshal(input)
	if err != nil {
		return fmt.Errorf("encode the input of %s: %w", name, err)
	}
	in, err := op.Decode(data)
	if err != nil {
		return err
	}
	env := *r.env
	env.Session = r.agent.Session()
	out, err := op.Run(ctx, &env, in)
	if err != nil {
		return err
	}
	return r.show(command, out, func(w io.Writer) error { return r.app.printTable(w, out) })
}

func (r *chatRun) save(ctx context.Context, rest string) error {
	return r.operation(ctx, "save", "save", map[string]any{"content": rest})
}

func (r *chatRun) recall(ctx context.Context, rest string) error {
	return r.operation(ctx, "recall", "recall", map[string]any{"query": rest, config.MaxResults: r.app.cfg.Int(config.MaxResults)})
}

func (r *chatRun) help(context.Context, string) error {
	type row struct {
		Command string `json:"command"`
		Doc     string `json:"doc"`
	}
	var rows []row
	t := table{elastic: 1}
	for _, c := range slashCommands() {
		name := strings.TrimSpace("/" + c.name + " " + c.args)
		rows = append(rows, row{name, c.doc})
		t.add(name, c.doc)
	}
	return r.show("help", rows, func(w io.Writer) error {
		if err := t.write(w, width(w), r.view.st); err != nil {
			return err
		}
		return show(w, "A backslash at the end of a line goes on with the next. Ctrl-C stops an answer.\n")
	})
}

func (r *chatRun) quit(context.Context, string) error {
	r.leave = true
	return nil
}

func (r *chatRun) compact(ctx context.Context, _ string) error {
	done, err := r.agent.Compact(ctx)
	if err != nil {
		return err
	}
	if done.To == 0 {
		r.view.notice("there is nothing to gain from a summary now")
	}
	return nil // an event told the rest
}

func (r *chatRun) reset(ctx context.Context, _ string) error {
	place := r.seat
	if err := r.agent.Reset(ctx); err != nil {
		return err
	}
	place.leave(true)
	return r.moved(ctx)
}

// moved takes the seat of the session that the agent is in now.
func (r *chatRun) moved(context.Context) error {
	place, err := r.take(r.agent.Session())
	if err != nil {
		return err
	}
	r.seat = place
	report := r.agent.Report()
	if r.view.json() {
		r.view.line(chatEvent{Event: "session", Session: report.Session, Model: report.Model, Context: contextOf(report)})
		return nil
	}
	r.view.notice("session %s", report.Session)
	return nil
}

// switchTo lists the sessions, or goes on with the one that is named.
func (r *chatRun) switchTo(ctx context.Context, rest string) error {
	if rest == "" {
		list, err := r.sessions(ctx)
		if err != nil {
			return err
		}
		out := ops.Sessions{Sessions: []ops.Session{}}
		for _, s := range list {
			out.Sessions = append(out.Sessions, ops.Session{
				ID: s.ID, Scope: s.Scope.Key(), Kind: s.Kind, Turns: s.Turns, StartedAt: s.StartedAt, ClosedAt: s.ClosedAt,
			})
		}
		return r.show("sessions", out, func(w io.Writer) error { return r.app.printTable(w, out) })
	}
	if rest == r.agent.Session() {
		r.view.notice("this is session %s", rest)
		return nil
	}
	if _, err := r.env.Engine.Session(ctx, r.scope(), rest); err != nil {
		return err
	}
	place, err := r.take(rest)
	if err != nil {
		return err
	}
	if err := r.agent.Switch(ctx, rest); err != nil {
		place.leave(true)
		return err
	}
	place.leave(false)
	r.seat.leave(true)
	return r.moved(ctx)
}
