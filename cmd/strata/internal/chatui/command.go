package chatui

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ops"
)

// slashCommand is a command inside a chat.
type slashCommand struct {
	name string
	args string // as shown in the help
	doc  string
	run  func(u *ui, ctx context.Context, rest string) error
}

// slashCommands returns all commands, in the order of the help.
func slashCommands() []slashCommand {
	return []slashCommand{
		{"memory", "", "what memory holds, and what of it the model sees", nil},
		{"memory", "NAME", "a fact or learning by its id, a category, or a note", nil},
		{"memory", "edit [NAME]", "change a fact (the newest), note or file in an editor", nil},
		{"memory", "clear", "delete the facts of this scope, and of no other", nil},
		{"memory", "rebuild [all]", "extract again from this session or all, and reindex", (*ui).memory},
		{"save", "TEXT", "remember a statement", (*ui).save},
		{"recall", "TEXT", "look in memory", (*ui).recall},
		{"context", "", "what the window is filled with", (*ui).context},
		{"compact", "", "replace older turns by a summary now", (*ui).compact},
		{"retry", "", "have the model answer once more", (*ui).retry},
		{"undo", "", "take the last exchange back, and what was saved of it", (*ui).undo},
		{"image", "FILE", "show a picture with the next message", (*ui).image},
		{"model", "[NAME]", "which model answers, or another (ollama:qwen3:4b)", (*ui).model},
		{"system", "[TEXT]", "what the model is told besides; - for nothing", (*ui).system},
		{"reset", "", "begin a new session; memory stays", (*ui).reset},
		{"sessions", "[ID]", "list sessions, or go on with one", (*ui).switchTo},
		{"help", "", "this list", (*ui).help},
		{"quit", "", "leave; facts are saved and the session stays open", (*ui).quit},
	}
}

// slash splits a command: "/memory edit" has the name memory and the rest edit. Two
// slashes begin a message instead.
func slash(text string) (name, rest string, ok bool) {
	body, ok := strings.CutPrefix(text, "/")
	if !ok || strings.HasPrefix(body, "/") {
		return "", "", false
	}
	name, rest, _ = strings.Cut(body, " ")
	return name, strings.TrimSpace(rest), true
}

// command runs a command.
func (u *ui) command(ctx context.Context, name, rest string) error {
	for _, c := range slashCommands() {
		if c.name == name && c.run != nil {
			return c.run(u, ctx, rest)
		}
	}
	hint := "/help lists the commands; begin a message that starts with / with //"
	if near := nearest(name); near != "" {
		hint = "did you mean /" + near + "? " + hint
	}
	return strata.Invalid("", "no such command: "+terminal.Quote("/"+name), hint)
}

// nearest returns the command of which a mistyped name is a prefix, or that is a prefix
// of it.
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

// print prints the result of a command: as a line of JSON, or as written by text.
func (u *ui) print(command string, data any, text func(p *output.Page)) error {
	if u.view.json() {
		u.view.line(event{Event: "output", Command: command, Data: data})
		return nil
	}
	p := u.Out.Page(u.Out.Stdout)
	text(p)
	return p.Err()
}

// printOutput prints the output of an operation.
func (u *ui) printOutput(command string, out any) error {
	if u.view.json() {
		u.view.line(event{Event: "output", Command: command, Data: out})
		return nil
	}
	return u.Out.Text(u.Out.Stdout, out)
}

// operation runs an operation inside the chat, as the command line would.
func (u *ui) operation(ctx context.Context, command, name string, in any) error {
	env := *u.Env
	env.Session, env.Shown = u.agent.Session(), u.agent.Shown()
	out, err := ops.Run(ctx, &env, name, in)
	if err != nil {
		return err
	}
	return u.printOutput(command, out)
}

func (u *ui) save(ctx context.Context, text string) error {
	return u.operation(ctx, "save", "save", &ops.SaveIn{Statement: ops.Statement{Content: text}})
}

func (u *ui) recall(ctx context.Context, query string) error {
	return u.operation(ctx, "recall", "recall", &ops.RecallIn{Query: query, MaxResults: u.MaxResults})
}

func (u *ui) help(context.Context, string) error {
	type row struct {
		Command string `json:"command"`
		Doc     string `json:"doc"`
	}
	var rows []row
	t := table.Table{Elastic: 1}
	for _, c := range slashCommands() {
		name := strings.TrimSpace("/" + c.name + " " + c.args)
		rows = append(rows, row{name, c.doc})
		t.Add(name, c.doc)
	}
	return u.print("help", rows, func(p *output.Page) {
		p.Table(t)
		p.Printf("A backslash at the end of a line goes on with the next. Ctrl-C stops an answer.\n")
	})
}

func (u *ui) quit(context.Context, string) error {
	u.leave = true
	return nil
}

func (u *ui) compact(ctx context.Context, _ string) error {
	compacted, err := u.agent.Compact(ctx)
	if err != nil {
		return err
	}
	if compacted.To == 0 {
		u.view.notice("there is nothing to gain from a summary now")
	}
	return nil // an event has already shown the rest
}

// mostCompletions bounds the facts and files that are offered for completion.
const mostCompletions = 200

// complete returns the words that may follow the typed text. It leaves out what cannot be
// read.
func (u *ui) complete(before string) []string {
	ctx, mem, view := context.Background(), u.Env.Engine, u.Env.View
	var words []string
	switch before {
	case "":
		for _, s := range slashCommands() {
			words = append(words, "/"+s.name)
		}
		words = slices.Compact(words)
	case "/memory":
		words = []string{"clear", "edit", "rebuild"}
		list, _ := mem.Categories(ctx, view)
		for _, c := range list {
			words = append(words, c.Name)
		}
		words = append(words, u.paths(ctx)...)
	case "/memory rebuild":
		words = []string{"all"}
	case "/memory edit":
		list, _ := mem.Facts(ctx, view, strata.FactFilter{Limit: mostCompletions})
		for _, f := range list {
			words = append(words, f.ID)
		}
		words = append(words, u.paths(ctx)...)
	case "/sessions":
		list, _ := u.sessions(ctx)
		for _, s := range list {
			words = append(words, s.ID)
		}
	}
	return words
}

// paths returns the files that can be shown and edited.
func (u *ui) paths(ctx context.Context) []string {
	list, _ := u.Env.Engine.Documents(ctx, u.Env.View, strata.DocumentFilter{Limit: mostCompletions})
	paths := make([]string, len(list))
	for i, d := range list {
		paths[i] = d.Path
	}
	return paths
}
