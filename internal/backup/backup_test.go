package backup_test

import (
	"bytes"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
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
	seed  = flag.Uint64("backup.seed", 0, "seed of what is random; 0 takes one at random")
	flips = flag.Int("backup.flips", 300, "changes of a backup that must be found")
)

var noon = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, home string) *engine.Engine {
	t.Helper()
	opened, err := local.Open(t.Context(), home)
	ok(t, err)
	mem := opened.Engine()
	t.Cleanup(func() { mem.Close() })
	return mem
}

func random(t *testing.T) *rand.Rand {
	t.Helper()
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("-backup.seed=%d", *seed)
	return rand.New(rand.NewPCG(*seed, 1))
}

// fill makes memory of each kind.
func fill(t *testing.T, mem *engine.Engine) {
	t.Helper()
	ctx := t.Context()
	var cs []strata.Candidate
	for i := range 200 {
		cs = append(cs, strata.Candidate{Scope: strata.Global(), Origin: strata.OriginCLI,
			Content: fmt.Sprintf("Box %d in the harbor holds %d violins from Bergen", i, i*7)})
	}
	_, err := mem.WriteBatch(ctx, cs)
	ok(t, err)
	talk, err := mem.Talk(ctx, sessions.Options{View: strata.Global().View(), Scope: strata.Global()})
	ok(t, err)
	for i := range 30 {
		_, err := talk.Append(ctx, []strata.Turn{{Role: strata.RoleUser, Text: fmt.Sprintf("The kettle %d stands beside lantern %d", i, i*3)}})
		ok(t, err)
	}
	_, err = mem.Remember(ctx, edit.Note{Type: strata.TypeUser, Title: "Orchard", Body: "Pears ripen in October.", Hook: "when asked", Origin: strata.OriginCLI})
	ok(t, err)
	ok(t, mem.Drain(ctx))
}

// rows are all rows of the tables that memory is made of.
func rows(t *testing.T, home string) map[string]bool {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+local.Database(home)+"?mode=ro")
	ok(t, err)
	defer db.Close()
	list := make(map[string]bool)
	for _, table := range []string{"fact", "turn", "decision", "session", "document"} {
		r, err := db.QueryContext(t.Context(), `SELECT * FROM `+table)
		ok(t, err)
		columns, err := r.Columns()
		ok(t, err)
		for r.Next() {
			values, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				to[i] = &values[i]
			}
			ok(t, r.Scan(to...))
			list[fmt.Sprint(table, values)] = true
		}
		ok(t, r.Err())
		r.Close()
	}
	return list
}

func answers(t *testing.T, mem *engine.Engine) (list []string) {
	t.Helper()
	for _, q := range []string{"which box holds 70 violins?", "where does kettle 7 stand?", "when do pears ripen?"} {
		found, err := mem.Recall(t.Context(), strata.Global().View(), q)
		ok(t, err)
		for _, h := range found.Hits {
			list = append(list, fmt.Sprintf("%s: %s %s %.6f", q, h.ID, h.Text, h.Score))
		}
	}
	return list
}

func create(t *testing.T, home string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "b.tar.zst")
	c, err := backup.Create(t.Context(), backup.Options{Home: home, To: to, Strata: "test", Now: noon})
	ok(t, err)
	if info, err := os.Stat(c.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %v, %v", info.Mode(), err)
	}
	return to
}

func restore(t *testing.T, from string) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "restored")
	_, err := backup.Restore(t.Context(), backup.RestoreOptions{From: from, Home: home, Now: noon})
	ok(t, err)
	return home
}

func TestARestoredHomeIsTheSame(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	mem := open(t, home)
	fill(t, mem)
	want := rows(t, home)
	again := restore(t, create(t, home))
	if got := rows(t, again); !maps.Equal(got, want) {
		t.Errorf("%d rows, want the same %d", len(got), len(want))
	}
	for _, name := range []string{"global/MEMORY.md"} {
		was, err := os.ReadFile(filepath.Join(home, name))
		ok(t, err)
		is, err := os.ReadFile(filepath.Join(again, name))
		if err != nil || !bytes.Equal(is, was) {
			t.Errorf("%s: %v, %d bytes, want %d", name, err, len(is), len(was))
		}
	}
	if got, want := answers(t, open(t, again)), answers(t, mem); len(want) < 3 || !slices.Equal(got, want) {
		t.Errorf("answers %q, want %q", got, want)
	}
}

func TestWritersGoOnDuringABackup(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	mem := open(t, home)
	fill(t, mem)
	before := rows(t, home)
	ctx, stop := context.WithCancel(t.Context())
	var acknowledged sync.Map // id of a fact: true
	var during atomic.Int64
	var wait sync.WaitGroup
	first := make(chan struct{}, 8)
	for w := range 8 {
		wait.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				d, err := mem.Save(t.Context(), strata.Global(), fmt.Sprintf("Parcel %d-%d goes to platform %d", w, i, w*1000+i))
				if err != nil {
					t.Error(err)
					return
				}
				acknowledged.Store(d.FactID, true)
				during.Add(1)
				if i == 0 {
					first <- struct{}{}
				}
			}
		})
	}
	for range 8 {
		<-first
	}
	var ids []string
	acknowledged.Range(func(id, _ any) bool { ids = append(ids, id.(string)); return true })
	saved := during.Load()
	from := create(t, home)
	saved = during.Load() - saved
	stop()
	wait.Wait()
	if saved == 0 {
		t.Error("nobody saved anything during the backup")
	}
	again := restore(t, from)
	got := rows(t, again)
	for row := range before {
		if !got[row] {
			t.Errorf("lost %.200s", row)
		}
	}
	restored := open(t, again)
	for _, id := range ids {
		if _, err := restored.Fact(t.Context(), strata.Global().View(), id); err != nil {
			t.Errorf("a fact that was acknowledged before: %v", err)
		}
	}
	report, err := restored.Doctor(t.Context(), nil)
	if err != nil || len(report.Problems) > 0 {
		t.Errorf("doctor of the restored home: %v %v", err, report.Problems)
	}
	t.Logf("%d saves during the backup", saved)
}

func TestADamagedBackupIsRefused(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	mem := open(t, home)
	_, err := mem.Save(t.Context(), strata.Global(), "The ferry leaves at noon")
	ok(t, err)
	ok(t, mem.Drain(t.Context()))
	sound, err := os.ReadFile(create(t, home))
	ok(t, err)
	rng := random(t)
	dir := t.TempDir()
	refused := func(what string, data []byte) {
		t.Helper()
		path, target := filepath.Join(dir, "b"), filepath.Join(dir, "target")
		ok(t, os.WriteFile(path, data, 0o600))
		for _, dry := range []bool{true, false} {
			_, err := backup.Restore(t.Context(), backup.RestoreOptions{From: path, Home: target, DryRun: dry, Now: noon})
			if code := strata.CodeOf(err); code != strata.CodeCorrupt && code != strata.CodeInvalid {
				t.Errorf("%s: %v, want corrupt or invalid", what, err)
			}
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 1 {
			t.Fatalf("%s: left %v", what, entries)
		}
	}
	for i := range *flips {
		// Each part of the file in turn, and its first and last bytes more often.
		at := (i*len(sound) + rng.IntN(len(sound))) / *flips
		switch i % 3 {
		case 1:
			at = rng.IntN(40)
		case 2:
			at = len(sound) - 1 - rng.IntN(150)
		}
		data := slices.Clone(sound)
		for j := at; j < min(len(data), at+1+rng.IntN(8)); j++ {
			data[j] ^= byte(1 + rng.IntN(255))
		}
		refused(fmt.Sprint("changed from byte ", at), data)
	}
	for range 50 {
		n := rng.IntN(len(sound))
		refused(fmt.Sprint("cut off at byte ", n), sound[:n])
	}
	refused("longer", append(slices.Clone(sound), 0))
	refused("foreign", []byte("PK and so on, and a bit more text"))
}
