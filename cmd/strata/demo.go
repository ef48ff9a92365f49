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
	"github.com/strata-memory/strata/cmd/strata/internal/demo"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/workspace"
)

// newDemoCommand returns the command demo, which runs Strata on a built-in conversation.
func newDemoCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "demo",
		GroupID: groupTry,
		Short:   "Watch a conversation being remembered across sessions",
		Long: "Feeds a conversation of several weeks through the engine: facts are extracted by rules and saved, each session is\n" +
			"closed, and a new session asks ten questions. It shows some of what was said and kept, a correction, three answers\n" +
			"with their reasons, and what is on the disk; -o json has every decision and answer. The memory stays in a new\n" +
			"temporary home for you to look around in, unless --home names one or --ephemeral-memory asks to leave none.",
		Example: "  strata demo\n  strata demo --ephemeral-memory",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), cmd.Flag("home").Changed) },
	}
}

// demoReport is the result of the demo.
type demoReport struct {
	Home      string            `json:"home"`
	Sessions  int               `json:"sessions"`
	Turns     int               `json:"turns"`
	Redacted  int               `json:"redacted"` // secrets removed from turns
	Decisions []strata.Decision `json:"decisions"`
	Answers   []demoAnswer      `json:"answers"`
	Store     time.Duration     `json:"store_ns"`   // time to store all turns
	Extract   time.Duration     `json:"extract_ns"` // time to extract and save facts

	said map[string]string // texts of turns by id
}

// demoAnswer is a question and what was recalled for it.
type demoAnswer struct {
	Question string        `json:"question"`
	First    bool          `json:"first"` // the first hit contains the answer, or part of it
	Found    bool          `json:"found"` // the hits together contain the answer
	Hits     []strata.Hit  `json:"hits"`
	Took     time.Duration `json:"took_ns"`
}

// demoHits is how many hits the demo asks for: the default of recall.
const demoHits = 10

// demoQuestions are the questions, of ten, that are shown with their answers.
var demoQuestions = []string{"What is my cat called?", "Where do I live now?", "Which text editor am I using these days?"}

func (a *app) demo(ctx context.Context, homeGiven bool) error {
	talk, err := demo.Load()
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
	report := demoReport{Home: home, Sessions: len(talk.Sessions), said: make(map[string]string)}
	if err := a.demoLearn(ctx, mem, talk, &report); err != nil {
		return err
	}
	// Start afresh: nothing of the sessions remains except what the home holds.
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

// demoHome returns the home of the demo: a new one unless the user named one.
func (a *app) demoHome(given bool) (string, error) {
	if given || a.temp != nil {
		return a.home(), nil
	}
	home, err := os.MkdirTemp(a.getenv("TMPDIR"), "strata-demo-")
	if err != nil {
		return "", diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "demo", Message: "there is no room for a home",
			Hint: "pass --home, or set TMPDIR to a directory that can be written", Err: err}, "")
	}
	return home, nil
}

// demoLearn feeds the conversation through the engine, session by session.
func (a *app) demoLearn(ctx context.Context, mem *engine.Engine, talk demo.Conversation, report *demoReport) error {
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
			report.said[t.ID] = t.Text
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
func demoAsk(ctx context.Context, mem *engine.Engine, talk demo.Conversation, report *demoReport) error {
	for i, q := range talk.Questions {
		begin := time.Now()
		res, err := mem.Query(ctx, strata.Query{
			View: strata.Global().View(), Text: q.Text, Limit: demoHits, Session: "questions", Turn: int64(i + 1),
		})
		if err != nil {
			return err
		}
		report.Answers = append(report.Answers, demoAnswer{
			Question: q.Text, Hits: res.Hits, Took: time.Since(begin),
			First: len(res.Hits) > 0 && slices.ContainsFunc(q.Expect, func(want string) bool { return answered(res.Hits[:1], []string{want}) }),
			Found: answered(res.Hits, q.Expect),
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

// demoRoom bounds the width of a text in the report, in columns: the 80 of a screen minus
// what precedes it.
const demoRoom = 80 - 8

// printDemo writes the report for people.
func (a *app) printDemo(r demoReport) error {
	p := demoPage{a.out.Page(a.out.Stdout)}
	p.Printf("%s\n", p.Strong(fmt.Sprintf("%s in %s: %s kept, %s removed.", output.Count(r.Turns, "turn"),
		output.Count(r.Sessions, "session"), output.Count(len(r.Decisions), "fact"), output.Count(r.Redacted, "secret"))))
	p.Printf("%s\n", p.Faint(fmt.Sprintf("Stored in %s, read and saved in %s. No model, no network.",
		r.Store.Round(time.Millisecond), r.Extract.Round(time.Millisecond))))

	p.head("What was said, and what was kept of it")
	for _, d := range r.Decisions {
		if d.After != nil && r.answers(d.After.ID) {
			p.learnt(r, d)
		}
	}
	p.head("A correction: the old value leaves the answers and stays in the history")
	if i := slices.IndexFunc(r.Decisions, func(d strata.Decision) bool { return d.Op == strata.OpSupersede && d.After != nil }); i >= 0 {
		p.learnt(r, r.Decisions[i])
		p.line("why", r.Decisions[i].Reason)
	}
	p.head("A new session, which has heard none of this, asks")
	first := 0
	for _, answer := range r.Answers {
		if answer.First {
			first++
		}
		if !slices.Contains(demoQuestions, answer.Question) || len(answer.Hits) == 0 {
			continue
		}
		hit := answer.Hits[0]
		p.Printf("%s %s\n", p.Strong(answer.Question), p.Faint(answer.Took.Round(100*time.Microsecond).String()))
		p.line("first", hit.Text)
		p.line("why", fmt.Sprintf("%s → %s", hit.Why, output.Score(hit.Score)))
	}
	p.Printf("%d of %d questions have a right answer first.\n", first, len(r.Answers))
	if a.temp != nil {
		p.Printf("\nThe home was temporary and is gone now. Without --ephemeral-memory it stays.\n")
		return p.Err()
	}
	return errors.Join(p.disk(r.Home), p.Err())
}

// answers reports whether a fact is the first hit of a question that the report shows.
func (r demoReport) answers(fact string) bool {
	return slices.ContainsFunc(r.Answers, func(a demoAnswer) bool {
		return slices.Contains(demoQuestions, a.Question) && len(a.Hits) > 0 && a.Hits[0].ID == fact
	})
}

// demoPage is the page that the report is written to.
type demoPage struct{ *output.Page }

func (p demoPage) head(title string) { p.Printf("\n%s\n", p.Strong(title)) }

// learnt writes the last turn from which a decision was learned, and the fact.
func (p demoPage) learnt(r demoReport, d strata.Decision) {
	fact := table.NewMarker(text.Words(d.After.Text))
	if n := len(d.After.Sources); n > 0 {
		p.line("said", fact.Passage(r.said[d.After.Sources[n-1]], demoRoom))
	}
	p.line("kept", d.After.Text)
}

// line writes a label and as much of a text as fits on one line.
func (p demoPage) line(what, said string) {
	p.Printf("  %s %s\n", p.Faint(fmt.Sprintf("%-5s", what)), terminal.Cut(terminal.Clean(said), demoRoom))
}

// demoParts are the parts of a home that the report names.
var demoParts = [...]struct{ name, what string }{
	{"strata.db", "all of it, with history and indexes (SQLite)"},
	{"global/MEMORY.md", "what an agent reads when it begins"},
	{"global/memory", "a diary, one file a day"},
	{"global/transcripts", "what was said, one file a session"},
	{"global/.git", "every version of these files"},
}

// disk lists the content of the home and says what to do next.
func (p demoPage) disk(home string) error {
	p.head("On the disk, in " + home)
	for _, part := range demoParts {
		size := int64(0)
		err := filepath.WalkDir(filepath.Join(home, part.name), func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				size += info.Size()
			}
			return err
		})
		if err != nil {
			return err
		}
		p.Printf("  %-18s %9s  %s\n", part.name, terminal.Bytes(size), p.Faint(part.what))
	}
	p.head("Next")
	p.Printf("  export STRATA_HOME=%s\n", home)
	for _, line := range [][2]string{
		{`strata recall "what is my cat called?"`, "ask it yourself"},
		{"strata decisions", "every fact, and why it was kept"},
		{"strata connect", "give your own agents a memory"},
	} {
		p.Printf("  %-40s %s\n", line[0], p.Faint(line[1]))
	}
	return nil
}
