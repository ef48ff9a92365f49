//go:build amd64 || arm64

package workspace

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/powercut"
	"github.com/strata-memory/strata/store/files"
)

// What was acknowledged is on the disk: bytes before their name, and the
// directory of a name that came or went. Nothing of what is written next is seen.
func TestFilesAreDurable(t *testing.T) {
	ctx, g := t.Context(), strata.Global()
	const place = "home/global/transcripts/session_1.jsonl"
	r := powercut.Record(t, t.TempDir(), func(dir string, acknowledge func(string)) {
		s := NewTree(dir, nil)
		text := func(text string) files.Content {
			return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
		}
		transcripts := NewTranscripts(dir, nil)
		// What makes the directories is preparation.
		b, err := s.Write(ctx, g, "notes/b.md", []byte("there"), strata.NoFile)
		must(t, err)
		must(t, transcripts.Write(ctx, "home/global/transcripts/session_0.jsonl", text("there")))
		acknowledge("begin")

		a, err := s.Write(ctx, g, "notes/a.md", []byte("one"), strata.NoFile)
		must(t, err)
		acknowledge("a new document")
		a, err = s.Write(ctx, g, "notes/a.md", []byte("two"), a.Hash)
		must(t, err)
		acknowledge("a changed document")
		must(t, s.Remove(ctx, g, "notes/b.md", b.Hash))
		acknowledge("a removed document")

		must(t, transcripts.Write(ctx, place, text("said")))
		acknowledge("a transcript")
		must(t, transcripts.Replace(ctx, place, text("said less")))
		acknowledge("a replaced transcript")
		must(t, transcripts.Remove(ctx, place))
		acknowledge("a removed transcript")
	})
	for _, fault := range r.Faults() {
		t.Error(fault)
	}
	// What each file may hold before an acknowledgement and after it; "" is no file.
	history := map[string][][2]string{
		"notes/a.md":                  {{"a new document", "one"}, {"a changed document", "two"}},
		"notes/b.md":                  {{"begin", "there"}, {"a removed document", ""}},
		"transcripts/session_1.jsonl": {{"a transcript", "said"}, {"a replaced transcript", "said less"}, {"a removed transcript", ""}},
	}
	r.Cuts(t, 200, 1, func(t *testing.T, c powercut.Cut) {
		for name, states := range history {
			could := []string{""}
			for _, state := range states {
				if slices.Contains(c.Acknowledged, state[0]) {
					could = nil
				}
				could = append(could, state[1])
			}
			got, _ := os.ReadFile(filepath.Join(c.Dir, "global", name))
			if !slices.Contains(could, string(got)) {
				t.Errorf("%s is %q, want one of %q after %q", name, got, could, c.Acknowledged)
			}
		}
	})
}
