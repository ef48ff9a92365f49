package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/cmd/strata/internal/tour"
	"github.com/strata-memory/strata/internal/home/ephemeral"
)

// newTourCommand returns the command tour, which shows what memory does with the reader's
// own sentences.
func newTourCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "tour",
		GroupID: groupTry,
		Short:   "See in two minutes what memory does, with your own sentences",
		Long: "Keeps, recalls, corrects, explains and undoes, and shows what a new session starts with. Each step is a command that\n" +
			"really runs, in a temporary home that is gone at the end. On a terminal it asks you for two or three sentences; in a\n" +
			"pipe it uses samples.",
		Example: "  strata tour",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.tour(cmd.Context()) },
	}
}

func (a *app) tour(ctx context.Context) error {
	home, err := ephemeral.New(a.getenv("TMPDIR"))
	if err != nil {
		return err
	}
	defer home.Close()
	run := func(stdout io.Writer, args ...string) error {
		args = append([]string{"--home", home.Home, "--workspace", home.Workspace, "--scope", "global"}, args...)
		if code := Main(ctx, args, strings.NewReader(""), stdout, a.out.Stderr, a.tourEnvironment(home.Home)); code != 0 {
			return output.AsReported(&strata.Error{Code: strata.CodeInternal, Message: "a step of the tour failed"})
		}
		return nil
	}
	style, page := a.out.Style(a.out.Stdout), a.out.Page(a.out.Stdout)
	t := tour.Tour{
		Print: func(text string) { page.Printf("%s", text) }, Strong: style.Strong, Faint: style.Faint,
		Run: func(args ...string) error { return run(a.out.Stdout, args...) },
		Newest: func() (string, error) {
			var newest bytes.Buffer
			if err := run(&newest, "decisions", "--limit", "1", "-o", "json"); err != nil {
				return "", err
			}
			var list struct{ Decisions []struct{ ID string } }
			if err := json.Unmarshal(newest.Bytes(), &list); err != nil || len(list.Decisions) == 0 {
				return "", &strata.Error{Code: strata.CodeInternal, Message: "no decision was made", Err: err}
			}
			id := list.Decisions[0].ID
			return "dec_" + id[max(len(id)-7, 0):], nil // as commands print it
		},
	}
	if terminal.Is(a.stdin) && terminal.Is(a.out.Stdout) {
		t.Read = input.NewLines(input.Interruptible(ctx, a.stdin)).Read
	}
	if err := t.Walk(); err != nil {
		return err
	}
	return page.Err()
}

// tourEnvironment returns the environment variables for the commands of a tour, without
// those that lead to the reader's own memory and models.
func (a *app) tourEnvironment(home string) []string {
	out := []string{"STRATA_HOME=" + home}
	for _, name := range []string{"HOME", "PATH", "TMPDIR", "TERM", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE", "TZ"} {
		if value := a.getenv(name); value != "" {
			out = append(out, name+"="+value)
		}
	}
	return out
}
