//go:build failpoint

package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/store/files"
)

// TestCrashBetweenTempFileAndRename kills a writer at each point of writing a
// file. What stands is the old file or the new one, whole; what was left beside
// it goes with the next scan, and the write can be done again.
func TestCrashBetweenTempFileAndRename(t *testing.T) {
	const doc, before, after = "notes/shared.md", "the old text\n", "the new text\n"
	for _, point := range []string{failpoint.FileFilled, failpoint.FileRenamed} {
		for _, old := range []string{"", before} {
			s, ctx := newStand(t), t.Context()
			base := strata.NoFile
			if old != "" {
				f, err := s.Write(ctx, strata.Global(), doc, []byte(old), base)
				if err != nil {
					t.Fatal(err)
				}
				base = f.Hash
			}
			cmd := process(t, "write", s.home, after, base)
			cmd.Env = append(cmd.Env, "STRATA_FAILPOINT="+point)
			if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("the writer was not killed at %s: %v\n%s", point, err, out)
			}
			want := old
			if point == failpoint.FileRenamed {
				want = after
			} else if got := tempFiles(t, s.home); len(got) != 1 {
				t.Errorf("%s: beside the file lies %v", point, got)
			}
			c, err := s.Scan(ctx, strata.Global(), nil)
			if err != nil || len(c.Skipped) > 0 {
				t.Fatalf("%s: scan %+v, %v", point, c, err)
			}
			if want == "" && len(c.Changed) > 0 || want != "" && (len(c.Changed) != 1 || string(c.Changed[0].Content) != want) {
				t.Errorf("%s: found %+v, want %q", point, c.Changed, want)
			}
			if got := tempFiles(t, s.home); len(got) > 0 {
				t.Errorf("%s: left over after a scan: %v", point, got)
			}
			f, err := s.Write(ctx, strata.Global(), doc, []byte(after), base)
			if err != nil || f.Hash != files.Hash([]byte(after)) {
				t.Errorf("%s: the replay: %v", point, err)
			}
		}
	}
}

func TestCrashLeftoverGoesWithTheNextWrite(t *testing.T) {
	s, ctx := newStand(t), t.Context()
	dir, _ := s.Directory(strata.Global())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, tempName), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(ctx, strata.Global(), "notes/none.md", strata.NoFile); err != nil {
		t.Fatal(err)
	}
	if got := tempFiles(t, s.home); len(got) > 0 {
		t.Errorf("left over: %v", got)
	}
}
