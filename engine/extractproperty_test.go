package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
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
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// owning is what the models of these tests find.
var owning = regexp.MustCompile(`\[(\d+)\] user: (Well, the (\w+) is all mine, as ever)`)

// owns is a model that reads who owns what, and reports what it read.
func owns(seen func(turn string)) *reading {
	return &reading{script: func(material string) (string, error) {
		var ops []string
		for _, m := range owning.FindAllStringSubmatch(material, -1) {
			seen(m[1])
			ops = append(ops, fmt.Sprintf(`{"op": "add", "fact": 0, "text": "The user owns the %s.", "type": "user", "turn": %s, "quote": "%s"}`, m[3], m[1], m[2]))
		}
		return `{"operations": [` + strings.Join(ops, ",") + `]}`, nil
	}}
}

// mortal is a store whose process is killed after some changes: nothing it is asked to
// change afterwards happens.
type mortal struct {
	store.Store
	left atomic.Int64 // changes; negative once it is dead
}

func (m *mortal) Update(ctx context.Context, fn func(store.Writer) error) error {
	if m.left.Add(-1) < 0 {
		return &strata.Error{Code: strata.CodeUnavailable, Op: "update", Message: "killed"}
	}
	return m.Store.Update(ctx, fn)
}

// readers is a model for several workers: what it answers is drawn, and it notices when
// two read one session at once.
type readers struct {
	inner *reading

	mu   sync.Mutex
	rng  *rand.Rand
	ill  int             // of 100 answers how many cannot be used
	busy map[string]bool // sessions, by the letter that begins the names in them
	both []string        // that were read twice at once
}

func (*readers) Model() string { return "readers" }

func (r *readers) Chat(ctx context.Context, req llm.Request, fn func(llm.Delta) error) (llm.Reply, error) {
	r.mu.Lock()
	session := ""
	if m := owning.FindStringSubmatch(req.Messages[1].Text); m != nil {
		session = m[3][:2]
	}
	if r.busy[session] {
		r.both = append(r.both, session)
	}
	r.busy[session] = true
	ill, down := r.rng.IntN(100) < r.ill, r.rng.IntN(4) == 0
	r.mu.Unlock()
	reply, err := r.inner.Chat(ctx, req, fn)
	r.mu.Lock()
	r.busy[session] = false
	r.mu.Unlock()
	switch {
	case ill && down:
		return llm.Reply{}, &strata.Error{Code: strata.CodeUnavailable, Op: "chat", Message: "connection refused"}
	case ill:
		return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: "I would rather not."}}, nil
	}
	return reply, err
}

// Whatever is said when, whoever reads it, however often a worker is killed in the middle
// and the model fails: in the end each turn was read, each fact is there once, no session
// was read by two at a time, and one was given up only when its attempts had run out.
func TestModel_ReadsEachTurnWhateverHappens(t *testing.T) {
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	for round := range rounds {
		seed := uint64(time.Now().UnixNano()) + uint64(round)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			whateverHappens(t, rand.New(rand.NewPCG(seed, 0)))
		})
	}
}

func whateverHappens(t *testing.T, rng *rand.Rand) {
	ctx := context.Background()
	db := home(t)
	begin := time.Now()
	var passed atomic.Int64
	now := func() time.Time { return begin.Add(time.Duration(passed.Load())) }
	var shown sync.Map
	model := &readers{rng: rand.New(rand.NewPCG(rng.Uint64(), 1)), ill: []int{20, 60, 97}[rng.IntN(3)], busy: make(map[string]bool)}
	model.inner = owns(func(string) {})
	inner := model.inner.script
	model.inner.script = func(material string) (string, error) {
		for _, m := range owning.FindAllStringSubmatch(material, -1) {
			shown.Store(m[3], true)
		}
		return inner(material)
	}
	start := func() (*engine.Engine, *mortal) {
		t.Helper()
		st, err := sqlite.Open(ctx, db, &sqlite.Options{Now: now})
		if err != nil {
			t.Fatal(err)
		}
		m := &mortal{Store: st}
		m.left.Store(1 << 40)
		e, err := engine.Open(ctx, m, &engine.Options{Embedder: builtin.New(), Model: model, ModelWindow: 2500, ModelOnCall: true, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		return e, m
	}
	workers := make([]*engine.Engine, 2)
	stores := make([]*mortal, 2)
	for i := range workers {
		workers[i], stores[i] = start()
	}
	said := make([]int, 3) // things of each session
	var want []string
	steps := 20 + rng.IntN(20)
	kills := 0
	for range steps {
		switch rng.IntN(8) {
		case 0, 1:
			s := rng.IntN(len(said))
			var turns []strata.Turn
			for range 1 + rng.IntN(25) {
				name := fmt.Sprintf("%c%c%03d", 'q', 'a'+s, said[s])
				said[s]++
				want = append(want, name)
				turns = append(turns, strata.Turn{Role: strata.RoleUser, Text: "Well, the " + name + " is all mine, as ever. " + fmt.Sprint("Entry ", name, " of many more to come and to go on with.")})
			}
			session := strata.Session{ID: fmt.Sprint("s", s), Scope: strata.Global()}
			if _, err := ingest.Append(ctx, workers[rng.IntN(2)], session, turns); err != nil {
				t.Fatal(err)
			}
		case 2:
			passed.Add(int64(time.Duration(rng.IntN(12)) * time.Minute))
		case 3:
			i := rng.IntN(2)
			stores[i].left.Store(rng.Int64N(12))
			_, _ = workers[i].ExtractByModel(ctx, nil) // it is killed, or had nothing to do
			stores[i].left.Store(0)
			_ = workers[i].Close() // what it says at its end is lost with it
			workers[i], stores[i] = start()
			kills++
		default:
			passed.Add(int64(time.Duration(rng.IntN(6)) * time.Minute))
			var wg sync.WaitGroup
			for _, e := range workers {
				wg.Go(func() {
					if _, err := e.ExtractByModel(ctx, nil); err != nil && strata.CodeOf(err) != strata.CodeUnavailable {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		}
	}
	e := workers[0]
	dead := givenUp(t, e)
	for _, x := range dead {
		if x.Attempts != 5 || x.LastError == "" {
			t.Errorf("given up as %+v", x)
		}
	}
	model.mu.Lock()
	model.ill = 0
	model.mu.Unlock()
	if _, err := e.Extractor().Retry(ctx, nil, ""); err != nil {
		t.Fatal(err)
	}
	for waitingForModel(t, e) > 0 {
		passed.Add(int64(11 * time.Minute)) // leases and pauses end
		if _, err := e.ExtractByModel(ctx, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range want {
		if _, ok := shown.Load(name); !ok {
			t.Errorf("the model was not shown %s", name)
		}
	}
	facts := factTexts(t, e)
	for _, name := range want {
		if n := len(slices.DeleteFunc(slices.Clone(facts), func(f string) bool { return f != "The user owns the "+name+"." })); n != 1 {
			t.Errorf("%s is there %d times", name, n)
		}
	}
	if len(model.both) > 0 {
		t.Errorf("read by two at once: %q", model.both)
	}
	if extractions(t, e) > 0 || len(givenUp(t, e)) > 0 {
		t.Error("some wait still")
	}
	t.Logf("%d turns, %d kills, %d given up on the way", len(want), kills, len(dead))
	healthy(t, e)
	for _, e := range workers {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// givenUp are the sessions that were given up.
func givenUp(t *testing.T, e *engine.Engine) []store.Extraction {
	t.Helper()
	list, err := store.Read(context.Background(), engine.StoreOf(e), func(r store.Reader) ([]store.Extraction, error) {
		return r.Extractions(context.Background(), store.ExtractionFilter{Dead: true})
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// factTexts are the texts of all versions of facts.
func factTexts(t *testing.T, e *engine.Engine) []string {
	t.Helper()
	facts, err := e.Facts(context.Background(), strata.Global().View(), strata.FactFilter{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range facts {
		out = append(out, f.Text)
	}
	return out
}
