package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// The test binary runs itself as a writer when these are set.
const (
	writerHome = "STRATA_TEST_WRITER_DB"
	writerName = "STRATA_TEST_WRITER_NAME"
	writerFrom = "STRATA_TEST_WRITER_FROM"
	writerMost = "STRATA_TEST_WRITER_MOST"
	// writerFiles is the home whose files follow the decisions.
	writerFiles = "STRATA_TEST_WRITER_FILES"
)

// writerFollow is after how many writes a writer waits for its files. What
// follows in the background rests for most of the time, so that a fast writer
// could end with few files written.
const writerFollow = 20

// writerText is the n-th fact of a writer. No two resemble each other enough
// to be taken for one.
func writerText(name string, n int) string {
	return fmt.Sprintf("Parcel %s-%d went to shelf %d", name, n, n*7919%10007)
}

// TestWriterProcess is not a test: it is the program of the tests below. It
// writes facts and prints the number of each once it is acknowledged.
func TestWriterProcess(t *testing.T) {
	db := os.Getenv(writerHome)
	if db == "" {
		return
	}
	from, _ := strconv.Atoi(os.Getenv(writerFrom))
	most, _ := strconv.Atoi(os.Getenv(writerMost))
	e := openAt(t, db, withFiles(os.Getenv(writerFiles)))
	for n := from; n < from+most; n++ {
		c := strata.Candidate{Scope: strata.Global(), Content: writerText(os.Getenv(writerName), n)}
		if n%5 == 4 {
			// Every fifth write gives the slot before it a new value.
			c.Entity, c.Attribute = "conveyor "+os.Getenv(writerName), "last parcel"
		}
		d, err := e.Write(context.Background(), c)
		if err != nil {
			t.Fatalf("write %d: %v", n, err)
		}
		if !d.Op.Changed() {
			t.Fatalf("write %d is %s: %s", n, d.Op, d.Reason)
		}
		if os.Getenv(writerFiles) != "" && n%5 == 2 {
			if _, err := e.Write(context.Background(), writerNote(os.Getenv(writerName), n)); err != nil {
				t.Fatalf("write note %d: %v", n, err)
			}
		}
		fmt.Printf("acknowledged %d %s\n", n, d.FactID)
		if os.Getenv(writerFiles) != "" && n%writerFollow == writerFollow-1 {
			followed(t, e)
		}
	}
}

// writerNote is a note of a writer: one for every five facts, each written over
// four times.
func writerNote(name string, n int) strata.Candidate {
	title := fmt.Sprintf("Shelf %s %d", name, n/20)
	return strata.Candidate{Scope: strata.Global(), Path: fmt.Sprintf("notes/project_shelf-%s-%d.md", strings.ToLower(name), n/20),
		Content: note(title, fmt.Sprintf("what came by parcel %d", n))}
}

// checkFiles fails the test unless the files of a home are what its decisions
// say: every one is stamped, a fact's has one line in the logs, and every note
// is as the database has it and stands in the index.
func checkFiles(t *testing.T, e *engine.Engine, home string) {
	t.Helper()
	ctx, view := context.Background(), strata.Global().View()
	logs := ""
	found, err := filepath.Glob(filepath.Join(home, "global", "memory", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		logs += string(text)
	}
	count := make(map[string]int)
	for _, line := range strings.Split(logs, "\n") {
		if _, rest, ok := strings.Cut(line, " <!-- "); ok {
			count[strings.TrimSuffix(rest, " -->")]++
		}
	}
	for after := ""; ; {
		page, err := e.Decisions(ctx, view, strata.DecisionFilter{After: after, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range page {
			after = d.ID
			if d.AppliedAt == nil || d.SetAside != "" {
				t.Errorf("decision %s: applied %v, set aside %q", d.ID, d.AppliedAt, d.SetAside)
			}
			if d.After != nil && count[d.ID] != 1 {
				t.Errorf("decision %s has %d lines in the logs", d.ID, count[d.ID])
			}
		}
		if len(page) < 1000 {
			break
		}
	}
	index, _ := os.ReadFile(filepath.Join(home, "global", strata.IndexPath))
	notes, err := e.Documents(ctx, view, strata.DocumentFilter{Kind: strata.DocumentNote, Content: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range notes {
		text, err := os.ReadFile(filepath.Join(home, "global", filepath.FromSlash(n.Path)))
		if err != nil || string(text) != n.Content {
			t.Errorf("%s: %v\n%s\nmemory has\n%s", n.Path, err, text, n.Content)
		}
		if !strings.Contains(string(index), "("+n.Path+"): "+n.Description+" <!-- ") {
			t.Errorf("the index lacks %s: %s\n%s", n.Path, n.Description, index)
		}
	}
	report, err := e.Sync(ctx, view)
	if err != nil || len(report.Changes)+len(report.Skipped) != 0 {
		t.Errorf("what was rendered is taken for edits by hand: %+v, %v", report, err)
	}
	healthy(t, e)
}

// writer starts the test binary as a writer and returns its output.
func writer(t *testing.T, db, name string, from, most int, env ...string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestWriterProcess$", "-test.v")
	cmd.Env = append(os.Environ(), writerHome+"="+db, writerName+"="+name,
		fmt.Sprintf("%s=%d", writerFrom, from), fmt.Sprintf("%s=%d", writerMost, most))
	cmd.Env = append(cmd.Env, env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// acknowledged collects the acknowledged writes of a writer: number -> fact id.
// A last line that was cut off by a kill was not acknowledged.
func acknowledged(out io.Reader, into map[int]string) (rest string) {
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return rest
		}
		var n int
		var fact string
		if _, err := fmt.Sscanf(line, "acknowledged %d %s", &n, &fact); err == nil {
			into[n] = fact
		} else {
			rest += line
		}
	}
}

func TestEightProcessesShareOneHome(t *testing.T) {
	t.Parallel()
	const processes = 8
	each := 1000
	if testing.Short() {
		each = 50
	}
	db := filepath.Join(t.TempDir(), "strata.db")
	e := openAt(t, db)
	var wg sync.WaitGroup
	all := make([]map[int]string, processes)
	for i := range processes {
		all[i] = make(map[int]string)
		wg.Go(func() {
			cmd, out := writer(t, db, string(rune('A'+i)), 0, each)
			rest := acknowledged(out, all[i])
			if err := cmd.Wait(); err != nil {
				t.Errorf("process %d: %v\n%s", i, err, rest)
			}
		})
	}
	wg.Wait()
	var total int64
	for i, acks := range all {
		total += int64(len(acks))
		for n, fact := range acks {
			versions, err := e.Fact(context.Background(), strata.Global().View(), fact)
			if err != nil || versions[0].Text != writerText(string(rune('A'+i)), n) {
				t.Fatalf("process %d, write %d: %+v, %v", i, n, versions, err)
			}
		}
	}
	stats, err := e.Stats(context.Background(), strata.Global().View())
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(processes * each); total != want || stats[0].Facts+stats[0].Retired != want {
		t.Errorf("%d acknowledged, %d current and %d retired, want %d", total, stats[0].Facts, stats[0].Retired, want)
	}
	res, err := e.Recall(context.Background(), strata.Global().View(), "where did parcel C-17 go")
	if err != nil || len(res.Hits) == 0 || !strings.HasPrefix(res.Hits[0].Text, "Parcel C-17 ") {
		t.Errorf("recall = %+v, %v", res, err)
	}
	healthy(t, e)
}

func TestEightProcessesShareOneHomeWithFiles(t *testing.T) {
	t.Parallel()
	const processes = 8
	each := 100
	if testing.Short() {
		each = 20
	}
	home := t.TempDir()
	db := filepath.Join(home, "strata.db")
	e := openAt(t, db, withFiles(home))
	var wg sync.WaitGroup
	for i := range processes {
		wg.Go(func() {
			cmd, out := writer(t, db, string(rune('A'+i)), 0, each, writerFiles+"="+home)
			acks := make(map[int]string)
			rest := acknowledged(out, acks)
			if err := cmd.Wait(); err != nil || len(acks) != each {
				t.Errorf("process %d: %v, %d acknowledged\n%s", i, err, len(acks), rest)
			}
		})
	}
	wg.Wait()
	followed(t, e)
	checkFiles(t, e, home)
}
