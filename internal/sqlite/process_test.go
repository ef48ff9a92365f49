package sqlite_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

func open(t testing.TB, path string, opts *sqlite.Options) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(context.Background(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// sound fails the test unless the store finds nothing wrong with itself.
func sound(t testing.TB, db *sqlite.DB) {
	t.Helper()
	problems, err := db.Check(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("check found %+v", p)
	}
}

// facts returns the ids of all current facts of the global scope.
func facts(t testing.TB, db *sqlite.DB) map[string]bool {
	t.Helper()
	out := make(map[string]bool)
	err := db.View(context.Background(), func(r store.Reader) error {
		after := ""
		for {
			page, err := r.Facts(context.Background(), strata.Global(), strata.FactFilter{After: after, Limit: 1000})
			if err != nil || len(page) == 0 {
				return err
			}
			for _, f := range page {
				if out[f.ID] {
					return fmt.Errorf("fact %s is listed twice", f.ID)
				}
				out[f.ID] = true
			}
			after = page[len(page)-1].ID
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestProcesses_ManyWriteOneStoreAndLoseNothing(t *testing.T) {
	const processes, each = 4, 200
	path := filepath.Join(t.TempDir(), "home", "strata.db") // made by whoever is first
	var started []*exec.Cmd
	var out, errs [processes]bytes.Buffer
	for i := range processes {
		c := child(t, "write", path, fmt.Sprint("p", i), each)
		c.Stdout, c.Stderr = &out[i], &errs[i]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		started = append(started, c)
	}
	for i, c := range started {
		if err := c.Wait(); err != nil || errs[i].Len() > 0 {
			t.Errorf("writer %d: %v\n%s", i, err, errs[i].String())
		}
	}
	db := open(t, path, nil)
	got := facts(t, db)
	if len(got) != processes*each {
		t.Errorf("%d facts are stored, %d were written", len(got), processes*each)
	}
	for i := range out {
		for _, id := range lines(&out[i]) {
			if !got[id] {
				t.Errorf("fact %s was acknowledged and is gone", id)
			}
		}
	}
	sound(t, db)
}

func TestProcesses_AReaderSeesWhatAnotherCommits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "strata.db")
	db := open(t, path, nil)
	if n := len(facts(t, db)); n != 0 {
		t.Fatalf("an empty store holds %d facts", n)
	}
	if out, err := child(t, "write", path, "other", 3).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := len(facts(t, db)); n != 3 {
		t.Errorf("%d facts are seen of 3 that another process wrote", n)
	}
	if err := save(db, newFact("fact_mine", "mine")); err != nil {
		t.Fatal(err)
	}
	sound(t, db)
}

// What another process commits is found by the next search, also in memory.
func TestProcesses_AReaderFindsByWordsWhatAnotherCommits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "strata.db")
	db := open(t, path, nil)
	db.KeepPostingsAtOnce()
	for round := 1; round <= 3; round++ {
		if out, err := child(t, "write", path, fmt.Sprint("other", round), 2).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		err := db.View(context.Background(), func(r store.Reader) error {
			m, err := r.Match(context.Background(), strata.Global(), []string{"writer", fmt.Sprint("other", round)}, store.Filter{}, store.MatchOptions{})
			if len(m.Terms[0]) != 2*round || len(m.Terms[1]) != 2 || m.Total != int64(2*round) {
				t.Errorf("round %d: %d of all and %d of the new are found, of %d", round, len(m.Terms[0]), len(m.Terms[1]), m.Total)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	sound(t, db)
}

// A killed writer must leave every fact that it acknowledged, once, and
// nothing half-written.
func TestProcesses_KilledWriterLosesNothingAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "strata.db")
	acknowledged := make(map[string]bool)
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 12 {
		c := child(t, "write", path, fmt.Sprint("r", round), 1_000_000)
		stdout, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		s := bufio.NewScanner(stdout)
		for range 1 + random.IntN(40) {
			if !s.Scan() {
				t.Fatal("the writer ended by itself")
			}
			acknowledged[s.Text()] = true
		}
		time.AfterFunc(time.Duration(random.IntN(2000))*time.Microsecond, func() { c.Process.Kill() })
		for s.Scan() {
			if id := s.Text(); strings.HasPrefix(id, "fact_") && len(id) == len(fmt.Sprintf("fact_r%d_%06d", round, 0)) {
				acknowledged[id] = true
			}
		}
		c.Wait() // says that it was killed

		db := open(t, path, nil)
		got := facts(t, db)
		for id := range acknowledged {
			if !got[id] {
				t.Fatalf("round %d: fact %s was acknowledged and is gone", round, id)
			}
		}
		sound(t, db)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d acknowledged facts survived", len(acknowledged))
}

func TestProcesses_AStoreHeldTooLongIsBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "strata.db")
	db := open(t, path, &sqlite.Options{BusyTimeout: 30 * time.Millisecond})
	c := child(t, "hold", path, "", 0)
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if !bufio.NewScanner(stdout).Scan() {
		t.Fatal("the holder ended by itself")
	}
	err = save(db, newFact("fact_mine", "mine"))
	if strata.CodeOf(err) != strata.CodeBusy {
		t.Errorf("got %v, want busy", err)
	}
	if n := len(facts(t, db)); n != 0 {
		t.Errorf("a reader is not kept from reading, and sees %d facts that are not committed", n)
	}
	stdin.Close()
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := save(db, newFact("fact_mine", "mine")); err != nil {
		t.Errorf("after the other let go: %v", err)
	}
}
