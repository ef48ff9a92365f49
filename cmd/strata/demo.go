package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/examples/conversation"
	"github.com/strata-memory/strata/internal/diskfault"
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
		return "", diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "demo", Message: "there is no room for a home",
			Hint: "pass --home, or see that TMPDIR names a directory that can be written", Err: err}, "")
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
		"fact list --home %s",
		"decisions --home %s",
		"doctor --home %s",
	} {
		p.Printf("  strata "+line+"\n", home)
	}
	return nil
}
