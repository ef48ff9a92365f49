package engine_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/recall/reopen"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/workspace"
)

// openArchiving opens an engine with database, transcripts and archives in a directory.
func openArchiving(t *testing.T, home string, more ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	archives := func(o *engine.Options) { o.Archives = workspace.NewArchives(home) }
	return openAt(t, filepath.Join(home, "strata.db"), append([]func(*engine.Options){inHome(home), archives}, more...)...)
}

func archive(t *testing.T, e *engine.Engine) sessions.Pruned {
	t.Helper()
	out, err := e.ArchiveSessions(context.Background(), strata.Global().View(), everyClosed)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// archived returns what the archives of a home hold, by the names of their files.
func archived(t *testing.T, home string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".gz") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		zip, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return err
		}
		text, err := io.ReadAll(zip)
		out[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// spoken is a conversation with everything that a turn may have.
func spoken() []strata.Turn {
	turns := talk("The password hint is opalescent", "Noted")
	turns[0].Images = []strata.Image{{MediaType: "image/png", Data: []byte{0, 255, 7}}}
	turns[1].Calls = []strata.ToolCall{{ID: "c1", Name: "look", Arguments: `{"at":"b"}`}}
	return append(turns, strata.Turn{Role: strata.RoleTool, CallID: "c1", Tool: "look", Failed: true, Text: strings.Repeat("no eyes for it. ", 200), At: turns[0].At})
}

func TestArchiveTakesAwayAndRestoreBringsBackTheSame(t *testing.T) {
	home, ctx, view := t.TempDir(), context.Background(), strata.Global().View()
	e := openArchiving(t, home)
	appendTurns(t, e, "old", spoken())
	appendTurns(t, e, "open", talk("The museum is closed on Mondays"))
	closeAll(t, e, "old")
	before, err := e.Turns(ctx, view, "old", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := archive(t, e)
	if len(out.Sessions) != 1 || out.Sessions[0].ID != "old" || len(out.Skipped) != 0 || out.Left != 0 {
		t.Fatalf("archive = %+v", out)
	}
	if found := grep(t, filepath.Join(home, "global"), "opalescent"); len(found) != 0 {
		t.Errorf("what was said still stands uncompressed in %v", found)
	}
	if files := archived(t, home); len(files) != 1 {
		t.Errorf("archives = %v", files)
	}
	turns, err := e.Turns(ctx, view, "old", 0, 0)
	if err != nil || len(turns) != 3 || !turns[0].Archived() || turns[0].Pruned() {
		t.Errorf("turns = %+v, %v", turns, err)
	}
	page, err := e.Expand(ctx, reopen.Request{View: view, Session: "old", From: 1, To: 1, Tokens: 1000})
	if err != nil || len(page.Turns) != 1 || !strings.Contains(strings.Join(page.Turns[0].Notes, ""), "strata sessions restore old") {
		t.Errorf("expand = %+v, %v", page, err)
	}
	if again := archive(t, e); len(again.Sessions) != 0 {
		t.Errorf("a second time = %+v", again)
	}
	sameTranscript(t, e, "old")
	healthy(t, e)

	back, err := e.RestoreSession(ctx, view, "old")
	if err != nil || back.Turns != 3 {
		t.Fatalf("restore = %+v, %v", back, err)
	}
	after, err := e.Turns(ctx, view, "old", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	sameTurns(t, after, before)
	if res, err := e.Search(ctx, view, "opalescent password hint"); err != nil || len(res.Hits) == 0 {
		t.Errorf("a search finds %+v, %v", res, err)
	}
	if files := archived(t, home); len(files) != 0 {
		t.Errorf("archives that stay: %v", files)
	}
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	sameTranscript(t, e, "old")
	_, err = e.RestoreSession(ctx, view, "old")
	wantCode(t, err, strata.CodeNotFound)
	healthy(t, e)
	if again := archive(t, e); len(again.Sessions) != 1 {
		t.Errorf("archived anew = %+v", again)
	}
}

// An archive that is not what was written is never taken for one.
func TestADamagedArchiveRestoresNothing(t *testing.T) {
	home, ctx, view := t.TempDir(), context.Background(), strata.Global().View()
	e := openArchiving(t, home)
	appendTurns(t, e, "old", spoken())
	closeAll(t, e, "old")
	archive(t, e)
	for path := range archived(t, home) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := range data {
			data[at] ^= 0x10
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := e.RestoreSession(ctx, view, "old")
			wantCode(t, err, strata.CodeCorrupt)
			data[at] ^= 0x10
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if turns, err := e.Turns(ctx, view, "old", 0, 0); err != nil || !turns[0].Archived() {
		t.Errorf("turns = %+v, %v", turns, err)
	}
	if back, err := e.RestoreSession(ctx, view, "old"); err != nil || back.Turns != 3 {
		t.Errorf("restore = %+v, %v", back, err)
	}
}

func TestForgetReachesIntoArchives(t *testing.T) {
	home, ctx, view := t.TempDir(), context.Background(), strata.Global().View()
	e := openArchiving(t, home)
	appendTurns(t, e, "old", talk("My sister Nora lives in Bergen", "Noted", "The tiles are blue"))
	appendTurns(t, e, "other", talk("The museum is closed on Mondays"))
	closeAll(t, e, "old", "other")
	d, err := e.Save(ctx, strata.Global(), "My sister Nora lives in Bergen")
	if err != nil {
		t.Fatal(err)
	}
	if out := archive(t, e); len(out.Sessions) != 2 {
		t.Fatalf("archive = %+v", out)
	}
	dry, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{DryRun: true})
	if err != nil || len(dry.Turns) != 1 {
		t.Errorf("a dry run says %+v, %v", dry.Turns, err)
	}
	held := 0
	for _, text := range archived(t, home) {
		held += strings.Count(text, "Bergen")
	}
	if held != 1 {
		t.Fatalf("the archives hold it %d times after the dry run", held)
	}
	res, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{})
	if err != nil || len(res.Turns) != 1 || len(res.Remaining) != 0 || res.Failed != nil {
		t.Errorf("forget = %+v, %v", res, err)
	}
	files := archived(t, home)
	if len(files) != 2 {
		t.Errorf("archives = %v", files)
	}
	for path, text := range files {
		if strings.Contains(text, "Bergen") {
			t.Errorf("%s still holds it: %s", path, text)
		}
	}
	back, err := e.RestoreSession(ctx, view, "old")
	if err != nil || back.Turns != 2 {
		t.Errorf("restore = %+v, %v", back, err)
	}
	turns, err := e.Turns(ctx, view, "old", 0, 0)
	if err != nil || turns[0].Text != strata.ForgottenText || turns[2].Text != "The tiles are blue" {
		t.Errorf("turns = %+v, %v", turns, err)
	}
	healthy(t, e)
}

// What people said in another scope stays there, and is named, as it is while its session is
// not archived.
func TestForgetNamesArchivesOfOtherScopes(t *testing.T) {
	ctx, project := context.Background(), strata.InWorkspace("w1")
	e := openArchiving(t, t.TempDir())
	turns, err := e.AppendTurns(ctx, project, "old", strata.SessionMain, talk("Remember that my sister Nora moved to Bergen", "Noted"))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.CloseSession(ctx, project, "old"); err != nil {
		t.Fatal(err)
	}
	d, err := e.Write(ctx, strata.Candidate{Scope: strata.Global(), Content: "Nora's home is Bergen", Type: strata.TypeUser, Sources: []string{turns[0].ID}})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := e.ArchiveSessions(ctx, project.View(), everyClosed); err != nil || len(out.Sessions) != 1 {
		t.Fatalf("archive = %+v, %v", out, err)
	}
	for _, dryRun := range []bool{true, false} {
		confined, err := e.Forget(ctx, strata.Global().View(), d.FactID, engine.ForgetOptions{DryRun: true, Within: strata.Global().View().Scopes})
		if err != nil || len(confined.Remaining) != 0 {
			t.Errorf("within one scope forget = %+v, %v", confined, err)
		}
		res, err := e.Forget(ctx, strata.Global().View(), d.FactID, engine.ForgetOptions{DryRun: dryRun})
		if err != nil || !strings.Contains(strings.Join(res.Remaining, "\n"), "workspace/w1/archive") || res.Failed != nil {
			t.Errorf("forget = %+v, %v", res, err)
		}
	}
}

// What forget cannot look into is named.
func TestForgetNamesArchivesThatItCannotRead(t *testing.T) {
	home, ctx, view := t.TempDir(), context.Background(), strata.Global().View()
	e := openArchiving(t, home)
	appendTurns(t, e, "old", talk("My sister Nora lives in Bergen"))
	closeAll(t, e, "old")
	d, err := e.Save(ctx, strata.Global(), "My sister Nora lives in Bergen")
	if err != nil {
		t.Fatal(err)
	}
	archive(t, e)
	for path := range archived(t, home) {
		if err := os.Truncate(path, 40); err != nil {
			t.Fatal(err)
		}
	}
	res, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{})
	if err != nil || len(res.Remaining) != 1 || !strings.Contains(res.Remaining[0], "of session old") || res.Failed == nil {
		t.Errorf("forget = %+v, %v", res, err)
	}
}

func TestTheDiskBudgetTakesTheOldestArchivesAndNoFact(t *testing.T) {
	home, ctx, view := t.TempDir(), context.Background(), strata.Global().View()
	var now atomic.Int64
	now.Store(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).UnixNano())
	clock := func(o *engine.Options) { o.Now = func() time.Time { return time.Unix(0, now.Load()) } }
	e := openArchiving(t, home, clock)
	if _, err := e.Save(ctx, strata.Global(), "My sister Nora lives in Bergen"); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"a", "b"} {
		appendTurns(t, e, s, spoken())
		closeAll(t, e, s)
		now.Add(int64(time.Hour))
		archive(t, e)
	}
	use, err := e.DiskUse(ctx)
	if err != nil || use.Sessions != 2 || use.Archives == 0 || use.Database == 0 {
		t.Fatalf("use = %+v, %v", use, err)
	}
	gone, err := e.ExpireArchives(ctx, view, use.Archives-1, false)
	if err != nil || len(gone) != 1 || gone[0].ID != "a" {
		t.Errorf("gone = %+v, %v", gone, err)
	}
	if turns, err := e.Turns(ctx, view, "a", 0, 0); err != nil || !turns[0].Pruned() {
		t.Errorf("turns = %+v, %v", turns, err)
	}
	if len(archived(t, home)) != 1 {
		t.Errorf("archives = %v", archived(t, home))
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	// A budget that nothing fits takes all archives, by itself, and no fact.
	e = openArchiving(t, home, clock, func(o *engine.Options) { o.Retention = engine.Retention{DiskBudget: 1} })
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if len(archived(t, home)) != 0 {
		t.Errorf("archives = %v", archived(t, home))
	}
	if facts, err := e.Facts(ctx, view, strata.FactFilter{}); err != nil || len(facts) != 1 {
		t.Errorf("facts = %+v, %v", facts, err)
	}
	healthy(t, e)
}

// The policy archives what is old enough, and nothing without one.
func TestThePolicyArchivesInTheBackground(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	e := openArchiving(t, home)
	appendTurns(t, e, "old", spoken())
	closeAll(t, e, "old")
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if len(archived(t, home)) != 0 {
		t.Fatal("it archives without a policy")
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for after, want := range map[time.Duration]int{1000 * time.Hour: 0, time.Nanosecond: 1} {
		e := openArchiving(t, home, func(o *engine.Options) { o.Retention.ArchiveAfter = after })
		if err := e.Drain(ctx); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if after == time.Nanosecond && len(archived(t, home)) != want || after != time.Nanosecond && len(archived(t, home)) > 1 {
			t.Errorf("after %v: %v", after, archived(t, home))
		}
	}
}

func TestRepairClosesWhatWasLeftOpen(t *testing.T) {
	home, ctx, view := t.TempDir(), context.Background(), strata.Global().View()
	var now atomic.Int64
	begun := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	now.Store(begun.UnixNano())
	e := openArchiving(t, home, func(o *engine.Options) { o.Now = func() time.Time { return time.Unix(0, now.Load()) } },
		func(o *engine.Options) { o.Dreams.Disabled = true })
	for _, s := range []string{"left", "used", "ahead"} {
		appendTurns(t, e, s, talk("We spoke of the tiles"))
	}
	if err := e.PutSessionState(ctx, strata.Global(), "ahead", []byte(`{"version":1,"state":{"last":9}}`)); err != nil {
		t.Fatal(err)
	}
	now.Add(int64(30 * time.Hour))
	appendTurns(t, e, "fresh", talk("The museum is closed"))
	appendTurns(t, e, "ahead", talk("And they are blue"))
	used := func(s string) bool { return s == "used" }
	want := map[string]sessions.RepairProblem{"left": sessions.ProblemLeftOpen, "ahead": sessions.ProblemState}
	for _, dryRun := range []bool{true, false} {
		done, err := e.RepairSessions(ctx, view, sessions.RepairOptions{DryRun: dryRun, InUse: used})
		if err != nil || len(done) != len(want) {
			t.Fatalf("repair = %+v, %v", done, err)
		}
		for _, r := range done {
			if want[r.ID] != r.Problem || r.Detail == "" {
				t.Errorf("repair = %+v", r)
			}
		}
	}
	s, err := e.Session(ctx, strata.Global(), "left")
	if err != nil || s.ClosedAt == nil || !s.ClosedAt.Equal(begun) {
		t.Errorf("left = %+v, %v", s, err)
	}
	for _, name := range []string{"used", "fresh", "ahead"} {
		if s, err := e.Session(ctx, strata.Global(), name); err != nil || s.ClosedAt != nil {
			t.Errorf("%s = %+v, %v", name, s, err)
		}
	}
	if aside, err := e.StatesAside(ctx, strata.Global(), "ahead"); err != nil || len(aside) != 1 {
		t.Errorf("states aside = %+v, %v", aside, err)
	}
	if done, err := e.RepairSessions(ctx, view, sessions.RepairOptions{InUse: used}); err != nil || len(done) != 0 {
		t.Errorf("a second time = %+v, %v", done, err)
	}
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	sameTranscript(t, e, "left")
	healthy(t, e)
}
