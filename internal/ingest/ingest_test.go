package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ingest"
	"github.com/strata-memory/strata/internal/ingest/transcript"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// memory keeps turns by their ids, and decides to add a fact for each that is new.
type memory struct {
	sessions map[string]*strata.Session
	turns    map[string][]strata.Turn // by session
	fresh    int                      // turns that wait for their facts
}

func newMemory() *memory {
	return &memory{sessions: make(map[string]*strata.Session), turns: make(map[string][]strata.Turn)}
}

func (m *memory) FindSession(_ context.Context, view strata.View, session string) (strata.Session, error) {
	if s, ok := m.sessions[session]; ok && slices.Contains(view.Scopes, s.Scope) {
		return *s, nil
	}
	return strata.Session{}, strata.NotFound("find session", "session", session)
}

func (m *memory) NewTurns(_ context.Context, _ strata.Scope, turns []strata.Turn) ([]strata.Turn, error) {
	var out []strata.Turn
	for _, t := range turns {
		known := false
		for _, list := range m.turns {
			known = known || slices.ContainsFunc(list, func(k strata.Turn) bool { return k.ID == t.ID })
		}
		if !known {
			out = append(out, t)
		}
	}
	return out, nil
}

func (m *memory) AppendOnce(ctx context.Context, s strata.Session, turns []strata.Turn) ([]strata.Turn, error) {
	if old, ok := m.sessions[s.ID]; !ok {
		m.sessions[s.ID] = &s
	} else if old.ClosedAt != nil {
		return nil, &strata.Error{Code: strata.CodeConflict, Message: "the session is closed"}
	}
	added, err := m.NewTurns(ctx, s.Scope, turns)
	m.turns[s.ID] = append(m.turns[s.ID], added...)
	m.sessions[s.ID].Turns += int64(len(added))
	m.fresh += len(added)
	return added, err
}

// AppendRest takes all turns for new ones.
func (m *memory) AppendRest(_ context.Context, s strata.Session, turns []strata.Turn) ([]strata.Turn, int, error) {
	m.turns[s.ID] = append(m.turns[s.ID], turns...)
	m.fresh += len(turns)
	return turns, 0, nil
}

func (m *memory) ExtractNew(context.Context, strata.Scope, string) ([]strata.Decision, error) {
	out := make([]strata.Decision, m.fresh)
	for i := range out {
		out[i].Op = strata.OpAdd
	}
	m.fresh = 0
	return out, nil
}

func (m *memory) PreviewFacts(_ context.Context, _ strata.Session, turns []strata.Turn) ([]strata.Decision, error) {
	return slices.Repeat([]strata.Decision{{Op: strata.OpNoop}}, len(turns)), nil
}

// said are the texts of the turns of a session.
func (m *memory) said(session string) (out []string) {
	for _, t := range m.turns[session] {
		out = append(out, t.Text)
	}
	return out
}

// everywhere places every conversation into the global scope.
func everywhere(context.Context, string) (strata.Scope, bool, error) {
	return strata.Global(), true, nil
}

// run takes lines of a transcript in.
func run(t *testing.T, m *memory, lines string, change ...func(*ingest.Options)) ingest.Report {
	t.Helper()
	o := ingest.Options{Place: everywhere, Now: noon, Session: "s"}
	for _, c := range change {
		c(&o)
	}
	r, err := ingest.Run(t.Context(), m, transcript.NewReader(strings.NewReader(lines)), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// line is a message of the user, said some minutes before noon.
func line(text string, minutes int) string {
	return fmt.Sprintf("{\"role\": \"user\", \"content\": %q, \"at\": %q}\n", text, noon.Add(-time.Duration(minutes)*time.Minute).Format(time.RFC3339))
}

// A transcript that is read again adds nothing, and a longer one its end.
func TestEachMessageIsTakenInOnce(t *testing.T) {
	m := newMemory()
	text := line("Yes.", 9) + line("My cat is called Tom.", 8) + line("Yes.", 7)
	for i, tt := range []struct {
		text         string
		added, known int64
	}{{text, 3, 0}, {text, 0, 3}, {text + line("Yes.", 6), 1, 3}} {
		r := run(t, m, tt.text)
		want := ingest.Session{ID: "s", Scope: strata.Global(), Added: tt.added, Known: tt.known}
		if len(r.Sessions) != 1 || r.Sessions[0] != want || r.Messages != tt.added+tt.known || r.Decided[strata.OpAdd] != tt.added || len(r.Notes) > 0 {
			t.Errorf("run %d: %+v", i+1, r)
		}
	}
	if got := m.said("s"); !slices.Equal(got, []string{"Yes.", "My cat is called Tom.", "Yes.", "Yes."}) {
		t.Errorf("kept is %q", got)
	}
	// Another that has the session's id is told of.
	if r := run(t, m, line("Yes.", 9)+line("Another.", 1)); len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "3 turns that are not in this transcript") {
		t.Errorf("of another transcript: %+v", r)
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	m := newMemory()
	run(t, m, line("One.", 3))
	r := run(t, m, line("One.", 3)+line("Two.", 2), func(o *ingest.Options) { o.DryRun = true })
	if r.Sessions[0].Added != 1 || r.Sessions[0].Known != 1 || r.Decided[strata.OpNoop] != 1 || len(m.said("s")) != 1 {
		t.Errorf("%+v; kept is %q", r, m.said("s"))
	}
}

// What is not kept is counted by its reason.
func TestWhatIsLeftOut(t *testing.T) {
	fence := "<memory-context>My dog is called Rex.</memory-context>"
	for name, tt := range map[string]struct {
		text   string
		change func(*ingest.Options)
		left   map[string]int64
		kept   []string
	}{
		"shown by another memory": {line(fence, 3) + line("Hello. "+fence, 2), nil, map[string]int64{ingest.LeftShown: 1}, []string{"Hello."}},
		"said before":             {line("Old.", 60) + line("New.", 5), func(o *ingest.Options) { o.Since = noon.Add(-10 * time.Minute) }, map[string]int64{ingest.LeftBefore: 1}, []string{"New."}},
		"of a project that takes none": {line("One.", 2) + line("Two.", 1), func(o *ingest.Options) {
			o.Place = func(context.Context, string) (strata.Scope, bool, error) { return strata.Scope{}, false, nil }
		}, map[string]int64{ingest.LeftPlace: 2}, nil},
	} {
		m := newMemory()
		if tt.change == nil {
			tt.change = func(*ingest.Options) {}
		}
		r := run(t, m, tt.text, tt.change)
		if !maps.Equal(r.Left, tt.left) || !slices.Equal(m.said("s"), tt.kept) {
			t.Errorf("%s: left out are %v, kept is %q", name, r.Left, m.said("s"))
		}
	}
}

// A session that is closed takes nothing more; what it has is known all the same.
func TestAClosedSessionIsLeftAsItIs(t *testing.T) {
	m := newMemory()
	run(t, m, line("One.", 3))
	closed := noon
	m.sessions["s"].ClosedAt = &closed
	r := run(t, m, line("One.", 3)+line("Two.", 2))
	if r.Left[ingest.LeftClosed] != 1 || r.Sessions[0].Known != 1 || r.Sessions[0].Added != 0 || len(m.said("s")) != 1 {
		t.Errorf("%+v", r)
	}
}

// A session has one scope, wherever a later part of it is taken in.
func TestASessionStaysInItsScope(t *testing.T) {
	m := newMemory()
	project := strata.InWorkspace("01JNB3Z0000123456789ABCDEF")
	run(t, m, line("One.", 3), func(o *ingest.Options) {
		o.Place = func(context.Context, string) (strata.Scope, bool, error) { return project, true, nil }
	})
	r := run(t, m, line("Two.", 2), func(o *ingest.Options) { o.View = strata.View{Scopes: []strata.Scope{project}} })
	if r.Sessions[0].Scope != project || len(m.said("s")) != 2 {
		t.Errorf("%+v", r)
	}
}

// A message that says no time has that of the one before, and none is of the future.
func TestTimesOfMessages(t *testing.T) {
	m := newMemory()
	start := noon.Add(-time.Hour)
	r := run(t, m, `{"role": "user", "content": "First."}`+"\n"+line("Second.", 30)+`{"role": "user", "content": "Third."}`+"\n"+line("Fourth.", -60*48),
		func(o *ingest.Options) { o.At = start })
	var got []time.Time
	for _, x := range m.turns["s"] {
		got = append(got, x.At.UTC())
	}
	half := noon.Add(-30 * time.Minute)
	if !slices.Equal(got, []time.Time{start, half, half, noon}) || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "future") {
		t.Errorf("the times are %v, notes %q", got, r.Notes)
	}
}

// A conversation without an id is known by what was said in it first, but for what the
// system says, which is the same in many.
func TestConversationsWithoutAnID(t *testing.T) {
	const system = `{"role": "system", "content": "Be brief."}` + "\n"
	unnamed := func(o *ingest.Options) { o.Session = "" }
	m := newMemory()
	session := func(text string) string {
		t.Helper()
		r := run(t, m, text, unnamed)
		if len(r.Sessions) != 1 {
			t.Fatalf("%q is in %+v", text, r.Sessions)
		}
		return r.Sessions[0].ID
	}
	tea, coffee := session(system+line("I drink tea.", 5)), session(system+line("I drink coffee.", 5))
	if tea == coffee || !slices.Equal(m.said(tea), []string{"Be brief.", "I drink tea."}) || !slices.Equal(m.said(coffee), []string{"Be brief.", "I drink coffee."}) {
		t.Errorf("kept is %v", m.turns)
	}
	if again := session(system + line("I drink tea.", 5) + line("And milk.", 4)); again != tea || len(m.said(tea)) != 3 {
		t.Errorf("a longer one is in %s, not in %s: %q", again, tea, m.said(tea))
	}
	if later := session(system + line("I drink tea.", 2)); later == tea {
		t.Error("one that began at another time is taken for the same")
	}
	if alone := session(system); !slices.Equal(m.said(alone), []string{"Be brief."}) {
		t.Errorf("where nobody spoke, kept is %q", m.said(alone))
	}
}

// What memory answers with an error ends a run with that error.
func TestErrorsOfMemoryEndTheRun(t *testing.T) {
	for _, fails := range []string{"find", "append", "place"} {
		m := broken{newMemory(), fails}
		o := ingest.Options{Session: "s", Now: noon, Place: func(context.Context, string) (strata.Scope, bool, error) {
			return strata.Global(), true, m.fail("place")
		}}
		_, err := ingest.Run(t.Context(), m, transcript.NewReader(strings.NewReader(line("One.", 1))), o)
		if !errors.Is(err, errBroken) || len(m.said("s")) > 0 {
			t.Errorf("%s: %v, kept is %q", fails, err, m.said("s"))
		}
	}
}

// broken is a memory of which one function fails.
type broken struct {
	*memory
	fails string
}

var errBroken = errors.New("the disk does not answer")

func (b broken) fail(what string) error {
	if b.fails == what {
		return errBroken
	}
	return nil
}

func (b broken) FindSession(ctx context.Context, view strata.View, session string) (strata.Session, error) {
	if err := b.fail("find"); err != nil {
		return strata.Session{}, err
	}
	return b.memory.FindSession(ctx, view, session)
}

func (b broken) AppendOnce(ctx context.Context, s strata.Session, turns []strata.Turn) ([]strata.Turn, error) {
	if err := b.fail("append"); err != nil {
		return nil, err
	}
	return b.memory.AppendOnce(ctx, s, turns)
}

func TestTurnsOfAConversationUnderWay(t *testing.T) {
	s := strata.Session{ID: "live", Scope: strata.Global()}
	say := func(id, text string) strata.Turn { return strata.Turn{ID: id, Role: strata.RoleUser, Text: text} }
	m := newMemory()
	for i, added := range []int64{2, 0} {
		r, err := ingest.Append(t.Context(), m, s, []strata.Turn{say("1", "One."), say("2", "Two."), say("3", "")})
		if err != nil || r.Messages != 3 || r.Left[ingest.LeftEmpty] != 1 || r.Sessions[0].Added != added || r.Sessions[0].Known != 2-added || r.Decided[strata.OpAdd] != added {
			t.Errorf("time %d: %+v, %v", i+1, r, err)
		}
	}
	if id := m.turns["live"][0].ID; id == "1" || !strings.HasPrefix(id, "turn_") {
		t.Errorf("the turn is %s", id)
	}
	// One without an id cannot be told from what was said before by it.
	if r, err := ingest.Append(t.Context(), m, s, []strata.Turn{say("1", "One."), say("", "Three.")}); err != nil || r.Sessions[0].Added != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := ingest.Append(t.Context(), m, s, []strata.Turn{say("9", "")}); err != nil || len(r.Sessions) != 0 {
		t.Errorf("of nothing: %+v, %v", r, err)
	}
	if _, err := ingest.Append(t.Context(), m, s, []strata.Turn{{Role: "nobody", Text: "x"}}); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("of nobody: %v", err)
	}
}

// The files of a directory are listed with the one written last at the end, without what
// agents keep beside their transcripts; a session of opencode is as new as its last part.
func TestFilesOfADirectory(t *testing.T) {
	at := func(minute int, text string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(text), ModTime: noon.Add(time.Duration(minute) * time.Minute)}
	}
	dir := func(minute int) *fstest.MapFile {
		return &fstest.MapFile{Mode: fs.ModeDir, ModTime: noon.Add(time.Duration(minute) * time.Minute)}
	}
	fsys := fstest.MapFS{
		"b.jsonl": at(5, "b"), "a.jsonl": at(5, "aa"), "old/x.jsonl": at(1, "x"), ".hidden": at(0, ""), ".git/config": at(0, ""),
		"node_modules/p/x.json": at(0, ""), "old/tool-results/1.txt": at(0, ""), "link": {Mode: fs.ModeSymlink, ModTime: noon},
		"storage/session/p/ses_1.json": at(2, `{"id": "ses_1"}`), "storage/session/p/ses_2.json": at(3, `{"id": "ses_2"}`),
		"storage/message/ses_1": dir(4), "storage/message/ses_1/msg_1.json": at(4, `{"id": "msg_1", "role": "user"}`),
		"storage/part/msg_1": dir(9), "storage/part/msg_1/prt_1.json": at(9, `{"type": "text", "text": "Hello"}`),
		"storage/other.json": at(0, ""),
	}
	list, err := ingest.Files(fsys)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range list {
		got = append(got, fmt.Sprint(f.Path, " ", f.Size, " ", f.Modified.Sub(noon)))
	}
	want := []string{"old/x.jsonl 1 1m0s", "storage/session/p/ses_2.json 15 3m0s", "a.jsonl 2 5m0s", "b.jsonl 1 5m0s", "storage/session/p/ses_1.json 15 9m0s"}
	if !slices.Equal(got, want) {
		t.Errorf("the files are\n%q, want\n%q", got, want)
	}
	for i, part := range map[int]string{2: "aa", 4: "Hello"} {
		r, err := list[i].Open(fsys)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := io.ReadAll(r); err != nil || !strings.Contains(string(data), part) {
			t.Errorf("%s holds %q, %v", list[i].Path, data, err)
		}
		r.Close()
	}
	if _, err := ingest.Files(failing{}); err == nil {
		t.Error("a directory that cannot be read holds nothing")
	}
}

// failing is a file system that cannot be read.
type failing struct{}

func (failing) Open(string) (fs.File, error) { return nil, fs.ErrPermission }
