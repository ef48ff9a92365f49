package engine_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
	"github.com/strata-memory/strata/workspace"
)

// inTree gives an engine files.
func inTree(tree files.Tree) func(*engine.Options) {
	return func(o *engine.Options) { o.Tree = tree }
}

// at gives an engine a clock that stands still.
func at(now time.Time) func(*engine.Options) {
	return func(o *engine.Options) { o.Now = func() time.Time { return now } }
}

// withFiles gives an engine the files of a home on disk; empty means none.
func withFiles(home string) func(*engine.Options) {
	return func(o *engine.Options) {
		if home != "" {
			o.Tree = workspace.NewTree(home, nil)
		}
	}
}

// followed lets the files follow and fails the test if they cannot.
func followed(t *testing.T, e *engine.Engine) {
	t.Helper()
	if err := e.Drain(context.Background()); err != nil {
		t.Fatalf("files do not follow: %v", err)
	}
}

// log returns the daily log of today.
func log(tree *filestest.Memory, now time.Time) string {
	return tree.Files(strata.Global())["memory/"+now.Format(time.DateOnly)+".md"]
}

// note is a note of the project.
func note(name, about string) string {
	return "---\nname: " + name + "\ndescription: " + about + "\ntype: project\n---\n\n# " + name + "\n\nText of " + name + ".\n"
}

// counts counts the operations of a tree.
type counts struct {
	mu sync.Mutex
	of map[string]int
}

func (c *counts) hit(op string, _ strata.Scope, path string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = make(map[string]int)
	}
	c.of[op+" "+path]++
	return nil
}

// pending lists what is outstanding in a scope.
func pending(t *testing.T, e *engine.Engine, scope strata.Scope) []strata.Decision {
	t.Helper()
	list, err := e.Decisions(context.Background(), scope.View(), strata.DecisionFilter{Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func TestABatchIsOneWriteOfTheLog(t *testing.T) {
	tree := filestest.NewMemory()
	var c counts
	e := open(t, inTree(tree), at(noon))
	tree.Fault(c.hit)
	var batch []strata.Candidate
	for i := range 500 {
		batch = append(batch, strata.Candidate{Scope: strata.Global(), Content: fmt.Sprintf("Parcel %d went to shelf %d", i, i*7919%10007)})
	}
	decisions, err := e.WriteBatch(context.Background(), batch)
	if err != nil {
		t.Fatal(err)
	}
	followed(t, e)
	if n := c.of["write memory/2026-03-14.md"]; n != 1 {
		t.Errorf("the log was written %d times: %v", n, c.of)
	}
	text := log(tree, noon)
	for _, d := range decisions {
		if strings.Count(text, d.ID) != 1 || !strings.Contains(text, "- [12:00] "+d.After.Text+" <!-- "+d.ID+" -->\n") {
			t.Fatalf("the log lacks %s, or has it twice:\n%.300s", d.ID, text)
		}
	}
	first, err := e.Decision(context.Background(), strata.Global().View(), decisions[0].ID)
	if err != nil || first.AppliedAt == nil {
		t.Fatalf("decision = %+v, %v", first, err)
	}
	last, err := e.Decision(context.Background(), strata.Global().View(), decisions[499].ID)
	if err != nil || last.AppliedAt == nil || !last.AppliedAt.Equal(*first.AppliedAt) {
		t.Errorf("stamped at %v and %v: not in one transaction", first.AppliedAt, last.AppliedAt)
	}
}

func TestALogTellsWhatChangedAndNotWhatWasDeleted(t *testing.T) {
	ctx := context.Background()
	tree := filestest.NewMemory()
	e := open(t, inTree(tree), at(noon))
	first := save(t, e, "The staging server is at 10.0.0.4")
	second := write(t, e, strata.Candidate{Scope: strata.Global(), Content: "The staging server is at 10.0.0.9", Target: first.FactID})
	other := save(t, e, "Parcels are weighed at gate 3")
	followed(t, e)
	for _, d := range []strata.Decision{first, second, other} {
		if !strings.Contains(log(tree, noon), d.ID) {
			t.Errorf("no line of %s %s:\n%s", d.Op, d.After.Text, log(tree, noon))
		}
	}
	gone := write(t, e, strata.Candidate{Scope: strata.Global(), Action: strata.ActionDelete, Target: second.FactID})
	followed(t, e)
	text := log(tree, noon)
	if strings.Contains(text, "staging") || !strings.Contains(text, "gate 3") {
		t.Errorf("after the delete:\n%s", text)
	}
	back, err := e.Revert(ctx, strata.Global().View(), gone.ID, engine.RevertOptions{})
	if err != nil {
		t.Fatal(err)
	}
	followed(t, e)
	if text := log(tree, noon); !strings.Contains(text, back.ID) || strings.Contains(text, first.ID) {
		t.Errorf("after the revert of the delete:\n%s", text)
	}
}

func TestALogHasTheDayOfTheUser(t *testing.T) {
	tree := filestest.NewMemory()
	auckland := time.FixedZone("NZDT", 13*3600)
	e := open(t, inTree(tree), func(o *engine.Options) {
		o.Now = func() time.Time { return time.Now().In(auckland) }
	})
	d := save(t, e, "The ferry leaves at nine")
	followed(t, e)
	here := d.DecidedAt.In(auckland)
	text := log(tree, here)
	if !strings.Contains(text, here.Format("- [15:04] ")+"The ferry leaves at nine") {
		t.Errorf("files %v", tree.Files(strata.Global()))
	}
}

func TestReplaySetsABadRowAsideAndGoesOn(t *testing.T) {
	ctx := context.Background()
	tree := filestest.NewMemory()
	e := open(t, inTree(tree))
	tree.Fault(func(op string, _ strata.Scope, path string) error {
		if op == "write" && path == "notes/project_bad.md" {
			return &strata.Error{Code: strata.CodeInvalid, Message: "no name for a file", Hint: "take another"}
		}
		return nil
	})
	bad := write(t, e, strata.Candidate{Scope: strata.Global(), Path: "notes/project_bad.md", Content: note("Bad", "never")})
	good := write(t, e, strata.Candidate{Scope: strata.Global(), Path: "notes/project_good.md", Content: note("Good", "always")})
	said := save(t, e, "Pears are in the cellar")
	followed(t, e)
	for _, d := range []strata.Decision{good, said} {
		if got, err := e.Decision(ctx, strata.Global().View(), d.ID); err != nil || got.AppliedAt == nil || got.SetAside != "" {
			t.Errorf("decision behind the bad one: %+v, %v", got, err)
		}
	}
	got, err := e.Decision(ctx, strata.Global().View(), bad.ID)
	if err != nil || got.AppliedAt != nil || !strings.Contains(got.SetAside, "no name for a file") {
		t.Errorf("bad decision: %+v, %v", got, err)
	}
	events, err := e.Decisions(ctx, strata.Global().View(), strata.DecisionFilter{Pending: true})
	if err != nil || len(events) != 0 {
		t.Errorf("still outstanding: %+v, %v", events, err)
	}
}

func TestReplayAtOpenFinishesWhatWasLeftOnce(t *testing.T) {
	db, tree := filepath.Join(t.TempDir(), "strata.db"), filestest.NewMemory()
	tree.Fault(func(op string, _ strata.Scope, _ string) error {
		if op == "write" {
			return errors.New("no room")
		}
		return nil
	})
	first := openAt(t, db, inTree(tree), at(noon))
	d := save(t, first, "Apples are in the barn")
	write(t, first, strata.Candidate{Scope: strata.Global(), Path: "notes/project_barn.md", Content: note("Barn", "on apples")})
	if err := first.Drain(context.Background()); err == nil {
		t.Fatal("the files should not follow")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	tree.Fault(nil)
	for range 2 { // the second time there is nothing to do
		e := openAt(t, db, inTree(tree), at(noon))
		if n := strings.Count(log(tree, noon), d.ID); n != 1 {
			t.Errorf("the log has the line %d times:\n%s", n, log(tree, noon))
		}
		if tree.Files(strata.Global())["notes/project_barn.md"] != note("Barn", "on apples") {
			t.Errorf("files %v", tree.Files(strata.Global()))
		}
		if left := pending(t, e, strata.Global()); len(left) != 0 {
			t.Errorf("outstanding after a replay: %+v", left)
		}
		healthy(t, e)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAFileAlreadyWrittenIsOnlyStamped is a kill between file and stamp.
func TestAFileAlreadyWrittenIsOnlyStamped(t *testing.T) {
	db, tree := filepath.Join(t.TempDir(), "strata.db"), filestest.NewMemory()
	first := openAt(t, db, inTree(tree), at(noon))
	tree.Away(strata.Global(), true)
	d := save(t, first, "Apples are in the barn")
	n := write(t, first, strata.Candidate{Scope: strata.Global(), Path: "notes/project_barn.md", Content: note("Barn", "on apples")})
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	tree.Away(strata.Global(), false)
	put := func(path, text string) {
		if err := tree.Put(strata.Global(), path, []byte(text), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	put("notes/project_barn.md", n.Document.After.Content)
	put("memory/2026-03-14.md", "# 2026-03-14\n\n- [12:00] Apples are in the barn <!-- "+d.ID+" -->\n")
	var c counts
	tree.Fault(c.hit)
	e := openAt(t, db, inTree(tree), at(noon))
	if c.of["write memory/2026-03-14.md"] != 0 || strings.Count(log(tree, noon), d.ID) != 1 {
		t.Errorf("written again: %v\n%s", c.of, log(tree, noon))
	}
	if left := pending(t, e, strata.Global()); len(left) != 0 {
		t.Errorf("outstanding: %+v", left)
	}
	report, err := e.Sync(context.Background(), strata.Global().View())
	if err != nil || len(report.Changes) != 0 {
		t.Errorf("our own writes were taken for edits by hand: %+v, %v", report, err)
	}
}

func TestAFileThatAHandChangedAfterTheCrashIsKept(t *testing.T) {
	ctx, path := context.Background(), "notes/project_barn.md"
	db, tree := filepath.Join(t.TempDir(), "strata.db"), filestest.NewMemory()
	first := openAt(t, db, inTree(tree))
	write(t, first, strata.Candidate{Scope: strata.Global(), Path: path, Content: note("Barn", "on apples")})
	followed(t, first)
	tree.Away(strata.Global(), true)
	late := write(t, first, strata.Candidate{Scope: strata.Global(), Path: path, Content: note("Barn", "on pears")})
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	tree.Away(strata.Global(), false)
	hand := note("Barn", "on plums, by hand")
	if err := tree.Put(strata.Global(), path, []byte(hand), time.Time{}); err != nil {
		t.Fatal(err)
	}
	e := openAt(t, db, inTree(tree))
	if got := tree.Files(strata.Global())[path]; got != hand {
		t.Errorf("the edit by hand is lost: %q", got)
	}
	d, err := e.Decision(ctx, strata.Global().View(), late.ID)
	if err != nil || d.SetAside != "superseded by hand" {
		t.Errorf("decision = %+v, %v", d, err)
	}
	report, err := e.Sync(ctx, strata.Global().View())
	if err != nil || report.Updated != 1 {
		t.Fatalf("sync = %+v, %v", report, err)
	}
	followed(t, e)
	if index := tree.Files(strata.Global())["MEMORY.md"]; !strings.Contains(index, "on plums, by hand") {
		t.Errorf("index:\n%s", index)
	}
}

// TestOpeningTakesInWhatAHandWroteBeforeTheFileFollowed is a kill before a file followed,
// and an edit of that file: to follow, it has to take the edit in while it opens.
func TestOpeningTakesInWhatAHandWroteBeforeTheFileFollowed(t *testing.T) {
	db, tree := filepath.Join(t.TempDir(), "strata.db"), filestest.NewMemory()
	first := openAt(t, db, inTree(tree), at(noon))
	tree.Away(strata.Global(), true)
	late := save(t, first, "Apples are in the barn")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	tree.Away(strata.Global(), false)
	const line = "Pears are in the cellar, by hand."
	if err := tree.Put(strata.Global(), "memory/2026-03-14.md", []byte("# 2026-03-14\n\n"+line+"\n"), time.Time{}); err != nil {
		t.Fatal(err)
	}
	e := openAt(t, db, inTree(tree), at(noon))
	followed(t, e)
	if got := log(tree, noon); !strings.Contains(got, line) || strings.Count(got, late.ID) != 1 {
		t.Errorf("the daily log:\n%s", got)
	}
	healthy(t, e)
}

func TestAScopeWithoutADirectoryWaitsAndKeepsNoOtherFromFollowing(t *testing.T) {
	db, tree := filepath.Join(t.TempDir(), "strata.db"), filestest.NewMemory()
	away := strata.InWorkspace("far")
	tree.Away(away, true)
	first := openAt(t, db, inTree(tree), at(noon))
	write(t, first, strata.Candidate{Scope: away, Content: "The build needs Go 1.26"})
	near := save(t, first, "Apples are in the barn")
	followed(t, first)
	if !strings.Contains(log(tree, noon), near.ID) || len(pending(t, first, away)) != 1 {
		t.Errorf("near:\n%s\naway: %+v", log(tree, noon), pending(t, first, away))
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	tree.Away(away, false)
	e := openAt(t, db, inTree(tree), at(noon))
	if left := pending(t, e, away); len(left) != 0 || !strings.Contains(tree.Files(away)["memory/2026-03-14.md"], "Go 1.26") {
		t.Errorf("not caught up: %+v, %v", left, tree.Files(away))
	}
}

// A note that is written back and forth, with the file following after every second write.
func TestFilesEndAsTheLastWriteSaid(t *testing.T) {
	path := "notes/project_port.md"
	tree := filestest.NewMemory()
	e := open(t, inTree(tree))
	a, b := note("Port", "8080"), note("Port", "9090")
	for i, text := range []string{a, b, a, b} {
		write(t, e, strata.Candidate{Scope: strata.Global(), Path: path, Content: text})
		if i%2 == 1 {
			followed(t, e)
		}
	}
	if got := tree.Files(strata.Global())[path]; got != b {
		t.Errorf("the file says %q", got)
	}
}

func TestAFileThatWasDeletedAndAddedAgainIsThere(t *testing.T) {
	path := "notes/project_port.md"
	for _, between := range []bool{false, true} {
		tree := filestest.NewMemory()
		e := open(t, inTree(tree))
		for _, action := range []strata.Action{strata.ActionSave, strata.ActionDelete, strata.ActionSave} {
			c := strata.Candidate{Scope: strata.Global(), Path: path, Action: action}
			if action == strata.ActionSave {
				c.Content = note("Port", "8080")
			}
			write(t, e, c)
			if between {
				followed(t, e)
			}
		}
		followed(t, e)
		if got := tree.Files(strata.Global())[path]; got != note("Port", "8080") {
			t.Errorf("files follow in between: %v, the file says %q", between, got)
		}
	}
}

// The file that this process wrote last stands as it left it, and yet another
// one may have begun the next and been killed before it stamped.
func TestALineThatAKilledProcessWroteIntoTheNextFileStandsOnce(t *testing.T) {
	tree := filestest.NewMemory()
	e := open(t, inTree(tree), at(noon))
	save(t, e, "Pears are in the cellar")
	followed(t, e)
	tree.Away(strata.Global(), true)
	d := save(t, e, "Apples are in the barn")
	err := tree.Put(strata.Global(), "memory/2026-03-14.1.md", []byte("# 2026-03-14\n\n- [12:00] Apples are in the barn <!-- "+d.ID+" -->\n"), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	tree.Away(strata.Global(), false)
	followed(t, e)
	lines := 0
	for _, text := range tree.Files(strata.Global()) {
		lines += strings.Count(text, "<!-- "+d.ID+" -->")
	}
	if lines != 1 {
		t.Errorf("the decision has %d lines", lines)
	}
	if left := pending(t, e, strata.Global()); len(left) != 0 {
		t.Errorf("outstanding: %+v", left)
	}
}

func TestALogIsRotated(t *testing.T) {
	tree := filestest.NewMemory()
	e := open(t, inTree(tree), at(noon))
	var lines strings.Builder
	lines.WriteString("# 2026-03-14\n\n")
	for i := range 4997 {
		fmt.Fprintf(&lines, "- [11:00] line %d <!-- dec_%026d -->\n", i, i)
	}
	if err := tree.Put(strata.Global(), "memory/2026-03-14.md", []byte(lines.String()), time.Time{}); err != nil {
		t.Fatal(err)
	}
	var batch []strata.Candidate
	for i := range 6 {
		batch = append(batch, strata.Candidate{Scope: strata.Global(), Content: fmt.Sprintf("Parcel %d went to shelf %d", i, i*7919)})
	}
	if _, err := e.WriteBatch(context.Background(), batch); err != nil {
		t.Fatal(err)
	}
	followed(t, e)
	held := tree.Files(strata.Global())
	if n := strings.Count(held["memory/2026-03-14.md"], "\n"); n > 5000 {
		t.Errorf("the first file has %d lines", n)
	}
	if !strings.HasPrefix(held["memory/2026-03-14.1.md"], "# 2026-03-14") || !strings.Contains(held["memory/2026-03-14.1.md"], "Parcel 5") {
		t.Errorf("the second file:\n%s", held["memory/2026-03-14.1.md"])
	}
	again := save(t, e, "Pears are in the cellar")
	followed(t, e)
	if !strings.Contains(tree.Files(strata.Global())["memory/2026-03-14.1.md"], again.ID) {
		t.Errorf("the next line is not in the newest file")
	}
}
