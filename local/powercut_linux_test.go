//go:build amd64 || arm64

package local_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/powercut"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/local"
)

var (
	powerCuts = flag.Int("powercut.cuts", 100, "power cuts of each test; 15 with -short")
	powerSeed = flag.Uint64("powercut.seed", 0, "seed of what is done and of the cuts; 0 takes one at random")
)

// seedVariable tells the process that is recorded which seed was taken.
const seedVariable = "STRATA_TEST_POWERCUT_SEED"

func cutsAndSeed(t *testing.T) (cuts int, seed uint64) {
	t.Helper()
	cuts, seed = *powerCuts, *powerSeed
	if testing.Short() {
		cuts = min(cuts, 15)
	}
	if given, err := strconv.ParseUint(os.Getenv(seedVariable), 10, 64); err == nil {
		return cuts, given
	}
	if seed == 0 {
		seed = rand.Uint64() >> 16
	}
	t.Logf("-powercut.seed=%d", seed)
	t.Setenv(seedVariable, fmt.Sprint(seed))
	return cuts, seed
}

// step is one thing that is done to a memory.
type step struct {
	do   string
	key  string // of the fact or note
	word string // what it says from then on
}

// held is what a memory holds: the word of each fact, note and turn.
type held map[string]string

// after is what is held once a step is done, and the words that must be nowhere.
func (s step) after(h held) (next held, gone []string) {
	next = maps.Clone(h)
	switch s.do {
	case "save", "note", "edit", "turn", "state":
		next[s.key] = s.word
	case "retract":
		delete(next, s.key)
	case "forget", "forget note":
		gone = []string{h[s.key]}
		delete(next, s.key)
	}
	return next, gone
}

// planOf is a random series of steps.
func planOf(seed uint64, n int) []step {
	rng := rand.New(rand.NewPCG(seed, 1))
	h, words := held{}, 0
	plan := make([]step, 0, n)
	pick := func(kind string) string {
		keys := slices.DeleteFunc(slices.Sorted(maps.Keys(h)), func(k string) bool { return !strings.HasPrefix(k, kind) })
		if len(keys) == 0 {
			return ""
		}
		return keys[rng.IntN(len(keys))]
	}
	for len(plan) < n {
		words++
		s := step{word: fmt.Sprintf("w%04dq", words)}
		switch r := rng.IntN(100); {
		case r < 30:
			s.do, s.key = "save", fmt.Sprint("fact ", words)
		case r < 38:
			s.do, s.key = "save", pick("fact")
		case r < 43:
			s.do, s.key = "retract", pick("fact")
		case r < 50:
			s.do, s.key = "forget", pick("fact")
		case r < 58:
			s.do, s.key = "note", fmt.Sprint("note ", words)
		case r < 63:
			s.do, s.key = "note", pick("note")
		case r < 70:
			s.do, s.key = "edit", pick("note")
		case r < 73:
			s.do, s.key = "forget note", pick("note")
		case r < 83:
			s.do, s.key = "turn", fmt.Sprint("turn ", words)
		case r < 87:
			s.do, s.key = "state", "state"
		case r < 92:
			s.do, s.key = "checkpoint", "-"
		case r < 95:
			s.do, s.key = "reopen", "-"
		case r < 98:
			s.do, s.key = "compact", "-"
		default:
			s.do, s.key = "reindex", "-"
		}
		if s.key != "" {
			plan = append(plan, s)
			h, _ = s.after(h)
		}
	}
	return plan
}

// worker does the steps.
type worker struct {
	t     *testing.T
	home  string
	mem   *engine.Engine
	talk  *engine.Conversation
	facts map[string]string // ids, by key
}

func (w *worker) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

const talkOfCuts = "session_of_cuts"

func (w *worker) open() {
	opened, err := local.Open(w.t.Context(), w.home)
	w.ok(err)
	w.mem = opened.Engine()
	w.talk, err = w.mem.Talk(w.t.Context(), sessions.Options{Session: talkOfCuts})
	w.ok(err)
}

func (w *worker) do(s step) {
	ctx, global := w.t.Context(), strata.Global()
	switch s.do {
	case "save":
		d, err := w.mem.Write(ctx, strata.Candidate{Scope: global, Content: "The thing " + s.key + " is at place " + s.word,
			Type: strata.TypeProject, Category: "things", Entity: s.key, Attribute: "place"})
		w.ok(err)
		w.facts[s.key] = d.FactID
	case "retract":
		_, err := w.mem.Write(ctx, strata.Candidate{Scope: global, Action: strata.ActionDelete, Target: w.facts[s.key]})
		w.ok(err)
	case "forget":
		_, err := w.mem.Forget(ctx, global.View(), w.facts[s.key], engine.ForgetOptions{PurgeHistory: true})
		w.ok(err)
	case "note":
		_, err := w.mem.Remember(ctx, edit.Note{Scope: global, Type: strata.TypeUser, Title: s.key, Body: "It says " + s.word + ".", Hook: "when asked"})
		w.ok(err)
	case "edit":
		w.ok(w.mem.Drain(ctx)) // the file is there
		doc, err := w.mem.Document(ctx, global.View(), s.key)
		w.ok(err)
		path := fileOf(w.home, doc)
		text, err := os.ReadFile(path)
		w.ok(err)
		front, _, _ := strings.Cut(string(text), "It says")
		w.write(path, front+"It says "+s.word+".\n")
		_, err = w.mem.Sync(ctx, global.View())
		w.ok(err)
	case "forget note":
		doc, err := w.mem.Document(ctx, global.View(), s.key)
		w.ok(err)
		_, err = w.mem.Forget(ctx, global.View(), doc.ID, engine.ForgetOptions{PurgeHistory: true})
		w.ok(err)
	case "turn":
		_, err := w.talk.Append(ctx, []strata.Turn{{Role: strata.RoleUser, Text: "Please say " + s.word + " again."}})
		w.ok(err)
	case "state":
		_, _, _, err := w.talk.Forgot(ctx)
		w.ok(err)
		w.ok(w.talk.SaveState(ctx, []byte(`{"at":"`+s.word+`"}`)))
	case "checkpoint":
		_, err := w.mem.Checkpoint(ctx, global, "so far", "ada")
		w.ok(err)
	case "reopen":
		w.ok(w.mem.Close())
		w.open()
	case "compact":
		_, err := w.mem.Doctor(ctx, nil)
		w.ok(err)
	case "reindex":
		_, err := w.mem.Reindex(ctx, nil, nil)
		w.ok(err)
	}
}

// write writes a file as careful editors do.
func (w *worker) write(path, text string) {
	f, err := os.CreateTemp(filepath.Dir(path), ".edited-*")
	w.ok(err)
	_, err = f.WriteString(text)
	w.ok(err)
	w.ok(f.Sync())
	w.ok(f.Close())
	w.ok(os.Rename(f.Name(), path))
	dir, err := os.Open(filepath.Dir(path))
	w.ok(err)
	w.ok(dir.Sync())
	w.ok(dir.Close())
}

func fileOf(home string, d strata.Document) string {
	return filepath.Join(home, "global", filepath.FromSlash(d.Path))
}

// Whatever is done to a memory, and whenever the power is cut: what was acknowledged is
// there, what was forgotten is nowhere, and the memory goes on.
func TestPowerCuts(t *testing.T) {
	cuts, seed := cutsAndSeed(t)
	plan := planOf(seed, 120)
	r := powercut.Record(t, t.TempDir(), func(dir string, acknowledge func(string)) {
		w := &worker{t: t, home: filepath.Join(dir, "home"), facts: make(map[string]string)}
		w.open()
		acknowledge("opened")
		for i, s := range plan {
			w.do(s)
			acknowledge(fmt.Sprint(i))
		}
		w.ok(w.mem.Close())
	})
	r.Cuts(t, cuts, seed, func(t *testing.T, c powercut.Cut) {
		before, gone := held{}, []string(nil)
		done := len(c.Acknowledged) - 1
		for _, s := range plan[:done] {
			var words []string
			before, words = s.after(before)
			gone = append(gone, words...)
		}
		after := before
		if done < len(plan) {
			after, _ = plan[done].after(before)
			t.Logf("%d steps were done, and %+v was under way", done, plan[done])
		}
		home := filepath.Join(c.Dir, "home")
		wantNowhere(t, home, gone)
		wantHeld(t, home, before, after)
	})
}

// wantNowhere looks through all bytes of a home for words that were forgotten.
func wantNowhere(t *testing.T, home string, words []string) {
	t.Helper()
	err := filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, word := range words {
			if bytes.Contains(content, []byte(word)) {
				t.Errorf("%s holds %s, which was forgotten", path, word)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wantHeld opens a home and fails the test unless each thing is as it was before the
// step that was under way, or as it is after it.
func wantHeld(t *testing.T, home string, before, after held) {
	t.Helper()
	ctx := t.Context()
	opened, err := local.Open(ctx, home)
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	defer mem.Close()
	if _, err := mem.Sync(ctx, strata.Global().View()); err != nil {
		t.Fatal(err)
	}
	if err := mem.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	got := heldBy(t, ctx, mem, home)
	for _, h := range []held{before, after, got} {
		for key := range h {
			if got[key] != before[key] && got[key] != after[key] {
				t.Errorf("%s is %q, want %q or %q", key, got[key], before[key], after[key])
			}
		}
	}
	report, err := mem.Doctor(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Problems {
		t.Errorf("doctor: %+v", p)
	}
	// And it goes on.
	d, err := mem.Write(ctx, strata.Candidate{Scope: strata.Global(), Content: "The lantern is lit after all", Type: strata.TypeProject})
	if err != nil || d.FactID == "" {
		t.Errorf("the next write: %+v, %v", d, err)
	}
	if _, err := mem.Checkpoint(ctx, strata.Global(), "afterwards", "ada"); err != nil {
		t.Errorf("the next commit: %v", err)
	}
}

// wordIn is the word between two others.
func wordIn(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	word, _, _ := strings.Cut(rest, after)
	return word
}

func heldBy(t *testing.T, ctx context.Context, mem *engine.Engine, home string) held {
	t.Helper()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	got := held{}
	facts, err := mem.Facts(ctx, strata.Global().View(), strata.FactFilter{})
	ok(err)
	for _, f := range facts {
		got[wordIn(f.Text, "The thing ", " is at")] = wordIn(f.Text, "place ", "\n")
	}
	list, err := mem.Documents(ctx, strata.Global().View(), strata.DocumentFilter{})
	ok(err)
	for _, d := range list {
		if !strings.HasPrefix(d.Path, "notes/") {
			continue
		}
		doc, err := mem.Document(ctx, strata.Global().View(), d.Path)
		ok(err)
		got[doc.Name] = wordIn(doc.Content, "It says ", ".")
		if file, err := os.ReadFile(fileOf(home, doc)); err != nil || wordIn(string(file), "It says ", ".") != got[doc.Name] {
			t.Errorf("the file of %s is %q, %v", doc.Name, file, err)
		}
	}
	talk, err := mem.Talk(ctx, sessions.Options{Session: talkOfCuts})
	ok(err)
	turns, err := talk.Turns(ctx, 0, 1000)
	ok(err)
	for _, turn := range turns {
		word := wordIn(turn.Text, "say ", " again")
		got["turn "+strings.TrimLeft(strings.Trim(word, "wq"), "0")] = word
	}
	state, err := talk.LoadState(ctx)
	ok(err)
	if word := wordIn(string(state), `at":"`, `"`); word != "" {
		got["state"] = word
	}
	return got
}

// A home of an earlier version that is cut off while it is brought up to date is brought
// up to date afterwards, with all it had.
func TestPowerCutsWhileMigrating(t *testing.T) {
	cuts, seed := cutsAndSeed(t)
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	const earlier = "../internal/sqlite/testdata/schema-0015.db.gz"
	unpack(t, earlier, local.Database(home))
	reference := filepath.Join(t.TempDir(), "home")
	if err := os.CopyFS(reference, os.DirFS(home)); err != nil {
		t.Fatal(err)
	}
	migrate(t, reference)
	keys := keysOf(t, local.Database(reference))
	want := rowsOf(t, local.Database(reference), keys)
	r := powercut.Record(t, dir, func(dir string, acknowledge func(string)) {
		acknowledge("begin")
		migrate(t, filepath.Join(dir, "home"))
		acknowledge("migrated")
	})
	r.Cuts(t, cuts, seed, func(t *testing.T, c powercut.Cut) {
		home := filepath.Join(c.Dir, "home")
		migrate(t, home)
		got := rowsOf(t, local.Database(home), keys)
		for table := range want {
			missing(t, 0, table, want[table], got[table])
		}
	})
}

func migrate(t *testing.T, home string) {
	t.Helper()
	opened, err := local.Open(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	sound(t, mem)
	if err := mem.Close(); err != nil {
		t.Fatal(err)
	}
}

func unpack(t *testing.T, from, to string) {
	t.Helper()
	f, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
