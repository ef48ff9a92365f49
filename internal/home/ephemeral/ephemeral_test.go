//go:build unix

package ephemeral

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// holdEnv makes the test binary hold a directory inside the named parent until
// it is killed.
const holdEnv = "STRATA_TEST_HOLD_IN"

func TestMain(m *testing.M) {
	if parent := os.Getenv(holdEnv); parent != "" {
		d, err := New(parent)
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(d.Root)
		select {}
	}
	os.Exit(m.Run())
}

func TestCloseRemovesEverything(t *testing.T) {
	parent := t.TempDir()
	d, err := New(parent)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{d.Root, d.Home, d.Workspace} {
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %v, want 0700", dir, info.Mode().Perm())
		}
	}
	if err := os.WriteFile(filepath.Join(d.Home, "strata.db"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	wantEntries(t, parent)
}

func TestSweepRemovesWhatAKilledRunLeft(t *testing.T) {
	parent := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), holdEnv+"="+parent)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the child said nothing: %v", err)
	}
	root := strings.TrimSpace(line)

	removed, err := Sweep(parent)
	if err != nil || len(removed) != 0 {
		t.Fatalf("Sweep during a live run = %v, %v; want nothing", removed, err)
	}
	if err := os.WriteFile(filepath.Join(root, "home", "strata.db"), []byte("x"), 0o600); err != nil {
		t.Fatalf("the live directory was touched: %v", err)
	}

	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait() // the error is the kill
	removed, err = Sweep(parent)
	if err != nil || len(removed) != 1 || removed[0] != root {
		t.Fatalf("Sweep after the kill = %v, %v; want %s", removed, err, root)
	}
	wantEntries(t, parent)
}

func TestSweepLeavesWhatIsNotOurs(t *testing.T) {
	parent := t.TempDir()
	outside := filepath.Join(t.TempDir(), "kept")
	must(t, os.MkdirAll(outside, 0o700))
	must(t, os.WriteFile(filepath.Join(outside, lockName), nil, 0o600))

	must(t, os.MkdirAll(filepath.Join(parent, prefix+"notes"), 0o700)) // the prefix, but no lock file
	must(t, os.WriteFile(filepath.Join(parent, prefix+"notes", "a.md"), nil, 0o600))
	must(t, os.WriteFile(filepath.Join(parent, prefix+"file"), nil, 0o600))
	must(t, os.MkdirAll(filepath.Join(parent, "other"), 0o700))
	must(t, os.WriteFile(filepath.Join(parent, "other", lockName), nil, 0o600))
	must(t, os.Symlink(outside, filepath.Join(parent, prefix+"link")))
	must(t, os.MkdirAll(filepath.Join(parent, prefix+"linked"), 0o700)) // its lock file leads elsewhere
	must(t, os.Symlink(filepath.Join(outside, lockName), filepath.Join(parent, prefix+"linked", lockName)))

	removed, err := Sweep(parent)
	if err != nil || len(removed) != 0 {
		t.Fatalf("Sweep = %v, %v; want nothing", removed, err)
	}
	wantEntries(t, parent, "other", prefix+"file", prefix+"link", prefix+"linked", prefix+"notes")
	wantEntries(t, outside, lockName)
}

func TestSweepFinishesAnInterruptedStart(t *testing.T) {
	parent := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(parent, prefix+"empty"), 0o700))
	must(t, os.MkdirAll(filepath.Join(parent, prefix+"locked"), 0o700))
	must(t, os.WriteFile(filepath.Join(parent, prefix+"locked", lockName), nil, 0o600))
	removed, err := Sweep(parent)
	if err != nil || len(removed) != 2 {
		t.Fatalf("Sweep = %v, %v; want both directories", removed, err)
	}
	wantEntries(t, parent)
}

// Sweepers run while processes start: no directory may vanish once New has
// returned it.
func TestNewWinsAgainstSweepers(t *testing.T) {
	parent := t.TempDir()
	stop := make(chan struct{})
	var sweepers, makers sync.WaitGroup
	for range 2 {
		sweepers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := Sweep(parent); err != nil {
					t.Errorf("sweep: %v", err)
					return
				}
			}
		})
	}
	for range 4 {
		makers.Go(func() {
			for range 50 {
				d, err := New(parent)
				if err != nil {
					t.Errorf("new: %v", err)
					return
				}
				for _, dir := range []string{d.Home, d.Workspace} {
					if _, err := os.Stat(dir); err != nil {
						t.Errorf("a live directory lost its content: %v", err)
					}
				}
				if err := d.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			}
		})
	}
	makers.Wait()
	close(stop)
	sweepers.Wait()
}

func wantEntries(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%s holds %v, want %v", dir, got, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
