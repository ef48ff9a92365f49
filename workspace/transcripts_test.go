package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

// says is content of a text.
func says(s string) files.Content {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// held returns what stands at a place, or the code of the error.
func held(t *testing.T, tr *Transcripts, place string) string {
	t.Helper()
	f, err := tr.Open(context.Background(), place)
	if err != nil {
		return string(strata.CodeOf(err))
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// under lists the files below a directory, those of the lock left out.
func under(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != ".lock" {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTranscriptsStandInTheirScope(t *testing.T) {
	home, root, bare := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".strata"), 0o755); err != nil {
		t.Fatal(err)
	}
	id := "01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"
	tr := NewTranscripts(home, map[string]string{id: root, "bare": bare})
	for _, c := range []struct {
		scope           strata.Scope
		place, dir, rel string
	}{
		{strata.Global(), "home/global/transcripts/s1.jsonl", home, "global/transcripts/s1.jsonl"},
		{strata.ForAgent("coder"), "home/agents/coder/transcripts/s1.jsonl", home, "agents/coder/transcripts/s1.jsonl"},
		{strata.InWorkspace(id), "workspace/" + id + "/transcripts/s1.jsonl", root, ".strata/transcripts/s1.jsonl"},
		{strata.ForAgentIn(id, "coder"), "workspace/" + id + "/agents/coder/transcripts/s1.jsonl", root, ".strata/agents/coder/transcripts/s1.jsonl"},
		{strata.InWorkspace("bare"), "home/workspaces/bare/transcripts/s1.jsonl", home, "workspaces/bare/transcripts/s1.jsonl"},
		{strata.ForAgentIn("far", "coder"), "home/workspaces/far/agents/coder/transcripts/s1.jsonl", home, "workspaces/far/agents/coder/transcripts/s1.jsonl"},
	} {
		place := tr.Place(c.scope, "s1")
		if place != c.place {
			t.Errorf("%s: place %s, want %s", c.scope, place, c.place)
			continue
		}
		if err := tr.Write(context.Background(), place, says("x")); err != nil {
			t.Errorf("%s: %v", c.scope, err)
			continue
		}
		file := filepath.Join(c.dir, filepath.FromSlash(c.rel))
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", c.scope, info, err)
			continue
		}
		if info, err = os.Stat(filepath.Dir(file)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: directory %v, %v", c.scope, info, err)
		}
	}
	ignore, err := os.ReadFile(filepath.Join(root, ".strata", "transcripts", ".gitignore"))
	if err != nil || string(ignore) != "*\n" {
		t.Errorf("git would take the transcripts: %q, %v", ignore, err)
	}
	if got := under(t, bare); len(got) > 0 {
		t.Errorf("files in a project without .strata: %v", got)
	}
}

func TestATranscriptIsWrittenOnce(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	tr := NewTranscripts(home, nil)
	place := tr.Place(strata.Global(), "s1")
	if got := held(t, tr, place); got != string(strata.CodeNotFound) {
		t.Errorf("before: %s", got)
	}
	long := strings.Repeat("line\n", 50_000)
	for range 2 {
		if err := tr.Write(ctx, place, says(long)); err != nil {
			t.Fatal(err)
		}
	}
	for _, other := range []string{long[:len(long)-1], long + "x", "", strings.Replace(long, "i", "j", 1)} {
		if err := tr.Write(ctx, place, says(other)); strata.CodeOf(err) != strata.CodeConflict {
			t.Errorf("other bytes: %v", err)
		}
	}
	if held(t, tr, place) != long {
		t.Error("the transcript changed")
	}
	if err := tr.Replace(ctx, place, says("new")); err != nil || held(t, tr, place) != "new" {
		t.Errorf("replaced: %v", err)
	}
	broken := errors.New("broken")
	err := tr.Replace(ctx, place, func(w io.Writer) error {
		return errors.Join(says(long)(w), broken)
	})
	if !errors.Is(err, broken) || held(t, tr, place) != "new" {
		t.Errorf("content that fails: %v, %s", err, held(t, tr, place))
	}
	if got := under(t, home); len(got) != 1 {
		t.Errorf("files %v", got)
	}
	for range 2 {
		if err := tr.Remove(ctx, place); err != nil {
			t.Fatal(err)
		}
	}
	if err := tr.Remove(ctx, tr.Place(strata.ForAgent("nobody"), "s1")); err != nil {
		t.Fatal(err)
	}
	if got := under(t, home); len(got) != 0 {
		t.Errorf("files %v", got)
	}
}

func TestNoPlaceLeadsOutside(t *testing.T) {
	home, outside, ctx := t.TempDir(), t.TempDir(), context.Background()
	tr := NewTranscripts(home, nil)
	for _, place := range []string{
		"", "/", "home", "home/x.jsonl", "home/../transcripts/x.jsonl", "home/transcripts/../../x.jsonl", "home/global/transcripts/x.txt",
		"home//transcripts/x.jsonl", "/etc/transcripts/x.jsonl", "elsewhere/transcripts/x.jsonl", "home/global/transcripts/",
	} {
		if err := tr.Write(ctx, place, says("x")); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%q: %v", place, err)
		}
	}
	if err := tr.Write(ctx, "workspace/w1/transcripts/x.jsonl", says("x")); strata.CodeOf(err) != strata.CodeUnavailable {
		t.Errorf("a workspace that is not at hand: %v", err)
	}
	// A link out of the home is not followed, neither for directories nor files.
	if err := os.Symlink(outside, filepath.Join(home, "global")); err != nil {
		t.Fatal(err)
	}
	if err := tr.Write(ctx, tr.Place(strata.Global(), "s1"), says("x")); err == nil {
		t.Error("a linked directory was followed")
	}
	place := tr.Place(strata.ForAgent("a"), "s1")
	if err := tr.Write(ctx, tr.Place(strata.ForAgent("a"), "s2"), says("x")); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(outside, "target")
	if err := os.Symlink(target, filepath.Join(home, "agents/a/transcripts/s1.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := tr.Replace(ctx, place, says("x")); strata.CodeOf(err) != strata.CodeConflict {
		t.Errorf("a link in place of the file: %v", err)
	}
	if got := under(t, outside); len(got) > 0 {
		t.Errorf("written outside: %v", got)
	}
}

func TestManyWritersLeaveOneWhole(t *testing.T) {
	home, ctx := t.TempDir(), context.Background()
	var wg sync.WaitGroup
	place := NewTranscripts(home, nil).Place(strata.Global(), "s1")
	for i := range 8 {
		wg.Go(func() {
			tr := NewTranscripts(home, nil)
			text := strings.Repeat(fmt.Sprint(i), 100_000)
			for range 5 {
				if err := tr.Replace(ctx, place, says(text)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got := held(t, NewTranscripts(home, nil), place)
	if len(got) != 100_000 || strings.Trim(got, got[:1]) != "" {
		t.Errorf("%d bytes, mixed", len(got))
	}
	if got := under(t, home); len(got) != 1 {
		t.Errorf("files %v", got)
	}
}

func TestTwoNamesNeverShareAFile(t *testing.T) {
	fold := func(s string) string { return strings.ToLower(norm.NFC.String(s)) }
	for _, s := range []string{"con", "Con", "lpt1", "..", ".hidden", "a.b", "A", "", "日本語", strings.Repeat("a", 256), "-x", "01jd5zq9v7m3t8xkq2r4w6y0ab"} {
		got := fileName(s)
		if got == s || len(got) > 100 || strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789_-=") != "" || strings.HasPrefix(got, "-") {
			t.Errorf("%q has the file name %q", s, got)
		}
	}
	for _, s := range []string{"one", "session_2", "0-a", "01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"} {
		if got := fileName(s); got != s {
			t.Errorf("%q has the file name %q", s, got)
		}
	}
	name := rapid.OneOf(rapid.StringMatching(`[aAbB01._=\-]{1,6}`), rapid.String(), rapid.SampledFrom([]string{"e\u0301", "é", "É", "ﬀ", "ff", "K", "k", "k"}))
	rapid.Check(t, func(r *rapid.T) {
		a, b := name.Draw(r, "a"), name.Draw(r, "b")
		if a != b && fold(fileName(a)) == fold(fileName(b)) {
			r.Fatalf("%q and %q share %q", a, b, fileName(a))
		}
		if again := fileName(fileName(a)); strings.Contains(fileName(a), "=") && again == fileName(a) {
			r.Fatalf("%q is taken for the encoding of %q", fileName(a), a)
		}
	})
}

func TestSameBytesComparesToTheEnd(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 200_000)
	for _, c := range []struct {
		a, b []byte
		want bool
	}{{nil, nil, true}, {long, long, true}, {long, long[1:], false}, {long, append(bytes.Clone(long[1:]), 'y'), false}, {nil, long, false}} {
		got, err := sameBytes(bytes.NewReader(c.a), bytes.NewReader(c.b))
		if err != nil || got != c.want {
			t.Errorf("%d and %d bytes: %v, %v", len(c.a), len(c.b), got, err)
		}
	}
}

// Archives lie in the home, whatever has a directory of its own, and no place leads elsewhere.
func TestArchivesStandInTheHome(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".strata"), 0o755); err != nil {
		t.Fatal(err)
	}
	archives := NewArchives(home)
	for scope, want := range map[strata.Scope]string{
		strata.Global():                   "archive/global/a1.jsonl.gz",
		strata.ForAgent("coder"):          "archive/agents/coder/a1.jsonl.gz",
		strata.ForAgentIn("far", "coder"): "archive/workspaces/far/agents/coder/a1.jsonl.gz",
	} {
		place := archives.Place(scope, "a1")
		if place != "home/"+want {
			t.Errorf("%s: place %s", scope, place)
			continue
		}
		if err := archives.Write(t.Context(), place, says("x")); err != nil {
			t.Errorf("%s: %v", scope, err)
		}
		file := filepath.Join(home, filepath.FromSlash(want))
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", scope, info, err)
		}
		if err := archives.Remove(t.Context(), place); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(file); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", file, err)
		}
	}
	for _, place := range []string{"home/global/transcripts/a1.jsonl", "home/archive/../a1.jsonl.gz", "home/a1.jsonl.gz", "home/archive/a1.jsonl.gz", "workspace/x/archive/a1.jsonl.gz", ""} {
		if _, err := archives.Open(t.Context(), place); err == nil {
			t.Errorf("%q is a place", place)
		}
	}
}
