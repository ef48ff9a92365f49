package backup_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/backup"
	"github.com/strata-memory/strata/local"
)

// Variables that have the test binary restore a backup over a home, or save into a home
// until its input ends.
const (
	restoreFrom = "BACKUP_TEST_RESTORE_FROM"
	saveInto    = "BACKUP_TEST_SAVE_INTO"
	restoreTo   = "BACKUP_TEST_TO"
	measured    = "BACKUP_TEST_MEASURED" // print the most memory that it took
)

// restoreAsChild restores.
func restoreAsChild(from string) {
	report := killedIn()
	if os.Getenv(measured) != "" {
		report = nil
	}
	_, err := backup.Restore(context.Background(), backup.RestoreOptions{From: from, Home: os.Getenv(restoreTo), Replace: true, Now: time.Now(), Report: report})
	if err != nil {
		fmt.Fprintln(os.Stderr, strata.CodeOf(err), err)
	}
	if report == nil {
		status, _ := os.ReadFile("/proc/self/status")
		os.Stdout.Write(status)
	}
	if err != nil {
		os.Exit(1)
	}
}

// saveAsChild saves one statement for each line that it reads, and answers with what
// became of it.
func saveAsChild(home string) {
	mem, err := local.Open(context.Background(), home)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("open")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if _, err := mem.Save(context.Background(), strata.Global(), lines.Text()); err != nil {
			fmt.Println(strata.CodeOf(err))
			continue
		}
		fmt.Println("saved")
	}
	mem.Close()
}

// saver is a process that has a home open.
type saver struct {
	t      *testing.T
	in     io.WriteCloser
	answer *bufio.Scanner
	wait   func() error
}

func newSaver(t *testing.T, home string) *saver {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), saveInto+"="+home)
	in, err := cmd.StdinPipe()
	ok(t, err)
	out, err := cmd.StdoutPipe()
	ok(t, err)
	ok(t, cmd.Start())
	s := &saver{t: t, in: in, answer: bufio.NewScanner(out), wait: cmd.Wait}
	if got := s.next(); got != "open" {
		t.Fatalf("the other process says %q", got)
	}
	return s
}

func (s *saver) next() string {
	s.t.Helper()
	if !s.answer.Scan() {
		s.t.Fatal("the other process has ended")
	}
	return s.answer.Text()
}

func (s *saver) save(text string) string {
	s.t.Helper()
	_, err := fmt.Fprintln(s.in, text)
	ok(s.t, err)
	return s.next()
}

func (s *saver) end() {
	s.in.Close()
	s.wait()
}

func TestRestoreOverAHomeInUseIsRefused(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	mem := open(t, home)
	fill(t, mem)
	ok(t, mem.Close())
	from := create(t, home)
	s := newSaver(t, home)
	defer s.end()
	if got := s.save("Lanterns hang along the eastern pier"); got != "saved" {
		t.Fatalf("a save: %s", got)
	}
	_, err := backup.Restore(t.Context(), backup.RestoreOptions{From: from, Home: home, Replace: true, Now: noon})
	if strata.CodeOf(err) != strata.CodeBusy {
		t.Errorf("restore = %v", err)
	}
	if got := s.save("Ropes are coiled at the western pier"); got != "saved" {
		t.Errorf("a save after it: %s", got)
	}
	s.end()
	if entries, err := os.ReadDir(filepath.Dir(home)); err != nil || len(entries) != 1 {
		t.Errorf("it left %v, %v", entries, err)
	}
	if mem, err := local.Open(t.Context(), home); err != nil {
		t.Error(err)
	} else {
		facts, err := mem.Facts(t.Context(), strata.Global().View(), strata.FactFilter{Limit: 1000})
		if err != nil || len(facts) != 202 {
			t.Errorf("%d facts, %v", len(facts), err)
		}
		ok(t, mem.Close())
	}
}

// A process that has a home open over which another was put saves nothing into what
// nobody finds again.
func TestASaveIntoAHomeThatWasPutAsideIsRefused(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	mem := open(t, home)
	fill(t, mem)
	ok(t, mem.Close())
	from := create(t, home)
	s := newSaver(t, home)
	defer s.end()
	if got := s.save("Lanterns hang along the eastern pier"); got != "saved" {
		t.Fatalf("a save: %s", got)
	}
	ok(t, os.Rename(home, home+".old")) // so that the home does not look in use
	_, err := backup.Restore(t.Context(), backup.RestoreOptions{From: from, Home: home, Now: noon})
	ok(t, err)
	for i := range 5 {
		if got := s.save(fmt.Sprintf("Crate %d stands under the northern crane", i)); got != string(strata.CodeUnavailable) {
			t.Errorf("save %d: %s", i, got)
		}
	}
}

// A restore that is killed leaves the home that was there, or the new one; both whole.
// The next removes what it left beside.
func TestAKilledRestoreLeavesAWholeHome(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	mem := open(t, home)
	fill(t, mem)
	ok(t, mem.Close())
	from := create(t, home)
	rng := random(t)
	left, killed := 0, 0
	for range 12 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), restoreFrom+"="+from, restoreTo+"="+home, fmt.Sprintf("%s=%d", killIn, 1+rng.IntN(40)))
		if cmd.Run() != nil {
			killed++
		}
		problems, err := local.Examine(t.Context(), home, nil)
		if err != nil || len(problems) > 0 {
			t.Fatalf("the home after a kill: %v, %v", problems, err)
		}
		entries, err := os.ReadDir(dir)
		ok(t, err)
		unfinished := 0
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "home.restoring-") {
				unfinished++
			}
		}
		if unfinished > 1 {
			t.Errorf("%d unfinished restores are there, so none was removed", unfinished)
		}
		left += unfinished
	}
	if killed == 0 || left == 0 {
		t.Errorf("%d processes were killed, and left %d directories", killed, left)
	}
	_, err := backup.Restore(t.Context(), backup.RestoreOptions{From: from, Home: home, Replace: true, Now: noon})
	ok(t, err)
	if names, _ := filepath.Glob(home + ".restoring-*"); len(names) != 0 {
		t.Errorf("the next restore left %v", names)
	}
}
