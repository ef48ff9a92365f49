package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/strata-memory/strata"
)

// Writers of one file in eight processes, each adding lines of its own by
// compare-and-swap.
func TestWritersInEightProcessesLoseNothing(t *testing.T) {
	const processes, each = 8, 20
	s := newStand(t)
	if _, err := s.Write(t.Context(), strata.Global(), "notes/shared.md", nil, strata.NoFile); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range processes {
		wg.Go(func() {
			if out, err := process(t, "append", s.home, strconv.Itoa(i), strconv.Itoa(each)).CombinedOutput(); err != nil {
				t.Errorf("process %d: %v\n%s", i, err, out)
			}
		})
	}
	wg.Wait()
	f, err := s.Read(t.Context(), strata.Global(), "notes/shared.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(f.Content))
	slices.Sort(lines)
	if all := len(lines); all != processes*each || len(slices.Compact(lines)) != all {
		t.Errorf("%d lines, want %d", all, processes*each)
	}
	if got := tempFiles(t, s.home); len(got) > 0 {
		t.Errorf("left over: %v", got)
	}
}

// tempFiles lists what writers may leave, below a directory.
func tempFiles(t *testing.T, dir string) []string {
	t.Helper()
	return slices.DeleteFunc(under(t, dir), func(p string) bool {
		return !strings.HasSuffix(p, ".tmp") || filepath.Base(p) == lockName
	})
}

func TestTooFewOpenFilesToWatchIsSaid(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "global"), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := process(t, "watch", home).CombinedOutput()
	if err == nil || !strings.HasPrefix(string(out), string(strata.CodeUnavailable)) {
		t.Errorf("%v, %s", err, out)
	}
}
