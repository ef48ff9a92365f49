package backup_test

import (
	"bytes"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/local"
)

var (
	dumpedHomes = flag.Int("export.homes", 12, "random homes that are exported and imported; 2 with -short")
	dumpSeed    = flag.Uint64("export.seed", 0, "seed of the first of them; 0 takes one at random")
)

// options open a home at noon of a fixed day.
func options(home string) local.Options {
	return local.Options{Home: home, Now: func() time.Time { return noon }}
}

func openAtNoon(t testing.TB, home string) *engine.Engine {
	t.Helper()
	opened, err := local.OpenWith(t.Context(), options(home))
	ok(t, err)
	return opened.Engine()
}

// scopes are those that a random home has memory of.
var scopes = []strata.Scope{strata.Global(), strata.InWorkspace("w1"), strata.ForAgentIn("w1", "scout")}

// A filler does random things to a home.
type filler struct {
	t   testing.TB
	mem *engine.Engine
	rng *rand.Rand
	// passed are the seconds since it began. What goes on in the background looks at
	// the clock, too.
	passed atomic.Int64
}

func (f *filler) now() time.Time {
	return noon.AddDate(0, -2, 0).Add(time.Duration(f.passed.Load()) * time.Second)
}

var things = []string{"harbor", "bicycle", "violin", "garden", "ledger", "kettle", "glacier", "lantern", "compiler", "orchard"}

func (f *filler) text(words int) string {
	var b strings.Builder
	for range words {
		fmt.Fprintf(&b, "%s%d ", things[f.rng.IntN(len(things))], f.rng.IntN(1000))
	}
	return strings.TrimSpace(b.String()) + []string{"", ".", " \"ß\u2028<&>\"", " \\ \t naïve 日本"}[f.rng.IntN(4)]
}

func (f *filler) scope() strata.Scope { return scopes[f.rng.IntN(len(scopes))] }

// a returns a random current fact of a scope; its id is empty where there is none.
func (f *filler) a(scope strata.Scope) strata.Fact {
	list, err := f.mem.Facts(f.t.Context(), scope.View(), strata.FactFilter{Limit: 50})
	ok(f.t, err)
	if len(list) == 0 {
		return strata.Fact{}
	}
	return list[f.rng.IntN(len(list))]
}

// step does one thing.
func (f *filler) step() {
	t, ctx, mem, scope := f.t, f.t.Context(), f.mem, f.scope()
	f.passed.Add(1 + f.rng.Int64N(5000))
	switch n := f.rng.IntN(20); {
	case n < 7:
		_, err := mem.Write(ctx, strata.Candidate{Scope: scope, Origin: strata.OriginCLI, Content: fmt.Sprintf("The %s is kept with %s", things[f.rng.IntN(10)], f.text(6)),
			Category: things[f.rng.IntN(3)], Entity: "the " + things[f.rng.IntN(5)], Attribute: "place", RequestID: fmt.Sprint("r", f.rng.Uint64())})
		ok(t, err)
	case n < 9:
		if fact := f.a(scope); fact.ID != "" {
			_, err := mem.Write(ctx, strata.Candidate{Scope: scope, Origin: strata.OriginCLI, Target: fact.ID, Content: "Now " + f.text(5)})
			ok(t, err)
		}
	case n < 10:
		if fact := f.a(scope); fact.ID != "" {
			_, err := mem.Forget(ctx, scope.View(), fact.ID, engine.ForgetOptions{Origin: strata.OriginCLI})
			ok(t, err)
		}
	case n < 13:
		talk, err := mem.Talk(ctx, sessions.Options{View: scope.View(), Scope: scope})
		ok(t, err)
		for i := range 1 + f.rng.IntN(6) {
			turn := strata.Turn{Role: strata.RoleUser, Text: f.text(1 + f.rng.IntN(300))}
			if i%3 == 0 {
				turn.Images = []strata.Image{{MediaType: "image/png", Data: bytes.Repeat([]byte{byte(i), 0, 255}, 100+f.rng.IntN(9000))}}
			}
			_, err := talk.Append(ctx, []strata.Turn{turn, {Role: strata.RoleAssistant, Text: f.text(20)}})
			ok(t, err)
		}
		ok(t, talk.SaveState(ctx, []byte(`{"at":"`+things[0]+`"}`)))
	case n < 14:
		_, err := mem.Learn(ctx, scope, strata.Learning{Kind: strata.LearningCorrection, Key: fmt.Sprint("k", f.rng.IntN(5)), Text: f.text(10)})
		ok(t, err)
	case n < 15:
		ok(t, mem.RecordOutcome(ctx, scope, strata.ToolOutcome{Scope: scope, Tool: "grep", Params: "abababab", At: f.now(), Error: "no such file"}))
	case n < 16:
		_, err := mem.Remember(ctx, edit.Note{Type: strata.TypeUser, Title: "Note on the " + things[f.rng.IntN(4)], Body: f.text(200), Hook: "when asked", Origin: strata.OriginCLI})
		ok(t, err)
	case n < 17:
		err := mem.ChooseCategory(ctx, scope, things[f.rng.IntN(3)], "things of the "+things[f.rng.IntN(3)])
		ok(t, err)
	case n < 18:
		_, err := mem.KeepWorkspace(ctx, "w1", fmt.Sprint("key", f.rng.IntN(9)))
		ok(t, err)
	default:
		_, err := mem.Recall(ctx, scope.View(), "what is kept with the "+things[f.rng.IntN(10)]+"?")
		ok(t, err)
	}
}

// dream has the global scope dream, and ask about two facts of one moment.
func (f *filler) dream() {
	said := func(c strata.Candidate) strata.Decision {
		c.Scope, c.Origin = strata.Global(), strata.OriginCLI
		d, err := f.mem.Write(f.t.Context(), c)
		ok(f.t, err)
		return d
	}
	said(strata.Candidate{Content: "The gate of the yard opens at noon"})
	other := said(strata.Candidate{Content: "Somebody painted the fence"})
	said(strata.Candidate{Content: "The gate of the yard does not open at noon", Target: other.FactID})
	res, err := f.mem.Dream(f.t.Context(), strata.Global(), strata.DreamForced)
	ok(f.t, err)
	if res.Dream == nil || res.Dream.Asked == 0 {
		f.t.Fatalf("nothing was asked: %+v", res)
	}
}

// randomHome makes a home of a seed.
func randomHome(t testing.TB, seed uint64, steps int) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	f := &filler{t: t, rng: rand.New(rand.NewPCG(seed, 0))}
	o := options(home)
	o.Now = f.now
	opened, err := local.OpenWith(t.Context(), o)
	ok(t, err)
	f.mem = opened.Engine()
	for range steps {
		f.step()
	}
	f.dream()
	ok(t, f.mem.Drain(t.Context()))
	ok(t, f.mem.Close())
	// Files are looked at once more, after which the rows say when they were written.
	mem := openAtNoon(t, home)
	_, err = mem.Sync(t.Context(), strata.View{Scopes: scopes})
	ok(t, err)
	ok(t, mem.Drain(t.Context()))
	ok(t, mem.Close())
	return home
}

func write(t testing.TB, home string) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := backup.ExportFull(t.Context(), home, &out, nil)
	ok(t, err)
	if len(w.LeftOut) > 0 {
		t.Fatalf("left out: %+v", w.LeftOut)
	}
	return out.Bytes()
}

func load(t testing.TB, from []byte) (string, backup.Made) {
	t.Helper()
	home := filepath.Join(t.TempDir(), "new", "home")
	l, err := backup.Import(t.Context(), backup.ImportOptions{Home: home}, bytes.NewReader(from))
	ok(t, err)
	return home, l
}

// tables are those of what memory is made of, and of what is kept beside.
var tables = []string{
	"scope", "meta", "fact", "access", "decision", "session", "turn", "turn_image", "tombstone", "event", "workspace", "trace", "recall_event",
	"session_state", "session_state_aside", "snapshot", "learning", "tool_outcome", "document", "section", "category_choice", "extraction",
	"promotion", "dream", "question", "session_archive", "model_use",
	"model", "vector", "embedding", "turn_passage",
}

// rowsOf reads all rows of a table, whose keys are its first columns.
func rowsOf(t testing.TB, home, table string) (list []string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+local.Database(home)+"?mode=ro")
	ok(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT * FROM ` + table)
	ok(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	ok(t, err)
	for rows.Next() {
		values, dest := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			dest[i] = &values[i]
		}
		ok(t, rows.Scan(dest...))
		var b strings.Builder
		for i, c := range columns {
			if c != "next" {
				fmt.Fprintf(&b, "%s=%q ", c, fmt.Sprint(values[i]))
			}
		}
		if !strings.Contains(b.String(), "memory.reindexed") {
			list = append(list, b.String())
		}
	}
	ok(t, rows.Err())
	slices.Sort(list)
	return list
}

func wantSameRows(t testing.TB, home, other string) {
	t.Helper()
	for _, table := range tables {
		want, got := rowsOf(t, home, table), rowsOf(t, other, table)
		for i, row := range want {
			if i >= len(got) || got[i] != row {
				t.Errorf("%s: row %.300s is not there; %d of %d rows", table, row, len(got), len(want))
				break
			}
		}
		if len(got) > len(want) {
			t.Errorf("%s has %d rows, want %d", table, len(got), len(want))
		}
	}
}

// answer is a hit of a question.
type answer struct {
	question, id string
	score        float64
}

// scored are what some questions find. What each records is there before the next.
func scored(t testing.TB, home string) (list []answer) {
	t.Helper()
	mem := openAtNoon(t, home)
	defer mem.Close()
	for _, thing := range things {
		for _, scope := range scopes {
			question := fmt.Sprint("what is the ", thing, " kept with? of ", scope)
			res, err := mem.Recall(t.Context(), scope.View(), question)
			ok(t, err)
			for _, h := range res.Hits {
				list = append(list, answer{question, h.ID, h.Score})
			}
			ok(t, mem.Drain(t.Context()))
		}
	}
	return list
}

// sameAnswer allows for the order in which the vectors of a category were added up.
func sameAnswer(a, b answer) bool {
	return a.question == b.question && a.id == b.id && math.Abs(a.score-b.score) < 1e-6
}

// A home that is made of a full export has the same rows, answers with the same ids and
// scores, and gives the same export.
func TestFullExport_MakesTheSameHome(t *testing.T) {
	n, seed := *dumpedHomes, *dumpSeed
	if testing.Short() {
		n = min(n, 2)
	}
	if seed == 0 {
		seed = rand.Uint64() >> 16
	}
	for i := range n {
		s := seed + uint64(i)
		t.Run(fmt.Sprintf("seed=%d", s), func(t *testing.T) {
			home := randomHome(t, s, 150)
			first := write(t, home)
			made, l := load(t, first)
			if len(l.LeftOut)+len(l.Problems) > 0 {
				t.Errorf("left out %+v, problems %+v", l.LeftOut, l.Problems)
			}
			wantSameRows(t, home, made)
			if again := write(t, made); !bytes.Equal(again, first) {
				t.Errorf("the second export differs: %s", difference(first, again))
			}
			if want, got := scored(t, home), scored(t, made); !slices.EqualFunc(want, got, sameAnswer) || len(want) == 0 {
				t.Errorf("it answers %v\nwant %v", got, want)
			}
			mem := openAtNoon(t, made)
			defer mem.Close()
			report, err := mem.Doctor(context.WithoutCancel(t.Context()), nil)
			ok(t, err)
			for _, p := range report.Problems {
				t.Errorf("afterwards: %+v", p)
			}
		})
	}
}

// difference is the first line that two exports do not share.
func difference(a, b []byte) string {
	as, bs := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(as), len(bs)) {
		if !bytes.Equal(as[i], bs[i]) {
			return fmt.Sprintf("line %d\n%.400s\n%.400s", i+1, as[i], bs[i])
		}
	}
	return "one is longer"
}
