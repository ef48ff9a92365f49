package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ingest"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/ollama"
	"github.com/strata-memory/strata/store"
)

// reading is a model that answers what it is asked with a script.
type reading struct {
	mu     sync.Mutex
	script func(material string) (string, error)
	asked  []string
}

func (*reading) Model() string { return "reading" }

func (r *reading) Chat(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Reply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	material := req.Messages[1].Text
	r.asked = append(r.asked, material)
	text, err := r.script(material)
	return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: text}}, err
}

// withModel has a model read what is taken in, when the test asks for it.
func withModel(m llm.Chat) func(*engine.Options) {
	return func(o *engine.Options) { o.Model, o.ModelOnCall = m, true }
}

// numberOf is the number under which the material shows a fact.
func numberOf(material, fact string) string {
	m := regexp.MustCompile(`(?m)^(\d+)\. (?:\[[^\]]*\] )?` + regexp.QuoteMeta(fact)).FindStringSubmatch(material)
	if m == nil {
		return "0"
	}
	return m[1]
}

// waitingForModel counts the sessions that wait for a model.
func waitingForModel(t *testing.T, e *engine.Engine) int {
	t.Helper()
	list, err := store.Read(context.Background(), engine.StoreOf(e), func(r store.Reader) ([]store.Extraction, error) {
		return r.Extractions(context.Background(), store.ExtractionFilter{Extractor: store.ByModel})
	})
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// The model sees what memory holds and what the rules found, adds, supersedes and
// retires; what it makes up changes nothing.
func TestModel_ReadsWhatWasTakenIn(t *testing.T) {
	ctx := context.Background()
	var before []string // what memory held: Rex, then Porto
	model := &reading{script: func(material string) (string, error) {
		return fmt.Sprintf(`{"operations": [
			{"op": "supersede", "fact": %s, "text": "The user lives in Lisbon.", "type": "user", "turn": 1, "quote": "Porto is behind me, Lisbon it is"},
			{"op": "retire", "fact": %s, "text": "", "type": "user", "turn": 2, "quote": "no more leash for Rex"},
			{"op": "add", "fact": 0, "text": "The user plays the cello on Thursdays.", "type": "user", "turn": 3, "quote": "cello every Thursday, as ever"},
			{"op": "add", "fact": 0, "text": "The user owns a yacht.", "type": "user", "turn": 3, "quote": "cello every Thursday, as ever"}]}`,
			numberOf(material, before[1]), numberOf(material, before[0])), nil
	}}
	e := open(t, withModel(model))
	for _, said := range []string{"I live in Porto.", "My dog is called Rex."} {
		if _, err := e.Save(ctx, strata.Global(), said); err != nil {
			t.Fatal(err)
		}
	}
	before = current(t, e, strata.Global())
	take(t, e, `{"role": "user", "content": "Porto is behind me, Lisbon it is."}
{"role": "user", "content": "Well, no more leash for Rex, poor old thing."}
{"role": "user", "content": "And cello every Thursday, as ever."}
`)
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	got := current(t, e, strata.Global())
	for _, want := range []string{"The user lives in Lisbon.", "The user plays the cello on Thursdays."} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	for _, gone := range append(before, "The user owns a yacht.") {
		if slices.Contains(got, gone) {
			t.Errorf("%q is still there", gone)
		}
	}
	if n := waitingForModel(t, e); n > 0 {
		t.Errorf("%d sessions wait", n)
	}
	if asked := len(model.asked); asked != 1 {
		t.Errorf("the model was asked %d times", asked)
	}
}

// A server that does not answer loses nothing: the rules' facts are there, and the
// model reads when it is back, in another process too.
func TestModel_WaitsForItsServer(t *testing.T) {
	ctx := context.Background()
	down := &reading{script: func(string) (string, error) {
		return "", &strata.Error{Code: strata.CodeUnavailable, Op: "chat", Message: "connection refused"}
	}}
	home := filepath.Join(t.TempDir(), "strata.db")
	e := openAt(t, home, withModel(down))
	take(t, e, `{"role": "user", "content": "I live in Porto. Cello every Thursday, as ever."}`)
	if _, err := e.ExtractByModel(ctx, nil); strata.CodeOf(err) != strata.CodeUnavailable {
		t.Fatalf("the server is down: %v", err)
	}
	if got := current(t, e, strata.Global()); !slices.ContainsFunc(got, func(f string) bool { return strings.Contains(f, "Porto") }) {
		t.Errorf("the rules found %q", got)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	up := &reading{script: func(string) (string, error) {
		return `{"operations": [{"op": "add", "fact": 0, "text": "The user plays the cello on Thursdays.", "type": "user", "turn": 1, "quote": "Cello every Thursday"}]}`, nil
	}}
	e = openAt(t, home, withModel(up))
	if _, err := e.ExtractByModel(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if got := current(t, e, strata.Global()); !slices.Contains(got, "The user plays the cello on Thursdays.") || waitingForModel(t, e) > 0 {
		t.Errorf("then it found %q", got)
	}
}

// In the background a model reads without being called for.
func TestModel_ReadsInTheBackground(t *testing.T) {
	asked := make(chan struct{}, 1)
	model := &reading{script: func(string) (string, error) {
		asked <- struct{}{}
		return `{"operations": []}`, nil
	}}
	e := open(t, withModel(model), func(o *engine.Options) { o.ModelOnCall = false })
	take(t, e, `{"role": "user", "content": "I live in Porto."}`)
	<-asked
	if err := e.Drain(context.Background()); err != nil || waitingForModel(t, e) > 0 {
		t.Errorf("%d sessions wait: %v", waitingForModel(t, e), err)
	}
}

// A model that refuses, answers nothing, 10 MB or for another conversation, or whose time
// runs out, is asked again after pauses that double. In the end the session is given up,
// and says why. The rules' facts are there all the while, other sessions are read, and
// what is said later has the model asked anew.
func TestModel_ThatCannotBeUsedIsGivenUp(t *testing.T) {
	answers := map[string]func() (string, error){
		"refuses":         func() (string, error) { return "I cannot help with that.", nil },
		"answers nothing": func() (string, error) { return "", nil },
		"answers 10 MB":   func() (string, error) { return strings.Repeat("words ", 10<<20/6), nil },
		"hangs":           func() (string, error) { return "", context.DeadlineExceeded },
		"answers for another job": func() (string, error) {
			return `{"operations": [{"op": "add", "fact": 0, "text": "The user sails.", "type": "user", "turn": 1, "quote": "I sail every day"}]}`, nil
		},
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			begin := time.Now()
			var passed atomic.Int64
			var usable atomic.Bool
			asked := 0
			e := open(t, withModel(&reading{script: func(material string) (string, error) {
				if usable.Load() || !strings.Contains(material, "I live in Porto") {
					return `{"operations": []}`, nil
				}
				asked++
				return answer()
			}}), func(o *engine.Options) {
				o.Now = func() time.Time { return begin.Add(time.Duration(passed.Load())) }
			})
			one := func(o *ingest.Options) { o.Session = "one" }
			take(t, e, `{"role": "user", "content": "I live in Porto."}`, one)
			take(t, e, `{"role": "user", "content": "I was born in Lisbon."}`)
			read := func() int {
				t.Helper()
				before := asked
				if _, err := e.ExtractByModel(ctx, nil); err != nil {
					t.Fatal(err)
				}
				return asked - before
			}
			var attempts []int
			for waitingForModel(t, e) > 0 {
				if read() == 0 {
					t.Fatal("its time has come and it is not asked")
				}
				x := extractionOf(t, e, "one")
				if x.DeadAt != nil {
					break
				}
				if x.Owner != "" || x.LastError == "" || waitingForModel(t, e) != 1 {
					t.Fatalf("%d wait: %+v", waitingForModel(t, e), x)
				}
				attempts = append(attempts, x.Attempts)
				pause := x.RetryAt.Sub(begin)
				passed.Store(int64(pause - time.Second))
				if read() > 0 {
					t.Fatal("it is asked before its time")
				}
				passed.Store(int64(pause + time.Second))
			}
			if fmt.Sprint(attempts) != "[1 2 3 4]" {
				t.Errorf("attempts before it was given up: %v", attempts)
			}
			if took := time.Duration(passed.Load()); took < 15*time.Minute || took > 16*time.Minute {
				t.Errorf("given up after %v", took)
			}
			x := extractionOf(t, e, "one")
			if x.DeadAt == nil || x.LastError == "" || len(x.LastError) > 2000 || x.After != 0 {
				t.Errorf("given up as %+v", x)
			}
			if got := current(t, e, strata.Global()); len(got) != 2 {
				t.Errorf("the rules found %q", got)
			}
			failed, err := store.Read(ctx, engine.StoreOf(e), func(r store.Reader) (n int, err error) {
				events, err := r.Events(ctx, strata.Global(), 0, 1000)
				for _, ev := range events {
					if ev.Kind == strata.EventExtractionFailed {
						n++
					}
					if strings.Contains(ev.Detail, "Porto") {
						t.Errorf("an event carries text: %q", ev.Detail)
					}
				}
				return n, err
			})
			if err != nil || failed != 5 {
				t.Errorf("%d events of failures: %v", failed, err)
			}
			usable.Store(true)
			take(t, e, `{"role": "user", "content": "I live in Porto."}
{"role": "user", "content": "And I play chess."}`, one)
			if _, err := e.ExtractByModel(ctx, nil); err != nil || waitingForModel(t, e) > 0 {
				t.Errorf("%d sessions wait: %v", waitingForModel(t, e), err)
			}
		})
	}
}

// extractionOf is what waits for the model of a session.
func extractionOf(t *testing.T, e *engine.Engine, session string) store.Extraction {
	t.Helper()
	x, err := store.Read(context.Background(), engine.StoreOf(e), func(r store.Reader) (store.Extraction, error) {
		return r.Extraction(context.Background(), strata.Global(), session, store.ByModel)
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A model with random weights behind a real server reads a transcript: whatever it
// answers, what the rules found is there.
func TestOllamaServerReadsWhatWasTakenIn(t *testing.T) {
	base, name := os.Getenv("STRATA_TEST_OLLAMA"), os.Getenv("STRATA_TEST_CHAT_MODEL")
	if base == "" || name == "" {
		t.Skip("no Ollama server: run `make test-ollama`, or set STRATA_TEST_OLLAMA (base URL) and STRATA_TEST_CHAT_MODEL")
	}
	client, err := ollama.New(ollama.Options{BaseURL: base})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	e := open(t, withModel(client.Chat(name)), func(o *engine.Options) { o.ModelWindow = 2048 })
	take(t, e, `{"role": "user", "content": "I live in Porto. Cello every Thursday, as ever."}`)
	if err := e.Drain(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := current(t, e, strata.Global())
	if !slices.ContainsFunc(got, func(f string) bool { return strings.Contains(f, "Porto") }) {
		t.Errorf("kept %q", got)
	}
	t.Logf("kept %q", got)
}

// What was forgotten does not come back through a model: not from a turn that it
// reads meanwhile or later, in whatever words, and not for a full stop.
func TestModel_DoesNotBringBackWhatWasForgotten(t *testing.T) {
	const said = "Well, the quetzalcoatlus is all mine, as ever, and sleeps in the barn."
	for _, when := range []string{"never", "while it reads", "before it reads", "in a workspace", "with a full stop"} {
		t.Run(when, func(t *testing.T) {
			ctx, scope := context.Background(), strata.Global()
			if when == "in a workspace" {
				scope = strata.InWorkspace("w1") // what is about the user is global, and the turn stays
			}
			var e *engine.Engine
			var fact string
			forget := func() {
				if _, err := e.Forget(ctx, strata.Global().View(), fact, engine.ForgetOptions{}); err != nil {
					t.Error(err)
				}
			}
			e = open(t, withModel(&reading{script: func(string) (string, error) {
				if when == "while it reads" {
					forget()
				}
				return `{"operations": [{"op": "add", "fact": 0, "text": "The user's quetzalcoatlus sleeps in the barn.", "type": "user", "turn": 1, "quote": "sleeps in the barn"}]}`, nil
			}}))
			report := take(t, e, `{"role": "user", "content": "`+said+`"}`, func(o *ingest.Options) {
				o.Place = func(context.Context, string) (strata.Scope, bool, error) { return scope, true, nil }
			})
			turns, err := e.Turns(ctx, scope.View(), report.Sessions[0].ID, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			c := strata.Candidate{Scope: strata.Global(), Type: strata.TypeUser, Content: "The user owns a quetzalcoatlus", Sources: []string{turns[0].ID}}
			if when == "with a full stop" {
				c.Content, c.Sources = "The user's quetzalcoatlus sleeps in the barn", nil
			}
			fact = write(t, e, c).FactID
			if when != "never" && when != "while it reads" {
				forget()
			}
			if _, err := e.ExtractByModel(ctx, nil); err != nil {
				t.Fatal(err)
			}
			back := slices.Contains(current(t, e, strata.Global()), "The user's quetzalcoatlus sleeps in the barn.")
			if back != (when == "never") {
				t.Errorf("it is there: %v", back)
			}
		})
	}
}
