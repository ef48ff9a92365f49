package engine_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/backup/transfer"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
	"github.com/strata-memory/strata/workspace"
)

// inHome has an engine keep transcripts in a home.
func inHome(home string) func(*engine.Options) {
	return func(o *engine.Options) { o.Transcripts = workspace.NewTranscripts(home, nil) }
}

// openHome opens an engine with database and transcripts in a directory.
func openHome(t *testing.T, home string) *engine.Engine {
	t.Helper()
	return openAt(t, filepath.Join(home, "strata.db"), inHome(home))
}

// sameTurns fails the test unless two lists of turns say the same.
func sameTurns(t *testing.T, got, want []strata.Turn) {
	t.Helper()
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("turns\n got %s\nwant %s", g, w)
	}
}

func TestClosingWritesTheTranscriptOnce(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	e := openHome(t, home)
	appendTurns(t, e, "one", []strata.Turn{
		{Role: strata.RoleUser, Text: "What is in a <b>?\n", Images: []strata.Image{{MediaType: "image/png", Data: []byte{0, 255}}}},
		{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "c1", Name: "look", Arguments: `{"at":"b"}`}}},
		{Role: strata.RoleTool, CallID: "c1", Tool: "look", Failed: true, Text: "no eyes"},
	})
	_, err := e.OpenTranscript(ctx, strata.Global(), "one")
	wantCode(t, err, strata.CodeNotFound)
	for range 2 {
		if err := e.CloseSession(ctx, strata.Global(), "one"); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(home, "global", "transcripts", "one.jsonl")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	want, err := e.Turns(ctx, strata.Global().View(), "one", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, turns, err := e.Transcript(ctx, strata.Global(), "one")
	if err != nil || s.ID != "one" || s.Turns != 3 || s.ClosedAt == nil {
		t.Fatalf("session %+v, %v", s, err)
	}
	sameTurns(t, turns, want)
	if err := os.Truncate(file, info.Size()-10); err != nil {
		t.Fatal(err)
	}
	_, _, err = e.Transcript(ctx, strata.Global(), "one")
	wantCode(t, err, strata.CodeCorrupt)
	_, err = e.AppendTurns(ctx, strata.Global(), "one", "", talk("late"))
	wantCode(t, err, strata.CodeConflict)
	healthy(t, e)
}

// refusing keeps no transcripts as long as it refuses.
type refusing struct {
	files.Transcripts
	err error
}

func (r *refusing) Write(ctx context.Context, place string, c files.Content) error {
	if r.err != nil {
		return r.err
	}
	return r.Transcripts.Write(ctx, place, c)
}

func TestATranscriptThatFailedFollowsAtTheNextOpen(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	full := &strata.Error{Code: strata.CodeFull, Message: "no room", Hint: "make some"}
	e := openAt(t, filepath.Join(home, "strata.db"), func(o *engine.Options) {
		o.Transcripts = &refusing{workspace.NewTranscripts(home, nil), full}
	})
	appendTurns(t, e, "one", talk("Good night"))
	wantCode(t, e.CloseSession(ctx, strata.Global(), "one"), strata.CodeFull)
	s, err := e.Session(ctx, strata.Global(), "one")
	if err != nil || s.ClosedAt == nil {
		t.Errorf("the session is not closed: %+v, %v", s, err)
	}
	if report, err := e.Doctor(ctx, nil); err != nil || report.Waiting != 1 {
		t.Errorf("doctor: %+v, %v", report, err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	again := openHome(t, home)
	if _, turns, err := again.Transcript(ctx, strata.Global(), "one"); err != nil || len(turns) != 1 {
		t.Errorf("%+v, %v", turns, err)
	}
}

func TestATranscriptOfSomebodyElseIsNotOverwritten(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	e := openHome(t, home)
	appendTurns(t, e, "one", talk("Good night"))
	file := filepath.Join(home, "global", "transcripts", "one.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantCode(t, e.CloseSession(ctx, strata.Global(), "one"), strata.CodeConflict)
	if got, err := os.ReadFile(file); err != nil || string(got) != "mine" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	report, err := e.Doctor(ctx, nil)
	if err != nil || len(report.Problems) != 1 || report.Problems[0].Kind != "transcript_set_aside" || report.Waiting != 0 {
		t.Errorf("doctor: %+v, %v", report, err)
	}
}

func TestForgetRewritesTranscripts(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	e := openHome(t, home)
	view := strata.Global().View()
	appendTurns(t, e, "one", []strata.Turn{
		{Role: strata.RoleUser, Text: "My cat's name is Whiskerino"},
		{Role: strata.RoleAssistant, Text: "Noted.", Calls: []strata.ToolCall{{ID: "c", Name: "note", Arguments: `{"text":"My cat's name is Whiskerino"}`}}},
		{Role: strata.RoleUser, Text: "And I like tea"},
	})
	appendTurns(t, e, "two", talk("Another matter"))
	for _, s := range []string{"one", "two"} {
		if err := e.CloseSession(ctx, strata.Global(), s); err != nil {
			t.Fatal(err)
		}
	}
	d := save(t, e, "My cat's name is Whiskerino")
	res, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{})
	if err != nil || len(res.Turns) != 2 || len(res.Remaining) != 0 || len(res.Transcripts) != 1 {
		t.Fatalf("forgotten = %+v, %v", res, err)
	}
	if found := grep(t, home, "whiskerino"); len(found) > 0 {
		t.Errorf("the text still stands in %v", found)
	}
	_, turns, err := e.Transcript(ctx, strata.Global(), "one")
	if err != nil || len(turns) != 3 || turns[2].Text != "And I like tea" || turns[1].Calls[0].ID != "c" {
		t.Errorf("transcript %+v, %v", turns, err)
	}
	healthy(t, e)
}

// What is known of the user is global and was said in a project: its turn goes with the
// fact where the project is at hand, and is named where it is another.
func TestForgetTakesTheTurnsOfTheProjectAtHand(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	roots := map[string]string{"w1": t.TempDir(), "w2": t.TempDir()}
	for _, root := range roots {
		if err := os.Mkdir(filepath.Join(root, ".strata"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	e := openAt(t, filepath.Join(home, "strata.db"), func(o *engine.Options) { o.Transcripts = workspace.NewTranscripts(home, roots) })
	here, other := strata.InWorkspace("w1"), strata.InWorkspace("w2")
	var sources []string
	for _, s := range []strata.Scope{here, other} {
		turns, err := e.AppendTurns(ctx, s, "one", "", talk("It is the Whiskerino that I like best"))
		if err != nil {
			t.Fatal(err)
		}
		if err := e.CloseSession(ctx, s, "one"); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, turns[0].ID)
	}
	d := write(t, e, strata.Candidate{Scope: strata.Global(), Type: strata.TypeUser, Content: "The user's cat is a Whiskerino", Sources: sources})
	view := strata.View{Scopes: []strata.Scope{here, strata.Global()}}
	res, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{})
	if err != nil || !slices.Equal(res.Turns, sources[:1]) || !slices.Equal(res.Remaining, []string{other.Key() + "/" + sources[1]}) {
		t.Fatalf("forgotten = %+v, %v", res, err)
	}
	if found := grep(t, roots["w1"], "whiskerino"); len(found) > 0 {
		t.Errorf("the text still stands in %v", found)
	}
	if found := grep(t, roots["w2"], "whiskerino"); len(found) == 0 {
		t.Error("the transcript of another project was written anew")
	}
	healthy(t, e)
}

func TestForgetNamesTranscriptsOutOfReach(t *testing.T) {
	home, root, ctx := t.TempDir(), t.TempDir(), context.Background()
	if err := os.Mkdir(filepath.Join(root, ".strata"), 0o700); err != nil {
		t.Fatal(err)
	}
	db, scope := filepath.Join(home, "strata.db"), strata.InWorkspace("w1")
	atHand := func(o *engine.Options) {
		o.Transcripts = workspace.NewTranscripts(home, map[string]string{"w1": root})
	}
	e := openAt(t, db, atHand)
	if _, err := e.AppendTurns(ctx, scope, "one", "", talk("The safe is behind the painting")); err != nil {
		t.Fatal(err)
	}
	if err := e.CloseSession(ctx, scope, "one"); err != nil {
		t.Fatal(err)
	}
	d := write(t, e, strata.Candidate{Scope: scope, Content: "The safe is behind the painting"})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if found := grep(t, root, "painting"); len(found) != 1 {
		t.Fatalf("the transcript is in %v", found)
	}
	elsewhere := openHome(t, home)
	res, err := elsewhere.Forget(ctx, scope.View(), d.FactID, engine.ForgetOptions{})
	if err != nil || len(res.Remaining) != 1 || !strings.Contains(res.Remaining[0], "workspace/w1/transcripts/one.jsonl") {
		t.Fatalf("remaining = %q, %v", res.Remaining, err)
	}
	if err := elsewhere.Close(); err != nil {
		t.Fatal(err)
	}
	openAt(t, db, atHand) // the next process in the workspace finishes it
	if found := grep(t, root, "painting"); len(found) > 0 {
		t.Errorf("the text still stands in %v", found)
	}
}

// damage changes the database behind the engine's back.
func damage(t *testing.T, db, statement string) {
	t.Helper()
	raw, err := sql.Open("sqlite3", db)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

func TestADamagedStateIsSetAside(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	e := openHome(t, home)
	scope := strata.Global()
	wantCode(t, e.PutSessionState(ctx, scope, "one", []byte(`{}`)), strata.CodeNotFound)
	if _, err := e.OpenSession(ctx, strata.Session{ID: "one", Scope: scope}); err != nil {
		t.Fatal(err)
	}
	_, err := e.SessionState(ctx, scope, "one")
	wantCode(t, err, strata.CodeNotFound)
	if err := e.PutSessionState(ctx, scope, "one", []byte(`{"cursor":17}`)); err != nil {
		t.Fatal(err)
	}
	damage(t, filepath.Join(home, "strata.db"), `UPDATE session_state SET data = X'7B22'`)
	_, err = e.SessionState(ctx, scope, "one")
	wantCode(t, err, strata.CodeCorrupt)
	report, err := e.Doctor(ctx, nil)
	if err != nil || len(report.Problems) != 1 || report.Problems[0].Kind != "damaged_state" {
		t.Errorf("doctor: %+v, %v", report, err)
	}
	if err := e.SetSessionStateAside(ctx, scope, "one", "the checksum is wrong"); err != nil {
		t.Fatal(err)
	}
	_, err = e.SessionState(ctx, scope, "one")
	wantCode(t, err, strata.CodeNotFound)
	aside, err := e.StatesAside(ctx, scope, "one")
	if err != nil || len(aside) != 1 || aside[0].Reason != "the checksum is wrong" || string(aside[0].Data) != `{"` {
		t.Errorf("%+v, %v", aside, err)
	}
	healthy(t, e)
}

func TestNoSecretReachesTheDiskThroughASession(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	e := openHome(t, home)
	scope, secret := strata.Global(), "ghp_"+strings.Repeat("a1B2", 9)
	turns := appendTurns(t, e, "one", []strata.Turn{
		{Role: strata.RoleAssistant, Text: "Logging in", Calls: []strata.ToolCall{
			{ID: "c", Name: "login", Arguments: `{"user": "ann",  "token": "` + secret + `"}`},
			{ID: "d", Name: "login", Arguments: `{"password": "hunter2!", "n": 1`},
		}},
		{Role: strata.RoleTool, CallID: "c", Tool: "login", Text: "bad credentials: " + secret, Failed: true},
	})
	if got := turns[0].Calls[0].Arguments; got != `{"user": "ann",  "token": "[redacted:github-token]"}` || turns[0].Redacted != 2 {
		t.Errorf("arguments %s, %d redacted", got, turns[0].Redacted)
	}
	if err := e.PutSessionState(ctx, scope, "one", []byte(`{"last":"`+secret+`"}`)); err != nil {
		t.Fatal(err)
	}
	wantCode(t, e.PutSessionState(ctx, scope, "one", []byte("plain "+secret)), strata.CodeRejectedSecret)
	if _, err := e.PutSnapshot(ctx, strata.Snapshot{Scope: scope, Session: "one", Text: "use " + secret}); err != nil {
		t.Fatal(err)
	}
	l, err := e.Learn(ctx, scope, strata.Learning{Kind: strata.LearningError, Key: "login " + secret, Tool: "login", Text: "rejected " + secret,
		Context: "password: hunter2!"})
	if err != nil || !strings.HasPrefix(l.ID, "lrn_") {
		t.Fatalf("%+v, %v", l, err)
	}
	err = e.RecordOutcome(ctx, scope, strata.ToolOutcome{Session: "one", Tool: "login", Params: "00112233aabbccdd", Error: "rejected " + secret})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SetSessionStateAside(ctx, scope, "one", "holds "+secret); err != nil {
		t.Fatal(err)
	}
	if err := e.CloseSession(ctx, scope, "one"); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{secret, "hunter2"} {
		if found := grep(t, home, s); len(found) > 0 {
			t.Errorf("%s stands in %v", s, found)
		}
	}
}

func TestRepeatedLearningsMerge(t *testing.T) {
	e := open(t)
	ctx, view := context.Background(), strata.Global().View()
	for _, text := range []string{"exit status 1", "exit status 1 (again)"} {
		if _, err := e.Learn(ctx, strata.Global(), strata.Learning{Kind: strata.LearningError, Key: "run: exit status", Tool: "run", Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Learn(ctx, strata.Global(), strata.Learning{Kind: strata.LearningCorrection, Key: "k", Text: "No, use tabs"}); err != nil {
		t.Fatal(err)
	}
	list, err := e.Learnings(ctx, view, strata.LearningError, 0)
	if err != nil || len(list) != 1 || list[0].Count != 2 || list[0].Text != "exit status 1 (again)" {
		t.Errorf("%+v, %v", list, err)
	}
	list, err = e.Learnings(ctx, view, "", 0)
	if err != nil || len(list) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
	_, err = e.Learnings(ctx, view, "wins", 0)
	wantCode(t, err, strata.CodeInvalid)
	d := save(t, e, "No, use tabs")
	if _, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	_, err = e.Learn(ctx, strata.Global(), strata.Learning{Kind: strata.LearningCorrection, Key: "k", Text: "no, use TABS"})
	wantCode(t, err, strata.CodeForgotten)
	healthy(t, e)
}

func TestASubSessionKnowsItsParent(t *testing.T) {
	e := open(t)
	ctx, scope := context.Background(), strata.Global()
	appendTurns(t, e, "top", talk("Find it"))
	s, err := e.OpenSession(ctx, strata.Session{ID: "below", Scope: scope, Kind: strata.SessionSub, Parent: "top"})
	if err != nil || s.Parent != "top" || s.Kind != strata.SessionSub {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := e.AppendTurns(ctx, scope, "below", strata.SessionSub, talk("Found")); err != nil {
		t.Fatal(err)
	}
	list, err := e.SubSessions(ctx, scope, "top", 0)
	if err != nil || len(list) != 1 || list[0].Turns != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestEverythingOfASessionMoves(t *testing.T) {
	ctx, scope := context.Background(), strata.Global()
	fromHome, toHome := t.TempDir(), t.TempDir()
	from, to := openHome(t, fromHome), openHome(t, toHome)
	if _, err := from.OpenSession(ctx, strata.Session{ID: "one", Scope: scope, Kind: strata.SessionSub, Parent: "top"}); err != nil {
		t.Fatal(err)
	}
	appendTurns(t, from, "one", []strata.Turn{
		{Role: strata.RoleUser, Text: "Look", Images: []strata.Image{{MediaType: "image/png", Data: bytes.Repeat([]byte{7}, 100_000)}}},
		{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "c", Name: "look"}}},
	})
	for _, err := range []error{
		from.PutSessionState(ctx, scope, "one", []byte(`{"cursor":1}`)),
		from.RecordOutcome(ctx, scope, strata.ToolOutcome{Tool: "look", Params: "0011223344556677", OK: true}),
		from.CloseSession(ctx, scope, "one"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := from.PutSnapshot(ctx, strata.Snapshot{Scope: scope, Session: "one", Generation: 4, Text: "You know nothing"}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := from.Learn(ctx, scope, strata.Learning{Kind: strata.LearningCorrection, Key: "k", Text: "No, use tabs"}); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	out, err := from.Export(ctx, nil, &file)
	if err != nil || out.Rows["learning"]+out.Rows["tool_outcome"] != 2 {
		t.Fatalf("export = %+v, %v", out, err)
	}
	for i, want := range []transfer.Imported{{Turns: 2, Learnings: 2}, {Known: 4}} {
		in, err := to.Import(ctx, bytes.NewReader(file.Bytes()), transfer.Options{})
		if err != nil || in != want {
			t.Errorf("import %d = %+v, %v", i+1, in, err)
		}
	}
	if err := to.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	a, err := from.Session(ctx, scope, "one")
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := to.Transcript(ctx, scope, "one")
	if err != nil || b.Parent != "top" || b.Kind != a.Kind || b.Turns != 2 || !b.ClosedAt.Equal(*a.ClosedAt) || !b.StartedAt.Equal(a.StartedAt) {
		t.Errorf("session %+v became %+v, %v", a, b, err)
	}
	turns, err := to.Turns(ctx, scope.View(), "one", 0, 0)
	if err != nil || len(turns[0].Images[0].Data) != 100_000 || turns[1].Calls[0].Name != "look" {
		t.Errorf("turns %+v, %v", turns[1:], err)
	}
	state, err := to.SessionState(ctx, scope, "one")
	if err != nil || string(state) != `{"cursor":1}` {
		t.Errorf("state %s, %v", state, err)
	}
	snapshot, err := to.Snapshot(ctx, scope, "one")
	if err != nil || snapshot.Generation != 4 || snapshot.Text != "You know nothing" {
		t.Errorf("snapshot %+v, %v", snapshot, err)
	}
	learnings, err := to.Learnings(ctx, scope.View(), "", 0)
	if err != nil || len(learnings) != 1 || learnings[0].Count != 3 {
		t.Errorf("learnings %+v, %v", learnings, err)
	}
	healthy(t, to)
}

func TestTracesAreShownBySessionAndTurn(t *testing.T) {
	e := open(t)
	ctx, view := context.Background(), strata.Global().View()
	save(t, e, "The ferry leaves at six")
	for turn := range 3 {
		if _, err := e.Query(ctx, strata.Query{View: view, Text: fmt.Sprint("ferry ", turn), Session: "one", Turn: int64(turn + 1)}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := e.Traces(ctx, view, store.TraceFilter{Session: "one", Turn: 2})
	if err != nil || len(list) != 1 || list[0].Query != "ferry 1" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestAToolsFileIsFoundByItsCall(t *testing.T) {
	e := open(t)
	appendTurns(t, e, "one", []strata.Turn{
		{Role: strata.RoleUser, Text: "Please have a look"},
		{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "c", Name: "read_file", Arguments: `{"path":"harbor_master.go"}`}}},
	})
	res, err := e.Search(context.Background(), strata.Global().View(), "harbor_master.go")
	if err != nil || len(res.Hits) == 0 || res.Hits[0].Text != "called read_file path harbor_master.go" {
		t.Errorf("%+v, %v", res.Hits, err)
	}
	healthy(t, e)
}
