package chatui

import (
	"context"
	"strings"

	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// retry asks the model to answer again.
func (u *ui) retry(ctx context.Context, _ string) error {
	return u.answer(func() (chat.Answer, error) { return u.agent.Retry(ctx) })
}

// undo takes back the last exchange, and says what remains.
func (u *ui) undo(ctx context.Context, _ string) error {
	gone, err := u.agent.Undo(ctx)
	if err != nil {
		return err
	}
	out := struct {
		From     int64    `json:"from"`
		To       int64    `json:"to"`
		Reverted []string `json:"reverted"` // decisions that undid others
		Kept     []string `json:"kept,omitempty"`
	}{From: gone.From, To: gone.To, Reverted: []string{}, Kept: gone.Kept}
	for _, d := range gone.Reverted {
		out.Reverted = append(out.Reverted, d.ID)
	}
	return u.print("undo", out, func(p *output.Page) {
		p.Printf("taken back  turns %d to %d, and %s\n", gone.From, gone.To, output.Count(len(gone.Reverted), "change"))
		for _, d := range gone.Reverted {
			if d.Before != nil {
				p.Printf("  no longer  %s\n", terminal.Clean(d.Before.Text))
			}
		}
		for _, why := range gone.Kept {
			p.Printf("  stays      %s\n", terminal.Clean(why))
		}
		p.Printf("What was said stays in the record of the session.\nstrata forget removes a text for good.\n")
	})
}

// model says which model answers, or switches to another.
func (u *ui) model(ctx context.Context, name string) error {
	if name == "" {
		return u.showSetup("model", u.Chat.Model.Model())
	}
	models, closeModel, err := u.Model(name)
	if err != nil {
		return err
	}
	err = u.reopen(ctx, func(o *chat.Options) {
		o.Model, o.ContextLength = models.Chat, models.ContextLength
	})
	if err != nil {
		closeModel()
		return err
	}
	if u.models != nil {
		u.models()
	}
	u.models = closeModel
	return u.showSetup("model", u.Chat.Model.Model())
}

// system shows the user's addition to the system prompt, or changes it.
func (u *ui) system(ctx context.Context, text string) error {
	if text != "" {
		if err := u.reopen(ctx, func(o *chat.Options) { o.System = strings.TrimPrefix(text, "-") }); err != nil {
			return err
		}
	}
	return u.showSetup("system", u.Chat.System)
}

// showSetup prints one of the options of the chat.
func (u *ui) showSetup(what, value string) error {
	return u.print(what, map[string]string{what: value}, func(p *output.Page) {
		shown := terminal.CleanLines(value)
		if shown == "" {
			shown = "(nothing)"
		}
		p.Printf("%s  %s  %s\n", what, shown, p.Faint("window "+output.Thousands(u.agent.Usage().Window)))
	})
}

// reopen continues the session with other options. After an error everything stays as it
// was.
func (u *ui) reopen(ctx context.Context, change func(o *chat.Options)) error {
	if err := u.agent.Close(ctx); err != nil {
		return err
	}
	next := u.Chat
	next.Talk.Session = u.agent.Session()
	change(&next)
	agent, err := chat.New(ctx, next)
	if err != nil {
		return err
	}
	u.Chat, u.agent = next, agent
	return nil
}
