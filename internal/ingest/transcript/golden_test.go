package transcript_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata/internal/ingest/transcript"
)

var update = flag.Bool("update", false, "write the golden files")

// TestFormats reads a transcript of each format, made by hand, and compares what it
// says with a golden file.
func TestFormats(t *testing.T) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		if filepath.Ext(file) == ".golden" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := dump(t, transcript.NewReader(strings.NewReader(string(data))))
			golden := file + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// dump writes what a transcript says, a line a message.
func dump(t *testing.T, r *transcript.Reader) string {
	t.Helper()
	var b strings.Builder
	for m, err := range r.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		if m.First {
			fmt.Fprintf(&b, "session %q parent %q dir %q\n", m.Session, m.Parent, m.Dir)
		}
		at := ""
		if !m.Turn.At.IsZero() {
			at = m.Turn.At.UTC().Format(time.RFC3339Nano)
		}
		fmt.Fprintf(&b, "%s %s %q %q", m.Turn.Role, at, m.ID, m.Turn.Text)
		if m.Turn.Speaker != "" {
			fmt.Fprintf(&b, " speaker %q", m.Turn.Speaker)
		}
		for _, c := range m.Turn.Calls {
			fmt.Fprintf(&b, " calls %s %s(%s)", c.ID, c.Name, c.Arguments)
		}
		if m.Turn.CallID != "" {
			fmt.Fprintf(&b, " answers %s %s failed %v", m.Turn.CallID, m.Turn.Tool, m.Turn.Failed)
		}
		b.WriteByte('\n')
	}
	left := r.Left()
	for _, reason := range slices.Sorted(maps.Keys(left)) {
		if left[reason] > 0 {
			fmt.Fprintf(&b, "left out: %s: %d\n", reason, left[reason])
		}
	}
	return b.String()
}
