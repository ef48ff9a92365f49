package backup_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/internal/base/filelock"
)

// daily are the names of the backups that a home made by itself.
func daily(t *testing.T, home string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(backup.Dir(home))
	ok(t, err)
	for _, e := range entries {
		if e.Name() != ".lock" {
			names = append(names, e.Name())
		}
	}
	return names
}

// A home backs itself up once a day; the newest stay, as far as they fit, for their
// owner only, and none is in another.
func TestDaily_KeepsTheNewest(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	mem := open(t, home)
	fill(t, mem)
	make := func(at time.Time, keep int, most int64) bool {
		t.Helper()
		_, done, err := backup.Own{Home: home, Keep: keep, MaxSize: most, Now: func() time.Time { return at }}.Daily(t.Context())
		ok(t, err)
		return done
	}
	if !make(noon, 3, 0) || make(noon.Add(23*time.Hour), 3, 0) {
		t.Fatal("it is not made once a day")
	}
	for day := 1; day <= 4; day++ {
		if !make(noon.AddDate(0, 0, day), 3, 0) {
			t.Fatalf("none was made on day %d", day)
		}
	}
	want := []string{"strata-20261127T120000Z.tar.zst", "strata-20261128T120000Z.tar.zst", "strata-20261129T120000Z.tar.zst"}
	if got := daily(t, home); !slices.Equal(got, want) {
		t.Fatalf("there are %v", got)
	}
	for name, mode := range map[string]os.FileMode{"": 0o700, want[0]: 0o600} {
		info, err := os.Stat(filepath.Join(backup.Dir(home), name))
		ok(t, err)
		if info.Mode().Perm() != mode {
			t.Errorf("%q has mode %v", name, info.Mode())
		}
	}
	r, err := backup.Restore(t.Context(), backup.RestoreOptions{From: filepath.Join(backup.Dir(home), want[2]), Home: filepath.Join(t.TempDir(), "h"), Now: noon})
	ok(t, err)
	if slices.ContainsFunc(r.Left, func(l backup.Left) bool { return strings.HasPrefix(l.Path, "backups") }) {
		t.Errorf("the backup holds %v", r.Left)
	}
	info, err := os.Stat(filepath.Join(backup.Dir(home), want[2]))
	ok(t, err)
	make(noon.AddDate(0, 0, 5), 3, 2*info.Size()+info.Size()/2)
	if got := daily(t, home); len(got) != 2 {
		t.Errorf("where two fit there are %v", got)
	}
	make(noon.AddDate(0, 0, 6), 3, 1)
	if got := daily(t, home); len(got) != 1 || got[0] != "strata-20261201T120000Z.tar.zst" {
		t.Errorf("where none fits there are %v", got)
	}
	// A clock that was wrong for once is not believed.
	make(noon.AddDate(-1, 0, 0), 1, 0)
	if got := daily(t, home); len(got) != 1 || got[0] != "strata-20251125T120000Z.tar.zst" {
		t.Errorf("the one that was just made is gone: %v", got)
	}
}

// Doctor names the backups, and what is forgotten is in none of them any more.
func TestDaily_HoldsNothingThatWasForgotten(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	mem := open(t, home)
	fill(t, mem)
	_, done, err := backup.Own{Home: home, Keep: 2, Now: func() time.Time { return noon }}.Daily(t.Context())
	ok(t, err)
	report, err := mem.Doctor(t.Context(), nil)
	ok(t, err)
	if !done || len(report.Copies) != 1 || filepath.Dir(report.Copies[0]) != backup.Dir(home) {
		t.Errorf("doctor names %v", report.Copies)
	}
	d, err := mem.Write(t.Context(), strata.Candidate{Scope: strata.Global(), Origin: strata.OriginCLI, Content: "The heron stands in the reeds"})
	ok(t, err)
	res, err := mem.Forget(t.Context(), strata.Global().View(), d.FactID, engine.ForgetOptions{Origin: strata.OriginCLI})
	ok(t, err)
	if got := daily(t, home); len(got) != 0 {
		t.Errorf("after a forget there are %v", got)
	}
	if slices.ContainsFunc(res.Remaining, func(s string) bool { return strings.Contains(s, "backups") }) {
		t.Errorf("it names %v", res.Remaining)
	}
}

// Whoever asks gets a backup at any time; those that stay are as many as without asking.
func TestOwn(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	fill(t, open(t, home))
	at := noon
	own := backup.Own{Home: home, Keep: 2, Now: func() time.Time { return at }}
	if list, err := own.List(); err != nil || len(list) != 0 {
		t.Fatalf("before the first: %v, %v", list, err)
	}
	for minute := range 3 {
		at = noon.Add(time.Duration(minute) * time.Minute)
		made, err := own.Make(t.Context(), nil)
		ok(t, err)
		list, err := own.List()
		ok(t, err)
		if len(list) != min(minute+1, 2) || list[0].File != made.File || !list[0].Time.Equal(at) || list[0].Size != made.Size {
			t.Errorf("after %d minutes %+v", minute, list)
		}
	}
	lock, err := os.OpenFile(filepath.Join(backup.Dir(home), ".lock"), os.O_RDWR, 0)
	ok(t, err)
	defer lock.Close()
	if held, err := filelock.Try(lock); err != nil || !held {
		t.Fatalf("lock: %v, %v", held, err)
	}
	at = noon.Add(time.Hour)
	if _, err := own.Make(t.Context(), nil); strata.CodeOf(err) != strata.CodeBusy {
		t.Errorf("while another process is about one: %v", err)
	}
	if got := daily(t, home); len(got) != 2 {
		t.Errorf("then %v", got)
	}
}
