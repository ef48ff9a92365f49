package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/benchmark"
	"github.com/strata-memory/strata/cmd/strata/internal/input"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/cmd/strata/internal/tour"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/examples/conversation"
	"github.com/strata-memory/strata/internal/ephemeral"
	"github.com/strata-memory/strata/workspace"
)

// newDemoCommand runs the main job on a conversation that comes with Strata.
func newDemoCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "demo",
		GroupID: groupTry,
		Short:   "Watch a conversation being remembered across sessions",
		Long: "Feeds a conversation of several weeks through the engine: facts are extracted by rules and saved, each session is\n" +
			"closed, and a new session asks ten questions. It prints every decision, every answer with its score, and the time\n" +
			"each step took. The memory is left in a new temporary home to look around in, unless --home names one or\n" +
			"--ephemeral-memory asks for none to be left.",
		Example: "  strata demo\n  strata demo --ephemeral-memory",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), cmd.Flag("home").Changed) },
	}
}

// demoReport is what the demo did.
type demoReport struct {
	Home      string            `json:"home"`
	Sessions  int               `json:"sessions"`
	Turns     int               `json:"turns"`
	Redacted  int               `json:"redacted"` // secrets removed from turns
	Decisions []strata.Decision `json:"decisions"`
	Answers   []demoAnswer      `json:"answers"`
	Store     time.Duration     `json:"store_ns"`   // of all turns
	Extract   time.Duration     `json:"extract_ns"` // and saving what was found
}

// demoAnswer is a question and what was recalled for it.
type demoAnswer struct {
	Question string        `json:"question"`
	Found    bool          `json:"found"` // an expected answer is among the hits
	Hits     []strata.Hit  `json:"hits"`
	Took     time.Duration `json:"took_ns"`
}

// The demo asks for as many hits as a recall does by itself, and shows the
// best of them.
const (
	demoHits  = 10
	demoShown = 3
)

func (a *app) demo(ctx context.Context, homeGiven bool) error {
	talk, err := conversation.Load()
	if err != nil {
		return err
	}
	home, err := a.demoHome(homeGiven)
	if err != nil {
		return err
	}
	mem, err := a.openAt(ctx, home, workspace.Found{})
	if err != nil {
		return err
	}
	report := demoReport{Home: home, Sessions: len(talk.Sessions)}
	if err := a.demoLearn(ctx, mem, talk, &report); err != nil {
		return err
	}
	// A reset: nothing of the sessions is left but what the home holds.
	if err := a.closeMemory(); err != nil {
		return err
	}
	if mem, err = a.openAt(ctx, home, workspace.Found{}); err != nil {
		return err
	}
	if err := demoAsk(ctx, mem, talk, &report); err != nil {
		return err
	}
	if err := mem.Drain(ctx); err != nil {
		return err
	}
	if !a.out.ForPeople() {
		return a.out.Print(report)
	}
	return a.printDemo(report)
}

// demoHome is the home of the demo: a new one unless the user named one.
func (a *app) demoHome(given bool) (string, error) {
	if given || a.temp != nil {
		return a.home(), nil
	}
	home, err := os.MkdirTemp(a.getenv("TMPDIR"), "strata-demo-")
	if err != nil {
		return "", &strata.Error{Code: strata.CodeUnavailable, Op: "demo", Message: "there is no room for a home",
			Hint: "pass --home, or see that TMPDIR names a directory that can be written", Err: err}
	}
	return home, nil
}

// demoLearn feeds the conversation through the engine, session by session.
func (a *app) demoLearn(ctx context.Context, mem *engine.Engine, talk conversation.Conversation, report *demoReport) error {
	total := 0
	for _, s := range talk.Sessions {
		total += len(s.Turns)
	}
	p := a.out.Progress("remember")
	defer p.Finish()
	me := strata.Global()
	for _, s := range talk.Sessions {
		begin := time.Now()
		stored, err := mem.AppendTurns(ctx, me, s.ID, s.Kind, s.Turns)
		if err != nil {
			return err
		}
		extracting := time.Now()
		decisions, err := mem.Extract(ctx, me, s.ID)
		if err != nil {
			return err
		}
		report.Store += extracting.Sub(begin)
		report.Extract += time.Since(extracting)
		report.Decisions = append(report.Decisions, decisions...)
		for _, t := range stored {
			report.Redacted += t.Redacted
		}
		if err := mem.CloseSession(ctx, me, s.ID); err != nil {
			return err
		}
		report.Turns += len(stored)
		p.Report(int64(report.Turns), int64(total))
	}
	return nil
}

// demoAsk asks the questions in a new session.
func demoAsk(ctx context.Context, mem *engine.Engine, talk conversation.Conversation, report *demoReport) error {
	for i, q := range talk.Questions {
		begin := time.Now()
		res, err := mem.Query(ctx, strata.Query{
			View: strata.Global().View(), Text: q.Text, Limit: demoHits, Session: "questions", Turn: int64(i + 1),
		})
		if err != nil {
			return err
		}
		report.Answers = append(report.Answers, demoAnswer{
			Question: q.Text, Hits: res.Hits, Took: time.Since(begin), Found: answered(res.Hits, q.Expect),
		})
	}
	return nil
}

// answered reports whether every expected word is in one of the hits.
func answered(hits []strata.Hit, expect []string) bool {
	for _, want := range expect {
		if !slices.ContainsFunc(hits, func(h strata.Hit) bool {
			return strings.Contains(strings.ToLower(h.Text), strings.ToLower(want))
		}) {
			return false
		}
	}
	return true
}

// printDemo writes the report for people.
func (a *app) printDemo(r demoReport) error {
	p := a.out.Page(a.out.Stdout)
	p.Printf("%s\n\n", p.Strong(fmt.Sprintf("Remembered %s of %s; %s removed before anything was written.",
		output.Count(r.Turns, "turn"), output.Count(r.Sessions, "session"), output.Count(r.Redacted, "secret"))))
	t := table.Table{Elastic: 2, Faint: map[int]bool{3: true}}
	for _, d := range r.Decisions {
		text, about := "", ""
		if d.After != nil {
			text, about = d.After.Text, string(d.After.Type)+" · "+d.After.Category
		}
		t.Add(string(d.Op), about, terminal.Clean(text), "("+terminal.Clean(d.Reason)+")")
	}
	p.Table(t)
	p.Printf("\n%s\n", p.Strong("The sessions are closed. A new one asks:"))
	found := 0
	var asked time.Duration
	for _, answer := range r.Answers {
		if answer.Found {
			found++
		}
		asked += answer.Took
		p.Printf("\n%s  %s\n", p.Strong(answer.Question), p.Faint(answer.Took.Round(10*time.Microsecond).String()))
		hits := table.Table{Elastic: 1, Faint: map[int]bool{2: true}}
		for _, h := range answer.Hits[:min(demoShown, len(answer.Hits))] {
			hits.Add("  "+output.Score(h.Score), terminal.Clean(h.Text), fmt.Sprintf("%s · tier %d · %s", h.Kind, h.Tier, h.Why))
		}
		p.Table(hits)
	}
	p.Printf("\n%d of %d questions have their whole answer among the first %d hits (the best %d are shown).\n",
		found, len(r.Answers), demoHits, demoShown)
	p.Printf("\n%s\n", p.Strong("Times"))
	p.Printf("  store and index %4d turns      %9s\n", r.Turns, r.Store.Round(10*time.Microsecond))
	p.Printf("  extract and save %3d facts      %9s\n", len(r.Decisions), r.Extract.Round(10*time.Microsecond))
	p.Printf("  recall, each of %d questions   %9s\n", len(r.Answers), (asked / time.Duration(max(len(r.Answers), 1))).Round(10*time.Microsecond))
	if a.temp != nil {
		p.Printf("\nThe home was a throw-away one and is gone now. Without --ephemeral-memory it stays.\n")
		return p.Err()
	}
	return errors.Join(printDemoFiles(p, r.Home), p.Err())
}

// printDemoFiles says what the home holds and what to try next.
func printDemoFiles(p *output.Page, home string) error {
	p.Printf("\n%s\n", p.Strong("Files in "+home))
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(home, path)
		if err != nil {
			return err
		}
		p.Printf("  %-16s %6d KiB\n", name, (info.Size()+1023)/1024)
		return nil
	})
	if err != nil {
		return err
	}
	p.Printf("\n%s\n", p.Strong("Try next"))
	for _, line := range []string{
		"recall --home %s \"what is my cat called?\"",
		"search --home %s \"when did we talk about the move?\"",
		"facts --home %s",
		"decisions --home %s",
		"doctor --home %s",
	} {
		p.Printf("  strata "+line+"\n", home)
	}
	return nil
}

// newBenchCommand measures retrieval on data the user has.
func newBenchCommand(a *app) *cobra.Command {
	cmd := benchmark.New(benchmark.Host{
		Out: a.out, Log: func() *slog.Logger { return a.log }, Home: a.home, Scratch: a.scratch,
		Open: func(ctx context.Context, home string) (*engine.Engine, error) {
			return a.openAt(ctx, home, workspace.Found{})
		},
		Build: func() (commit string, changed bool) {
			v := buildVersion()
			return v.Commit, v.Dirty
		},
	})
	cmd.GroupID = groupTry
	return cmd
}

// newTourCommand shows what memory does, with the reader's own sentences.
func newTourCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "tour",
		GroupID: groupTry,
		Short:   "See in two minutes what memory does, with your own sentences",
		Long: "Keeps, recalls, corrects, explains and undoes, and shows what a new session starts with. Each step is a command that\n" +
			"runs for real, in a throw-away home that is gone at the end. On a terminal it asks for two or three sentences of\n" +
			"yours; in a pipe it uses samples.",
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
			return "dec_" + id[max(len(id)-7, 0):], nil // as the commands write it
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

// tourEnvironment is what the commands of a tour see of the environment: nothing of the
// reader's own memory and models.
func (a *app) tourEnvironment(home string) []string {
	out := []string{"STRATA_HOME=" + home}
	for _, name := range []string{"HOME", "PATH", "TMPDIR", "TERM", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE", "TZ"} {
		if value := a.getenv(name); value != "" {
			out = append(out, name+"="+value)
		}
	}
	return out
}
