package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/cmd/strata/internal/chatui"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/internal/text/token"
)

// chatFlags are the flags of chat that are not settings.
type chatFlags struct {
	session  string
	newest   bool
	noRecall bool
}

// newChatCommand returns the command chat, for talking with a model that remembers.
func newChatCommand(a *app) *cobra.Command {
	var f chatFlags
	cmd := &cobra.Command{
		Use:     "chat",
		GroupID: groupUse,
		Short:   "Talk with a model that remembers",
		Long: "Talks with a model that has the memory tools. What is said is kept turn by turn; facts are saved before they leave the\n" +
			"model's window, and at the latest by the end. Nothing is sent anywhere but to the server that --model or the settings\n" +
			"name. Inside, /help lists the commands. In a pipe every line is a message, and with -o json everything that happens is\n" +
			"a line of JSON (docs/cli-json.md). The key of an openai: server is read from the variable that the setting api_key_env\n" +
			"names; it is never kept or shown.",
		Example: "  strata chat --model ollama:qwen3:4b\n" +
			"  strata chat --model openai:gpt-5-mini --base-url https://api.openai.com/v1\n" +
			"  strata chat --continue",
		Args: cmdline.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.chat(cmd.Context(), f) },
	}
	for _, s := range config.Settings() {
		if s.Local {
			cmd.Flags().String(s.Flag, "", s.Doc)
			cmdline.Complete(cmd, s.Flag, cmdline.Fixed(nil))
		}
	}
	cmd.Flags().StringVar(&f.session, "session", "", "continue this session, or begin it")
	cmd.Flags().BoolVar(&f.newest, "continue", false, "continue the newest open session")
	cmd.Flags().BoolVar(&f.noRecall, "no-recall", false, "do not search memory automatically for every message")
	cmdline.Complete(cmd, "session", a.completeValues("session"))
	cmd.MarkFlagsMutuallyExclusive("session", "continue")
	return cmd
}

// chat connects to the models, opens the memory and runs the chat.
func (a *app) chat(ctx context.Context, f chatFlags) error {
	models, err := a.chatModels()
	if err != nil {
		return err
	}
	defer models.close()
	a.session = true
	token.Load() // in parallel with opening the home; needed to count the tokens of the snapshot
	env, err := a.environment(ctx)
	if err != nil {
		return err
	}
	// On a terminal an interrupt does not end the chat, so it must not end the watching.
	defer a.watchFiles(context.WithoutCancel(ctx), env)()
	return chatui.Run(ctx, chatui.Options{
		Chat: chat.Options{
			Memory: env.Engine, Scope: env.Scope, Model: models.chat, Small: models.small, ContextLength: models.length,
			Window: a.cfg.Int(config.Window), SmallWindow: models.smallWindow, NoRecall: f.noRecall,
			Talk: sessions.Options{Session: f.session, Workspace: env.Workspace, Agent: env.Agent, Scope: env.Scope, View: env.View},
		},
		Model: a.otherModel,
		Env:   env, Newest: f.newest, MaxResults: a.cfg.Int(config.MaxResults), Home: a.home(),
		Stdin: a.stdin, Out: a.out, Editor: a.editor(false), Log: a.log,
	})
}

// otherModel connects to a model chosen inside the chat. It uses the server from the
// settings if the protocol is the same.
func (a *app) otherModel(name string) (chatui.Models, func(), error) {
	protocol, model, ok := strings.Cut(name, ":")
	if !ok || model == "" || protocol != "ollama" && protocol != "openai" {
		return chatui.Models{}, nil, strata.Invalid("", "there is no model "+terminal.Quote(name), "use ollama:NAME or openai:NAME")
	}
	address := a.cfg.Get(config.BaseURL)
	if settled, _, _ := strings.Cut(a.cfg.Get(config.Model), ":"); settled != protocol {
		address = ""
	}
	server, err := a.modelServer(protocol, address)
	if err != nil {
		return chatui.Models{}, nil, err
	}
	m := chatui.Models{Chat: server.Chat(model), ContextLength: server.ContextLength}
	if protocol == "ollama" {
		m.ContextLength = modestLength(server)
	}
	return m, func() { _ = server.Close() }, nil // only drops idle connections
}
