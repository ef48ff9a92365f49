package mcp

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Each file holds the lines of a client, sent one after the other, and those of
// the server in answer. Ids and times are written as their kind. Run with
// -update after a change, and read the difference.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil || len(archive.Files) != 2 {
				t.Fatalf("want the parts client and server: %v", err)
			}
			got := transcript(t, string(archive.Files[0].Data))
			if want := string(archive.Files[1].Data); got == want {
				return
			} else if !*update {
				t.Fatalf("the server says\n%s\nwant\n%s", got, want)
			}
			archive.Files[1].Data = []byte(got)
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// volatile are the parts of an answer that differ from run to run.
var volatile = []struct{ pattern, name string }{
	{`(fact|session|dec|turn)_[0-9A-Z]{26}`, "${1}_ID"},
	{`\d{4}-\d\d-\d\dT[0-9:.]+Z`, "TIME"},
	{`\d{4}-\d\d-\d\d`, "DATE"},
	{`0\.\d+`, "SCORE"},
	{`strata-memory id=\\"[0-9a-f]{12}`, `strata-memory id=\"MARK`},
}

// transcript sends the lines and returns the answers. A line that is a call, or
// no message at all, is answered before the next is sent. "$FACT" stands for
// the fact that was saved last.
func transcript(t *testing.T, client string) string {
	t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	done := make(chan error, 1)
	server := New(open(t), Options{Version: "test"})
	go func() {
		err := Serve(t.Context(), server, in, out, nil)
		out.Close()
		done <- err
	}()
	answers := bufio.NewReader(from)
	var all strings.Builder
	fact := ""
	for line := range strings.Lines(client) {
		if _, err := fmt.Fprint(to, strings.ReplaceAll(line, "$FACT", fact)); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(line, `"notifications/`) {
			continue
		}
		answer, err := answers.ReadString('\n')
		if err != nil {
			t.Fatalf("no answer to %s: %v", line, err)
		}
		if saved := regexp.MustCompile(`fact_[0-9A-Z]{26}`).FindString(answer); saved != "" {
			fact = saved
		}
		for _, v := range volatile {
			answer = regexp.MustCompile(v.pattern).ReplaceAllString(answer, v.name)
		}
		all.WriteString(answer)
	}
	to.Close()
	if rest, err := io.ReadAll(answers); err != nil || len(rest) > 0 {
		t.Errorf("more than was asked for: %q, %v", rest, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	return all.String()
}
