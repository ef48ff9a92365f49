package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/models/quota"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/workspace"
)

// summarizing is a model that repeats every fact that it is given as a theme of its own,
// or says what it is told to say.
type summarizing struct {
	mu    sync.Mutex
	says  string // empty: what it is asked for
	calls int
}

func (*summarizing) Model() string { return "scripted" }

var factLine = regexp.MustCompile(`(?m)^(\d+)\. \(\w+, [\d-]+\) (.*)$`)

func (m *summarizing) Chat(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Reply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if m.says != "" {
		return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: m.says}}, nil
	}
	var themes []string
	for _, f := range factLine.FindAllStringSubmatch(req.Messages[1].Text, -1) {
		text, err := json.Marshal(f[2])
		if err != nil {
			return llm.Reply{}, err
		}
		themes = append(themes, fmt.Sprintf(`{"title":"Subject %s","lines":[{"text":%s,"facts":[%s]}]}`, f[1], text, f[1]))
	}
	return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: `{"themes":[` + strings.Join(themes, ",") + `]}`}}, nil
}

func (m *summarizing) say(s string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.says = s
}

// summaryOf returns the file of the summary of the global scope; empty without one.
func summaryOf(t *testing.T, e *engine.Engine, home string) string {
	t.Helper()
	followed(t, e)
	data, err := os.ReadFile(filepath.Join(home, "global", markdown.SummaryPath))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

// openFiles opens an engine whose files are in a directory.
func openFiles(t *testing.T, home string, more ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	tree := func(o *engine.Options) { o.Tree = workspace.NewTree(home, nil) }
	return openAt(t, filepath.Join(home, "strata.db"), append([]func(*engine.Options){inHome(home), tree}, more...)...)
}

func eventsOf(t *testing.T, e *engine.Engine, kind string) []strata.Event {
	t.Helper()
	list, _, err := e.Events(context.Background(), strata.Global().View(), store.EventFilter{Kinds: []string{kind}})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestADreamWritesTheSummaryByAModel(t *testing.T) {
	home, ctx, view := t.TempDir(), context.Background(), strata.Global().View()
	clock, model := newTicking(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)), new(summarizing)
	e := openFiles(t, home, clock.in, func(o *engine.Options) { o.Model = model })
	nora, err := e.Save(ctx, strata.Global(), "My sister Nora lives in Bergen")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Save(ctx, strata.Global(), ferryFact); err != nil {
		t.Fatal(err)
	}
	dreamNow(t, e)
	first := summaryOf(t, e, home)
	if s, ok := markdown.ParseSummary(first); !ok || len(s.Themes) != 2 {
		t.Fatalf("the summary is\n%s", first)
	}
	if len(eventsOf(t, e, strata.EventSummarized)) != 1 {
		t.Error("no event tells of it")
	}
	talk, err := e.Talk(ctx, sessions.Options{View: view, Scope: strata.Global()})
	if err != nil {
		t.Fatal(err)
	}
	if shown := talk.Snapshot().Text; !strings.Contains(shown, "Summary of global") || strings.Contains(shown, nora.FactID+"@") {
		t.Errorf("the snapshot is\n%s", shown)
	}

	// A model that breaks leaves what holds, and takes out what does not.
	model.say("I will not.")
	if _, err := e.Save(ctx, strata.Global(), "My sister Nora lives in Oslo now"); err != nil {
		t.Fatal(err)
	}
	clock.pass(48 * time.Hour)
	dreamNow(t, e)
	if second := summaryOf(t, e, home); strings.Contains(second, "Bergen") != factHolds(t, e, nora.FactID) || !strings.Contains(second, ferryFact) {
		t.Errorf("the summary is\n%s", second)
	}
	if kept := eventsOf(t, e, strata.EventSummaryKept); len(kept) != 1 || !strings.Contains(kept[0].Detail, "asked twice") {
		t.Errorf("events = %+v", kept)
	}

	// What a person edits is theirs.
	model.say("")
	mine := summaryOf(t, e, home) + "\nMy own words.\n"
	if err := os.WriteFile(filepath.Join(home, "global", markdown.SummaryPath), []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	clock.pass(48 * time.Hour)
	dreamNow(t, e)
	if now := summaryOf(t, e, home); now != mine {
		t.Errorf("the file of a person became\n%s", now)
	}
	healthy(t, e)
}

// factHolds reports whether a fact is current.
func factHolds(t *testing.T, e *engine.Engine, id string) bool {
	t.Helper()
	versions, err := e.Fact(context.Background(), strata.Global().View(), id)
	if err != nil {
		t.Fatal(err)
	}
	return versions[len(versions)-1].Current()
}

func TestForgetTakesTheSummaryThatRestsOnAFact(t *testing.T) {
	home, ctx, view := t.TempDir(), context.Background(), strata.Global().View()
	model := new(summarizing)
	e := openFiles(t, home, func(o *engine.Options) { o.Model = model })
	nora, err := e.Save(ctx, strata.Global(), "My sister Nora lives in Bergen")
	if err != nil {
		t.Fatal(err)
	}
	// It says the same in other words, which no search for the text of the fact finds.
	model.say(`{"themes":[{"title":"Family","lines":[{"text":"In Bergen lives Nora, a sister.","facts":[1]}]}]}`)
	dreamNow(t, e)
	if !strings.Contains(summaryOf(t, e, home), "In Bergen lives Nora") {
		t.Fatalf("the summary is\n%s", summaryOf(t, e, home))
	}
	res, err := e.Forget(ctx, view, nora.FactID, engine.ForgetOptions{})
	if err != nil || res.Failed != nil {
		t.Fatalf("forget = %+v, %v", res, err)
	}
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if left := summaryOf(t, e, home); left != "" {
		t.Errorf("the summary still is\n%s", left)
	}
	healthy(t, e)
}

// Beyond the limit of a day no model is asked, and the summary stays as it is.
func TestTheLimitOfADayStopsSummaries(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	clock, model := newTicking(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)), new(summarizing)
	e := openFiles(t, home, clock.in, func(o *engine.Options) { o.Model, o.ModelLimits = model, quota.Limits{Calls: 1} })
	for i, said := range []string{ferryFact, "My sister Nora lives in Bergen"} {
		if _, err := e.Save(ctx, strata.Global(), said); err != nil {
			t.Fatal(err)
		}
		clock.pass(time.Duration(i) * time.Hour)
		dreamNow(t, e)
	}
	if s, ok := markdown.ParseSummary(summaryOf(t, e, home)); !ok || len(s.Themes) != 1 || model.calls != 1 {
		t.Errorf("%d calls, the summary is\n%s", model.calls, summaryOf(t, e, home))
	}
	if stopped := eventsOf(t, e, strata.EventModelStopped); len(stopped) != 1 {
		t.Errorf("events = %+v", stopped)
	}
	if use, err := e.ModelUse(ctx); err != nil || use.Calls != 1 || use.Refused != 1 {
		t.Errorf("use = %+v, %v", use, err)
	}
}

// What rests on a fact that is deleted or superseded is told no more, though no dream wrote
// the files anew, and is told again once the fact is back.
func TestWhatRestsOnADeletedFactIsNotTold(t *testing.T) {
	home, ctx, view := t.TempDir(), context.Background(), strata.Global().View()
	model := new(summarizing)
	e := openFiles(t, home, func(o *engine.Options) { o.Model = model })
	nora, err := e.Save(ctx, strata.Global(), "My sister Nora lives in Bergen")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Save(ctx, strata.Global(), ferryFact); err != nil {
		t.Fatal(err)
	}
	dreamNow(t, e)
	file := summaryOf(t, e, home)
	if !strings.Contains(file, "Bergen") {
		t.Fatalf("the summary is\n%s", file)
	}
	told := func(when string, want bool) {
		t.Helper()
		talk, err := e.Talk(ctx, sessions.Options{View: view, Scope: strata.Global()})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(talk.Snapshot().Text, "Bergen"); got != want {
			t.Errorf("%s the snapshot tells it: %v\n%s", when, got, talk.Snapshot().Text)
		}
		if !strings.Contains(talk.Snapshot().Text, ferryFact) {
			t.Errorf("%s what holds is not told", when)
		}
		d, err := e.Resolve(ctx, view, "memory://root")
		if err != nil || strings.Contains(d.Content, "Bergen") != want {
			t.Errorf("%s memory://root is %q, %v", when, d.Content, err)
		}
	}
	told("at first", true)
	gone := write(t, e, strata.Candidate{Scope: strata.Global(), Action: strata.ActionDelete, Target: nora.FactID})
	told("deleted", false)
	if summaryOf(t, e, home) != file {
		t.Error("the file was rendered, so that nothing is proved")
	}
	if _, err := e.Revert(ctx, view, gone.ID, engine.RevertOptions{}); err != nil {
		t.Fatal(err)
	}
	told("back", true)

	// What a person edited is theirs.
	mine := file + "\nNora of Bergen called.\n"
	if err := os.WriteFile(filepath.Join(home, "global", markdown.SummaryPath), []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	syncNow(t, e, strata.Global())
	write(t, e, strata.Candidate{Scope: strata.Global(), Action: strata.ActionDelete, Target: nora.FactID})
	told("edited", true)
}
