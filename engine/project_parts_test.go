package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/edit"
	githistory "github.com/strata-memory/strata/internal/history"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/store/files/filestest"
	"github.com/strata-memory/strata/workspace"
)

// editedByHand writes a file as a person would, and takes it in.
func editedByHand(t *testing.T, e *engine.Engine, tree *filestest.Memory, path, text string) {
	t.Helper()
	if err := tree.Put(strata.Global(), path, []byte(text), time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Sync(context.Background(), strata.Global().View()); err != nil {
		t.Fatal(err)
	}
	followed(t, e)
}

func TestTheIndexIsTrueWhoeverChangedTheNotes(t *testing.T) {
	tree := filestest.NewMemory()
	e := open(t, inTree(tree))
	index := func() string { return tree.Files(strata.Global())[strata.IndexPath] }
	write(t, e, strata.Candidate{Scope: strata.Global(), Path: "notes/project_port.md", Content: note("Port", "when the server starts")})
	followed(t, e)
	const port = "- [Port](notes/project_port.md): when the server starts <!-- 659ae8 -->\n"
	if !strings.Contains(index(), port) {
		t.Fatalf("after a write:\n%s", index())
	}
	editedByHand(t, e, tree, "notes/project_gate.md", note("Gate", "when parcels come"))
	if !strings.Contains(index(), "[Gate](notes/project_gate.md): when parcels come") {
		t.Errorf("after a note was made by hand:\n%s", index())
	}
	editedByHand(t, e, tree, "notes/project_gate.md", note("Gate", "when parcels go"))
	if !strings.Contains(index(), "when parcels go") || strings.Contains(index(), "when parcels come") {
		t.Errorf("after a note was edited by hand:\n%s", index())
	}
	if err := tree.Delete(strata.Global(), "notes/project_gate.md"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Sync(context.Background(), strata.Global().View()); err != nil {
		t.Fatal(err)
	}
	followed(t, e)
	if strings.Contains(index(), "Gate") || !strings.Contains(index(), "Port") {
		t.Errorf("after a note was deleted by hand:\n%s", index())
	}
	// A line of the index that is taken out by hand comes back with the note.
	editedByHand(t, e, tree, strata.IndexPath, strings.Replace(index(), port, "", 1))
	if !strings.Contains(index(), "[Port](notes/project_port.md)") {
		t.Errorf("after a line was taken out by hand:\n%s", index())
	}
	write(t, e, strata.Candidate{Scope: strata.Global(), Path: "notes/project_port.md", Action: strata.ActionDelete})
	followed(t, e)
	if strings.Contains(index(), "Port") {
		t.Errorf("after the delete:\n%s", index())
	}
	healthy(t, e)
}

func TestWhatPeopleWriteIntoTheIndexStays(t *testing.T) {
	tree := filestest.NewMemory()
	e := open(t, inTree(tree))
	mine := "# My memory\n\nAlways ask before a deploy.\n\n## Mine\n\n- a list\n"
	editedByHand(t, e, tree, strata.IndexPath, mine)
	// While the index is rendered a person saves the file again and again.
	saved := 0
	tree.Fault(func(op string, _ strata.Scope, path string) error {
		if op == "write" && path == strata.IndexPath && saved < 3 {
			saved++
			return &strata.Error{Code: strata.CodeConflict, Message: "saved meanwhile", Hint: "again"}
		}
		return nil
	})
	for i := range 3 {
		write(t, e, strata.Candidate{Scope: strata.Global(), Path: fmt.Sprintf("notes/project_n%d.md", i), Content: note(fmt.Sprint("N", i), "once")})
	}
	followed(t, e)
	tree.Fault(nil)
	got := tree.Files(strata.Global())[strata.IndexPath]
	for _, line := range append(strings.Split(mine, "\n"), "[N0](notes/project_n0.md)", "[N2](notes/project_n2.md)") {
		if !strings.Contains(got, line) {
			t.Errorf("%q is gone:\n%s", line, got)
		}
	}
	if saved != 3 {
		t.Errorf("tried %d times", saved)
	}
	report, err := e.Sync(context.Background(), strata.Global().View())
	if err != nil || len(report.Changes) != 0 {
		t.Errorf("our lines were taken for an edit by hand: %+v, %v", report, err)
	}
}

// TestAHandEditThatNobodySawYetIsNotSwallowed renders into a file that was
// edited meanwhile: the edit still becomes a decision.
func TestAHandEditThatNobodySawYetIsNotSwallowed(t *testing.T) {
	tree := filestest.NewMemory()
	e := open(t, inTree(tree))
	write(t, e, strata.Candidate{Scope: strata.Global(), Path: "notes/project_port.md", Content: note("Port", "first")})
	followed(t, e)
	text := tree.Files(strata.Global())[strata.IndexPath] + "\nA line of mine.\n"
	if err := tree.Put(strata.Global(), strata.IndexPath, []byte(text), time.Time{}); err != nil {
		t.Fatal(err)
	}
	write(t, e, strata.Candidate{Scope: strata.Global(), Path: "notes/project_gate.md", Content: note("Gate", "second")})
	followed(t, e)
	got := tree.Files(strata.Global())[strata.IndexPath]
	if !strings.Contains(got, "A line of mine.") || !strings.Contains(got, "Gate") {
		t.Fatalf("index:\n%s", got)
	}
	list := history(t, e, strata.Global(), strata.IndexPath)
	if len(list) != 1 || list[0].Document.After == nil || list[0].Document.After.Content != text {
		t.Errorf("the edit became no decision: %+v", list)
	}
}

func TestExtractedFactsStandInTheIndexOnceAndWithinABudget(t *testing.T) {
	tree := filestest.NewMemory()
	e := open(t, inTree(tree))
	var batch []strata.Candidate
	for i := range 300 {
		batch = append(batch, strata.Candidate{Scope: strata.Global(), Origin: strata.OriginExtractor,
			Content: fmt.Sprintf("Parcel %d of the winter delivery went to shelf %d in the north hall", i, i*7919%10007)})
	}
	decisions, err := e.WriteBatch(context.Background(), batch)
	if err != nil {
		t.Fatal(err)
	}
	followed(t, e)
	got := tree.Files(strata.Global())[strata.IndexPath]
	if len(got) > 14_000 || !strings.Contains(got, decisions[299].ID) || strings.Contains(got, decisions[0].ID) {
		t.Errorf("%d bytes; the newest must stay:\n%.400s", len(got), got)
	}
	last := decisions[299]
	if strings.Count(got, last.ID) != 1 {
		t.Errorf("the newest stands there %d times", strings.Count(got, last.ID))
	}
	next := write(t, e, strata.Candidate{Scope: strata.Global(), Target: last.FactID, Origin: strata.OriginExtractor,
		Content: "Parcel 299 of the winter delivery went to the south hall"})
	followed(t, e)
	got = tree.Files(strata.Global())[strata.IndexPath]
	if strings.Contains(got, last.ID) || !strings.Contains(got, next.ID) {
		t.Errorf("what is no longer so still stands there:\n%s", got)
	}
}

func TestForgetLeavesNothingInFiles(t *testing.T) {
	ctx := context.Background()
	tree := filestest.NewMemory()
	e := open(t, inTree(tree), at(noon))
	said := "The vault code word is marzipan elephant"
	d := write(t, e, strata.Candidate{Scope: strata.Global(), Content: said, Origin: strata.OriginExtractor})
	save(t, e, "Pears are in the cellar")
	if _, err := e.Learn(ctx, strata.Global(), strata.Learning{Kind: strata.LearningCorrection, Key: "k", Text: said, Context: "it was wrong"}); err != nil {
		t.Fatal(err)
	}
	followed(t, e)
	archived, err := e.DailyLogs(ctx, strata.Global().View())
	if err != nil || len(archived) != 1 {
		t.Fatalf("logs = %+v, %v", archived, err)
	}
	all := func() string { return strings.Join(values(tree.Files(strata.Global())), "\n") }
	if n := strings.Count(all(), "marzipan elephant"); n != 3 {
		t.Fatalf("told %d times, want in log, index and learnings:\n%s", n, all())
	}
	res, err := e.Forget(ctx, strata.Global().View(), d.FactID, engine.ForgetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(all(), "marzipan") || !strings.Contains(all(), "Pears are in the cellar") {
		t.Errorf("after forget:\n%s", all())
	}
	if len(res.Remaining) != 0 {
		t.Errorf("remaining %q", res.Remaining)
	}
	report, err := e.Sync(ctx, strata.Global().View())
	if err != nil || len(report.Changes) != 0 {
		t.Errorf("sync = %+v, %v", report, err)
	}
	healthy(t, e)
}

func values(m map[string]string) (out []string) {
	for path, text := range m {
		out = append(out, path+":\n"+text)
	}
	return out
}

func TestLearningsAreRenderedAroundWhatPeopleWrote(t *testing.T) {
	ctx, path := context.Background(), "learnings/errors.md"
	tree := filestest.NewMemory()
	e := open(t, inTree(tree), at(noon))
	learn := func(text string) {
		l := strata.Learning{Kind: strata.LearningError, Key: text, Tool: "shell", Text: text}
		if _, err := e.Learn(ctx, strata.Global(), l); err != nil {
			t.Fatal(err)
		}
		followed(t, e)
	}
	held := func() string { return tree.Files(strata.Global())[path] }
	learn("exit status 2")
	if !strings.Contains(held(), "**shell**: exit status 2") {
		t.Fatalf("file:\n%s", held())
	}
	mine := "Look at the log first.\n\n- [2026-01-02 09:00] **make**: written by me\n" + held()
	editedByHand(t, e, tree, path, mine)
	learn("no such file")
	for _, want := range []string{"Look at the log first.", "**make**: written by me", "exit status 2", "no such file"} {
		if !strings.Contains(held(), want) {
			t.Errorf("%q is gone:\n%s", want, held())
		}
	}
	// What was written by hand is a learning like any other.
	list, err := e.Learnings(ctx, strata.Global().View(), strata.LearningError, 10)
	if err != nil || len(list) != 3 {
		t.Fatalf("learnings = %+v, %v", list, err)
	}
	followed(t, e)
	if again, err := e.Learnings(ctx, strata.Global().View(), strata.LearningError, 10); err != nil || len(again) != 3 || again[2].Count != list[2].Count {
		t.Errorf("taken in twice: %+v, %v", again, err)
	}
}

func TestDailyLogsAreArchivedRestoredAndPurged(t *testing.T) {
	ctx, view := context.Background(), strata.Global().View()
	tree := filestest.NewMemory()
	var now atomic.Pointer[time.Time] // the background reads it, too
	now.Store(&noon)
	e := open(t, inTree(tree), func(o *engine.Options) { o.Now = func() time.Time { return *now.Load() } })
	old := save(t, e, "Apples are in the barn")
	followed(t, e)
	later := noon.AddDate(0, 0, 40)
	now.Store(&later)
	save(t, e, "Pears are in the cellar")
	followed(t, e)
	const live, kept = "memory/2026-03-14.md", "_system/archive/2026-03-14.md"

	dry, err := e.ArchiveDaily(ctx, view, edit.DailyOptions{OlderThan: 30 * 24 * time.Hour, DryRun: true})
	if err != nil || len(dry.Logs) != 1 || dry.Logs[0].Path != live || tree.Files(strata.Global())[live] == "" {
		t.Fatalf("dry run = %+v, %v", dry, err)
	}
	done, err := e.ArchiveDaily(ctx, view, edit.DailyOptions{OlderThan: 30 * 24 * time.Hour})
	if err != nil || len(done.Logs) != 1 || len(done.Decisions) != 2 {
		t.Fatalf("archive = %+v, %v", done, err)
	}
	followed(t, e)
	held := tree.Files(strata.Global())
	if held[live] != "" || !strings.Contains(held[kept], old.ID) {
		t.Fatalf("after archive: %v", held)
	}
	logs, err := e.DailyLogs(ctx, view)
	if err != nil || len(logs) != 2 || !logs[1].Archived || logs[0].Day != "2026-04-23" {
		t.Fatalf("logs = %+v, %v", logs, err)
	}
	if shown, err := e.DailyLog(ctx, view, "2026-03-14"); err != nil || len(shown) != 1 || !strings.Contains(shown[0].Content, "Apples") {
		t.Errorf("show = %+v, %v", shown, err)
	}
	if private, err := e.DailyLogs(ctx, strata.View{Scopes: view.Scopes, Session: strata.SessionGroup}); err != nil || len(private) != 0 {
		t.Errorf("a group is told %+v, %v", private, err)
	}
	// What is forgotten leaves the archive too.
	if _, err := e.Forget(ctx, view, old.FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	if text := tree.Files(strata.Global())[kept]; text == "" || strings.Contains(text, "Apples") {
		t.Errorf("the archive after forget:\n%s", text)
	}
	if _, err := e.RestoreDaily(ctx, view, edit.DailyOptions{Day: "2026-03-14"}); err != nil {
		t.Fatal(err)
	}
	followed(t, e)
	if held := tree.Files(strata.Global()); held[kept] != "" || held[live] == "" {
		t.Errorf("after restore: %v", held)
	}
	_, err = e.PurgeDaily(ctx, view, edit.DailyOptions{OlderThan: time.Hour})
	wantCode(t, err, strata.CodeInvalid)
	gone, err := e.PurgeDaily(ctx, view, edit.DailyOptions{OlderThan: 24 * time.Hour})
	if err != nil || len(gone.Logs) != 1 {
		t.Fatalf("purge = %+v, %v", gone, err)
	}
	followed(t, e)
	if held := tree.Files(strata.Global()); held[live] != "" || held["memory/2026-04-23.md"] == "" {
		t.Errorf("after purge: %v", held)
	}
	if _, err := e.DailyLog(ctx, view, "2026-03-14"); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("show of a log that is gone: %v", err)
	}
}

func TestHeartbeatRulesAreRead(t *testing.T) {
	tree := filestest.NewMemory()
	e := open(t, inTree(tree))
	editedByHand(t, e, tree, "HEARTBEAT.md", "# What to do unasked\n\n- every 30m: look at the build\n- say what is due\n")
	rules, err := e.Heartbeat(context.Background(), strata.Global().View())
	if err != nil || len(rules) != 2 || rules[0].Every != "30m" || rules[0].Text != "look at the build" || rules[1].Line != 4 {
		t.Errorf("rules = %+v, %v", rules, err)
	}
}

func TestASessionIsShownFilesAndTheIndex(t *testing.T) {
	ctx := context.Background()
	tree := filestest.NewMemory()
	e := open(t, inTree(tree))
	editedByHand(t, e, tree, "AGENTS.md", "# How to work here\n\nRun make lint before you commit.\n")
	editedByHand(t, e, tree, "USER.md", "# About me\n\nI am called Mira.\n")
	write(t, e, strata.Candidate{Scope: strata.Global(), Path: "notes/project_port.md", Content: note("Port", "when the server starts")})
	followed(t, e)
	for kind, private := range map[strata.SessionKind]bool{strata.SessionMain: true, strata.SessionGroup: false} {
		c, err := e.Talk(ctx, sessions.Options{Session: "s-" + string(kind), Scope: strata.Global(), Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		text := c.Snapshot().Text
		if !strings.Contains(text, "AGENTS.md of global") || !strings.Contains(text, "make lint") {
			t.Errorf("%s: AGENTS.md is missing:\n%s", kind, text)
		}
		if got := strings.Contains(text, "Mira") && strings.Contains(text, "when the server starts"); got != private {
			t.Errorf("%s: shown USER.md and MEMORY.md: %v\n%s", kind, got, text)
		}
	}
}

// onDisk gives an engine files and a history on disk.
func onDisk(home string) func(*engine.Options) {
	return func(o *engine.Options) {
		tree := workspace.NewTree(home, nil)
		o.Tree, o.History = tree, githistory.New(tree.Root, nil)
	}
}

func TestCheckpointsAreCommits(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	e := openAt(t, filepath.Join(home, "strata.db"), onDisk(home))
	d := save(t, e, "Apples are in the barn")
	first, err := e.Checkpoint(ctx, strata.Global(), "before the\nmove", "coder")
	if err != nil || first.ID == "" || first.Subject != "checkpoint: before the move" || !strings.HasPrefix(first.Author, "coder") {
		t.Fatalf("checkpoint = %+v, %v", first, err)
	}
	again, err := e.Checkpoint(ctx, strata.Global(), "", "")
	if err != nil || again.ID != "" || again.Skipped == "" {
		t.Errorf("nothing changed: %+v, %v", again, err)
	}
	log, err := e.History(ctx, strata.Global(), 0, true)
	if err != nil || len(log.Commits) == 0 || log.Commits[0].ID != first.ID {
		t.Errorf("history = %+v, %v", log, err)
	}
	secret := filepath.Join(home, "global", "notes")
	if err := os.MkdirAll(secret, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(secret, "project_key.md"), []byte("The database is at postgres://admin:s3cr3tPassw0rd@db.local/prod\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	third, err := e.Checkpoint(ctx, strata.Global(), "", "")
	if err != nil || len(third.LeftOut) != 1 || third.LeftOut[0].Path != "notes/project_key.md" {
		t.Errorf("with a secret: %+v, %v", third, err)
	}
	res, err := e.Forget(ctx, strata.Global().View(), d.FactID, engine.ForgetOptions{})
	if err != nil || len(res.History.Commits) == 0 || !strings.Contains(strings.Join(res.Remaining, " "), first.ID) {
		t.Fatalf("forget = %+v, %v", res, err)
	}
}

func TestForgetCanPurgeTheHistory(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	e := openAt(t, filepath.Join(home, "strata.db"), onDisk(home))
	d := save(t, e, "Apples are in the barn")
	if _, err := e.Checkpoint(ctx, strata.Global(), "one", ""); err != nil {
		t.Fatal(err)
	}
	save(t, e, "Pears are in the cellar")
	if _, err := e.Checkpoint(ctx, strata.Global(), "two", ""); err != nil {
		t.Fatal(err)
	}
	res, err := e.Forget(ctx, strata.Global().View(), d.FactID, engine.ForgetOptions{PurgeHistory: true})
	if err != nil || res.History.Rewritten == 0 || len(res.History.Commits) != 0 || len(res.Remaining) != 0 {
		t.Fatalf("forget = %+v, %v", res, err)
	}
	log, err := e.History(ctx, strata.Global(), 10, true)
	if err != nil || strings.Contains(log.Diff, "Apples") || len(log.Commits) < 3 {
		t.Errorf("history = %+v, %v", log, err)
	}
}

func TestFilesAreRecordedWhenASessionAndTheEngineClose(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	db := filepath.Join(home, "strata.db")
	e := openAt(t, db, onDisk(home))
	if _, err := e.OpenSession(ctx, strata.Session{ID: "s1", Scope: strata.Global(), Kind: strata.SessionMain}); err != nil {
		t.Fatal(err)
	}
	save(t, e, "Apples are in the barn")
	if err := e.CloseSession(ctx, strata.Global(), "s1"); err != nil {
		t.Fatal(err)
	}
	subjects := func(e *engine.Engine) (out []string) {
		log, err := e.History(ctx, strata.Global(), 10, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range log.Commits {
			out = append(out, c.Subject)
		}
		return out
	}
	if got := subjects(e); len(got) == 0 || got[0] != "session-close" {
		t.Errorf("after the session: %q", got)
	}
	save(t, e, "Pears are in the cellar")
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = openAt(t, db, onDisk(home))
	if got := subjects(e); len(got) < 2 || got[0] != "close" {
		t.Errorf("after the close: %q", got)
	}
	before := len(subjects(e))
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = openAt(t, db, onDisk(home))
	if got := subjects(e); len(got) != before {
		t.Errorf("a close without changes made a commit: %q", got)
	}
}

// What another process wrote is recorded at the end of a session, and when an
// engine closes that watched.
func TestWhatOtherProcessesWroteIsRecordedToo(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	db := filepath.Join(home, "strata.db")
	other := func(title string) { // as strata remember does, in a process of its own
		e := openAt(t, db, onDisk(home), func(o *engine.Options) { o.LeaveUnrecorded = true })
		remember(t, e, strata.Global(), title, "Text of "+title+".")
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(e *engine.Engine, path string) bool {
		log, err := e.History(ctx, strata.Global(), 10, true)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(log.Diff, path)
	}
	e := openAt(t, db, onDisk(home))
	if _, err := e.OpenSession(ctx, strata.Session{ID: "s1", Scope: strata.Global(), Kind: strata.SessionMain}); err != nil {
		t.Fatal(err)
	}
	other("First")
	if err := e.CloseSession(ctx, strata.Global(), "s1"); err != nil {
		t.Fatal(err)
	}
	if !holds(e, "notes/project_first.md") {
		t.Error("the commit at the end of the session lacks what another process wrote")
	}
	other("Second")
	if err := e.Watch(ctx, strata.Global().View()); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if again := openAt(t, db, onDisk(home)); !holds(again, "notes/project_second.md") {
		t.Error("the commit at the end lacks what another process wrote")
	}
}

// brokenHistory is a history that cannot be written.
type brokenHistory struct{ files.History }

func (brokenHistory) Commit(context.Context, strata.Scope, files.Message, func(string, []byte) error) (files.Commit, error) {
	return files.Commit{}, errors.New("object database is damaged")
}

func TestAHistoryThatFailsIsToldAndStopsNothing(t *testing.T) {
	ctx := context.Background()
	tree := filestest.NewMemory()
	e := open(t, inTree(tree), func(o *engine.Options) { o.History = brokenHistory{} })
	if _, err := e.OpenSession(ctx, strata.Session{ID: "s1", Scope: strata.Global(), Kind: strata.SessionMain}); err != nil {
		t.Fatal(err)
	}
	save(t, e, "Apples are in the barn")
	if err := e.CloseSession(ctx, strata.Global(), "s1"); err != nil {
		t.Fatal(err)
	}
	report, err := e.Doctor(ctx, nil)
	if err != nil || len(report.Problems) != 1 || !strings.Contains(report.Problems[0].Detail, "damaged") {
		t.Errorf("doctor = %+v, %v", report.Problems, err)
	}
	if _, err := e.Checkpoint(ctx, strata.Global(), "", ""); err == nil {
		t.Error("a checkpoint that failed was no error")
	}
}
