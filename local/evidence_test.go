package local_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/local"
)

const (
	// mostLost is how many answers the floor may hide of those that are found without
	// it, and mostWrong how many questions without an answer may bring a hit: what was
	// reached. Neither may rise.
	mostLost  = 1
	mostWrong = 21
)

// Facts and questions in English and German, about which no list in the program
// knows anything: docs/ranking.md has the shares of right hits by their evidence.
func TestTheFloorOnQuestionsOfItsOwn(t *testing.T) {
	ctx := t.Context()
	opened, err := local.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	t.Cleanup(func() { mem.Close() })
	for _, text := range evidenceLines(t, "facts.txt") {
		if _, err := mem.Save(ctx, strata.Global(), text); err != nil {
			t.Fatal(err)
		}
	}
	if err := mem.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	ask := func(text string, all bool) []strata.Hit {
		t.Helper()
		res, err := mem.Query(ctx, strata.Query{View: strata.Global().View(), Text: text, All: all, Quiet: true})
		if err != nil {
			t.Fatal(err)
		}
		return res.Hits
	}
	holds := func(hits []strata.Hit, answer string) bool {
		for _, h := range hits {
			if strings.Contains(h.Text, answer) {
				return true
			}
		}
		return false
	}
	found, lost, wrong := 0, 0, 0
	for _, line := range evidenceLines(t, "answerable.tsv") {
		question, answer, _ := strings.Cut(line, "\t")
		if !holds(ask(question, true), answer) {
			continue
		}
		if found++; !holds(ask(question, false), answer) {
			lost++
			t.Logf("lost: %s", question)
		}
	}
	unanswerable := evidenceLines(t, "unanswerable.txt")
	for _, question := range unanswerable {
		if hits := ask(question, false); len(hits) > 0 {
			wrong++
		}
	}
	t.Logf("%d of %d answers are lost, %d of %d questions without one bring a hit", lost, found, wrong, len(unanswerable))
	if lost > mostLost || wrong > mostWrong {
		t.Errorf("want at most %d and %d", mostLost, mostWrong)
	}
}

func evidenceLines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "evidence", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}
