package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ingest"
	"github.com/strata-memory/strata/internal/ingest/transcript"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// everywhere puts every conversation into the global scope.
func everywhere(context.Context, string) (strata.Scope, bool, error) {
	return strata.Global(), true, nil
}

// take takes a transcript in.
func take(t testing.TB, e *engine.Engine, text string, opts ...func(*ingest.Options)) ingest.Report {
	t.Helper()
	r, err := tryTake(e, text, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func tryTake(e *engine.Engine, text string, opts ...func(*ingest.Options)) (ingest.Report, error) {
	o := ingest.Options{Place: everywhere}
	for _, opt := range opts {
		opt(&o)
	}
	return e.Ingest(context.Background(), transcript.NewReader(strings.NewReader(text)), o)
}

// said is one line of a made transcript.
type said struct {
	ID      string `json:"id,omitempty"`
	Session string `json:"session"`
	Role    string `json:"role"`
	Content string `json:"content"`
	At      string `json:"at,omitempty"`
}

// conversationOf makes a conversation of n messages, some of which say the same.
func conversationOf(rng *rand.Rand, session string, n int, ids bool) []said {
	out := make([]said, n)
	at := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	for i := range out {
		out[i] = said{Session: session, Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("In step %d of %s we went on", i, session)}
		switch rng.IntN(6) {
		case 0:
			out[i].Content = "Yes, go on"
		case 1:
			out[i].Content = fmt.Sprintf("My sister's name is Name%d", i)
		}
		if ids {
			out[i].ID = fmt.Sprintf("%s-%d", session, i)
		}
		if rng.IntN(8) > 0 {
			out[i].At = at.Add(time.Duration(i) * time.Minute).Format(time.RFC3339)
		}
	}
	return out
}

// linesOf writes a conversation as a transcript.
func linesOf(list []said) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	for _, s := range list {
		_ = enc.Encode(s) // plain strings
	}
	return b.String()
}

// contents are the texts of a session's turns, sorted.
func contents(t testing.TB, e *engine.Engine, session string) []string {
	t.Helper()
	turns, err := e.Turns(context.Background(), strata.Global().View(), session, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, turn := range turns {
		out = append(out, turn.Text)
	}
	slices.Sort(out)
	return out
}

func wantOnce(t testing.TB, e *engine.Engine, session string, list []said) {
	t.Helper()
	var want []string
	for _, s := range list {
		want = append(want, s.Content)
	}
	slices.Sort(want)
	if got := contents(t, e, session); !slices.Equal(got, want) {
		t.Fatalf("session %s has %d turns, want %d\n%q\n%q", session, len(got), len(want), got, want)
	}
	if waiting := extractions(t, e); waiting > 0 {
		t.Fatalf("%d sessions wait for their facts", waiting)
	}
}

// extractions counts the sessions that wait for their facts.
func extractions(t testing.TB, e *engine.Engine) int {
	t.Helper()
	list, err := store.Read(context.Background(), engine.StoreOf(e), func(r store.Reader) ([]store.Extraction, error) {
		return r.Extractions(context.Background(), store.ExtractionFilter{Extractor: store.ByRules})
	})
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// However often a transcript is read, at whatever point it was cut, in whatever order
// its lines stand, and also after its agent has shortened it: each message is there once.
func TestIngest_EachMessageIsThereOnce(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	e := open(t)
	for round := range 30 {
		ids := round%2 == 0
		session := fmt.Sprintf("session-%d", round)
		list := conversationOf(rng, session, 1+rng.IntN(1200), ids)
		for range rng.IntN(4) {
			some := list[:rng.IntN(len(list)+1)]
			text := linesOf(some)
			if len(text) > 0 && rng.IntN(2) == 0 {
				text = text[:rng.IntN(len(text))] // in the middle of a line
			}
			if ids && rng.IntN(2) == 0 { // an agent that keeps the end alone
				some = list[rng.IntN(len(list)):]
				text = linesOf(some)
			}
			if _, err := tryTake(e, text); err != nil && strata.CodeOf(err) != strata.CodeInvalid {
				t.Fatal(err)
			}
		}
		all := slices.Clone(list)
		if ids && rng.IntN(2) == 0 {
			rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		}
		take(t, e, linesOf(all))
		wantOnce(t, e, session, list)
		if r := take(t, e, linesOf(list)); r.Sessions[0].Added != 0 || len(r.Decisions) > 0 {
			t.Fatalf("again: %+v", r)
		}
		wantOnce(t, e, session, list)
	}
	healthy(t, e)
}

// Several readers of one transcript that grows, over several openings of one home.
func TestIngest_AtOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	db := home(t)
	list := conversationOf(rng, "s", 900, false)
	text := linesOf(list)
	var wg sync.WaitGroup
	for i := range 3 {
		e := openAt(t, db)
		wg.Go(func() {
			for cut := i * 50; ; cut += 170 {
				cut = min(cut, len(list))
				if _, err := tryTake(e, linesOf(list[:cut])); err != nil && strata.CodeOf(err) != strata.CodeInvalid {
					t.Error(err)
				}
				if cut == len(list) {
					return
				}
			}
		})
	}
	wg.Wait()
	e := openAt(t, db)
	take(t, e, text)
	wantOnce(t, e, "s", list)
	healthy(t, e)
}

// Two transcripts with the same session id are one session that holds both.
func TestIngest_TwoSessionsWithOneID(t *testing.T) {
	e := open(t)
	one := []said{{Session: "s", Role: "user", Content: "Hello"}, {Session: "s", Role: "user", Content: "I live in Lisbon"}}
	two := []said{{Session: "s", Role: "user", Content: "Hello"}, {Session: "s", Role: "user", Content: "I like tea"}}
	take(t, e, linesOf(one))
	r := take(t, e, linesOf(two))
	if r.Sessions[0].Added != 1 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "another has the same id") {
		t.Errorf("%+v", r)
	}
	wantOnce(t, e, "s", []said{one[0], one[1], two[1]})
}

// What the system says first does not make two conversations one.
func TestIngest_TheSystemDoesNotNameTheSession(t *testing.T) {
	e := open(t)
	text := `{"messages":[{"role":"system","content":"Be brief"},{"role":"user","content":"I live in Lisbon"}]}
{"messages":[{"role":"system","content":"Be brief"},{"role":"user","content":"I like tea"}]}`
	r := take(t, e, text)
	if len(r.Sessions) != 2 || r.Sessions[0].Added != 2 || r.Sessions[1].Added != 2 {
		t.Errorf("%+v", r.Sessions)
	}
}

// A log of requests to a model holds the conversation once for each, longer every time.
func TestIngest_ALogOfRequests(t *testing.T) {
	e := open(t)
	log := ""
	messages := `{"role":"system","content":"Be brief"}`
	for i, text := range []string{"Hello", "Hi", "Go on", "Well", "Go on"} {
		messages += fmt.Sprintf(`,{"role":%q,"content":%q}`, []string{"user", "assistant"}[i%2], text)
		log += `{"model":"m","messages":[` + messages + "]}\n"
	}
	r := take(t, e, log)
	if len(r.Sessions) != 1 || r.Sessions[0].Added != 6 {
		t.Errorf("%+v", r.Sessions)
	}
	if again := take(t, e, log); again.Sessions[0].Added != 0 {
		t.Errorf("again: %+v", again.Sessions)
	}
}

func TestIngest_TheClockOfAnotherMachine(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	e := open(t, func(o *engine.Options) { o.Now = func() time.Time { return now } })
	r := take(t, e, `{"role":"user","session":"s","content":"From the future","at":"2036-01-01T00:00:00Z"}
{"role":"user","content":"From nowhere","at":"1970-01-01T00:00:00Z"}
{"role":"user","content":"As it was","at":"2026-05-01T00:00:00Z"}`)
	turns, err := e.Turns(context.Background(), strata.Global().View(), "s", 0, 0)
	if err != nil || len(turns) != 3 || len(r.Notes) != 1 {
		t.Fatalf("%v, %v, %v", turns, r.Notes, err)
	}
	for i, want := range []string{"As it was", "From the future", "From nowhere"} { // in the order of their times
		if turns[i].Text != want || turns[i].At.After(now) || turns[i].At.Year() < 2026 {
			t.Errorf("turn %d is %q of %v", i, turns[i].Text, turns[i].At)
		}
	}
}

func TestIngest_AClosedSessionStaysAsItIs(t *testing.T) {
	e := open(t)
	list := conversationOf(rand.New(rand.NewPCG(1, 1)), "s", 3, true)
	take(t, e, linesOf(list[:2]))
	if err := e.CloseSession(context.Background(), strata.Global(), "s"); err != nil {
		t.Fatal(err)
	}
	r := take(t, e, linesOf(list))
	if r.Left[ingest.LeftClosed] != 1 {
		t.Errorf("%+v", r)
	}
	wantOnce(t, e, "s", list[:2])
}

// A chat that goes on while its own ledger is taken in keeps each turn once.
func TestIngest_WhileItsOwnChatGoesOn(t *testing.T) {
	e := open(t)
	var wg sync.WaitGroup
	const n = 60
	wg.Go(func() {
		for i := range n {
			turn := strata.Turn{Role: strata.RoleUser, Text: fmt.Sprintf("Message %d of the chat", i)}
			if _, err := e.AppendTurns(context.Background(), strata.Global(), "own", strata.SessionMain, []strata.Turn{turn}); err != nil {
				t.Error(err)
			}
		}
	})
	readLedger := func() string {
		var b strings.Builder
		if _, err := e.WriteLedger(context.Background(), strata.Global().View(), "own", &b); err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			t.Error(err)
		}
		return b.String()
	}
	for range 20 {
		if _, err := tryTake(e, readLedger()); err != nil && strata.CodeOf(err) != strata.CodeInvalid {
			t.Error(err)
		}
	}
	wg.Wait()
	if r := take(t, e, readLedger()); r.Sessions[0].Added != 0 || r.Sessions[0].Known != n {
		t.Errorf("%+v", r.Sessions)
	}
	if got := contents(t, e, "own"); len(got) != n {
		t.Errorf("%d turns", len(got))
	}
}

// Turns that an agent hands over bit by bit, again, or with what was said since are
// there once.
func TestAppend_TurnsGivenAgain(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	e := open(t)
	for round := range 20 {
		s := strata.Session{ID: fmt.Sprint("s", round), Scope: strata.Global()}
		var turns []strata.Turn
		for i := range 40 {
			turns = append(turns, strata.Turn{Role: []strata.Role{strata.RoleUser, strata.RoleAssistant}[i%2], Text: fmt.Sprintf("Step %d, token ghp_%036d", i, i)})
		}
		for given := 0; given < len(turns); {
			from := given
			if rng.IntN(2) == 0 {
				from = rng.IntN(given + 1) // some of it again
			}
			to := min(given+rng.IntN(6), len(turns))
			if from == to {
				continue
			}
			r, err := ingest.Append(context.Background(), e, s, turns[from:to])
			if err != nil || r.Sessions[0].Added != int64(to-given) {
				t.Fatalf("turns %d to %d after %d: %+v, %v", from, to, given, r.Sessions, err)
			}
			given = to
		}
		got, err := e.Turns(context.Background(), strata.Global().View(), s.ID, 0, 0)
		if err != nil || len(got) != len(turns) {
			t.Fatalf("%d turns, %v", len(got), err)
		}
	}
}

// talkOf is a reader of a long conversation that is made while it is read.
func talkOf(turns int) io.Reader {
	words := strings.Fields("the order of parts for the store in Porto went out with the ferry on the day when rain fell over the harbor and nobody had seen the manifest that the clerk wrote for the captain before he left again for home")
	rng := rand.New(rand.NewPCG(3, 4))
	r, w := io.Pipe()
	go func() {
		enc := json.NewEncoder(w)
		for i := range turns {
			text := make([]string, 40)
			for j := range text {
				text[j] = words[rng.IntN(len(words))]
			}
			text[3] = fmt.Sprint("number ", i)
			if i%100 == 0 {
				text = append(strings.Fields(fmt.Sprintf("My colleague's name is Name%d.", i)), text[6:]...)
			}
			if err := enc.Encode(said{Session: "long", Role: []string{"user", "assistant"}[i%2], Content: strings.Join(text, " ")}); err != nil {
				return
			}
		}
		w.Close()
	}()
	return r
}

// BenchmarkIngest takes in turns of 40 words, durably, and extracts their facts. With
// -benchtime 100000x it is one conversation of 100,000 turns.
func BenchmarkIngest(b *testing.B) {
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(b.TempDir(), "strata.db"), nil)
	if err != nil {
		b.Fatal(err)
	}
	e, err := engine.Open(ctx, st, &engine.Options{Embedder: builtin.New()})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	b.ResetTimer()
	r, err := e.Ingest(ctx, transcript.NewReader(talkOf(b.N)), ingest.Options{Place: everywhere})
	if err != nil || r.Sessions[0].Added != int64(b.N) {
		b.Fatalf("%+v, %v", r.Sessions, err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys)/(1<<20), "heap-MiB")
}

// What an older transcript says, read later, does not take the place of what was said
// since; what a newer one says does.
func TestIngest_AnOlderTranscriptReplacesNothing(t *testing.T) {
	e := open(t)
	for _, c := range []struct{ at, city, want string }{
		{"2026-05-01T10:00:00Z", "Lisbon", "Lisbon"},
		{"2024-02-01T10:00:00Z", "Porto", "Lisbon"},
		{"2026-06-01T10:00:00Z", "Braga", "Braga"},
		{"2026-05-20T10:00:00Z", "Faro", "Braga"},
	} {
		r := take(t, e, `{"role": "user", "content": "I live in `+c.city+`.", "at": "`+c.at+`"}`)
		got := current(t, e, strata.Global())
		if len(got) != 1 || !strings.Contains(got[0], c.want) {
			t.Errorf("after %s of %s: %q (%+v)", c.city, c.at, got, r.Decisions)
		}
		if c.city != c.want && (len(r.Decisions) != 1 || r.Decisions[0].Op != strata.OpNoop || !strings.Contains(r.Decisions[0].Reason, "said before")) {
			t.Errorf("%s was decided as %+v", c.city, r.Decisions)
		}
	}
}
