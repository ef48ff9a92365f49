package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/local"
)

// TestScoresAgree scores runs made by hand as an independent program scored
// them: recall at 5, 10, 25 and 50 and nDCG@10 of all questions, recall of each
// group, and how often the newest came first.
func TestScoresAgree(t *testing.T) {
	tests := []struct {
		collection string
		unit       Unit
		all        string
		groups     map[string]string
		newest     string
	}{
		{"notes", UnitDocument, "4: 50.0 75.0 75.0 75.0 46.0",
			map[string]string{"changed": "2: 50.0 50.0 50.0 50.0", "place": "2: 50.0 100.0 100.0 100.0"}, "1: 0.0"},
		{"visits", UnitSession, "3: 83.3 83.3 83.3 83.3 62.5", map[string]string{"go on": "2: 75.0 75.0 75.0 75.0"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.collection, func(t *testing.T) {
			c, err := ReadBEIR(filepath.Join("testdata", "board", tt.collection))
			if err != nil {
				t.Fatal(err)
			}
			unit, err := c.Unit("")
			if err != nil || unit != tt.unit {
				t.Fatalf("unit %s, %v", unit, err)
			}
			answers, relevant := c.Judge(unit, readRun(t, c, filepath.Join("testdata", "board", tt.collection, "run.txt")))
			s := c.Score(unit, answers, relevant)
			if got := fmt.Sprintf("%d: %s %.1f", s.Queries, inPercent(s.Recall), 100*s.NDCG10); got != tt.all {
				t.Errorf("all %s, want %s", got, tt.all)
			}
			for name, want := range tt.groups {
				if got := fmt.Sprintf("%d: %s", s.Groups[name].Queries, inPercent(s.Groups[name].Recall)); got != want {
					t.Errorf("%s %s, want %s", name, got, want)
				}
			}
			newest := ""
			if s.Newest != nil {
				newest = fmt.Sprintf("%d: %.1f", s.Newest.Queries, 100*s.Newest.First)
			}
			if newest != tt.newest {
				t.Errorf("newest %s, want %s", newest, tt.newest)
			}
		})
	}
}

func inPercent(recall [len(Cutoffs)]float64) string {
	var out []string
	for _, r := range recall {
		out = append(out, fmt.Sprintf("%.1f", 100*r))
	}
	return strings.Join(out, " ")
}

// readRun reads a run of a collection's queries, whose lines are in the order
// of their ranks.
func readRun(t *testing.T, c Collection, path string) []Answer {
	t.Helper()
	run, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string][]Ranked)
	for line := range strings.Lines(string(run)) {
		f := strings.Fields(line)
		found[f[0]] = append(found[f[0]], Ranked{Document: f[2]})
	}
	var out []Answer
	for _, q := range c.Queries {
		out = append(out, Answer{Query: q, Ranked: found[q.ID]})
	}
	return out
}

// TestRolesReachTheTurns ingests turns that are counted from 0, one of them
// empty.
func TestRolesReachTheTurns(t *testing.T) {
	c, err := ReadBEIR(filepath.Join("testdata", "board", "notes"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	opened, err := local.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	t.Cleanup(func() { mem.Close() })
	names, err := Ingest(ctx, mem, c.Documents, nil)
	if err != nil {
		t.Fatal(err)
	}
	turns, err := mem.Turns(ctx, strata.InWorkspace("garden").View(), "s1", 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range turns {
		got = append(got, fmt.Sprintf("%v %d %s", names[u.ID], u.Seq, u.Role))
	}
	if want := "[n1] 1 user, [n2] 2 assistant, [n4] 4 user"; strings.Join(got, ", ") != want {
		t.Errorf("turns %s, want %s", strings.Join(got, ", "), want)
	}
}

func TestBadCollections(t *testing.T) {
	const doc, query = `{"_id":"d1","text":"a","metadata":{"session":"s"}}`, `{"_id":"q1","text":"a"}`
	tests := []struct {
		name, corpus, qrels, superseded string
		want, hint                      string
	}{
		{"role", `{"_id":"d1","text":"a","metadata":{"role":"wizard"}}`, "q1\td1\t1", "", `corpus.jsonl line 1: check role: no such role: "wizard"`, "use user, assistant, system or tool"},
		{"seq", `{"_id":"d1","text":"a","metadata":{"seq":-1}}`, "q1\td1\t1", "", "corpus.jsonl line 1: seq is negative", "mend the line"},
		{"document", doc, "query-id\tcorpus-id\tscore\nq1\td2\t1", "", "test.tsv line 2: no such document or session: d2", "corpus.jsonl"},
		{"query", doc, "q2\td1\t1", "", "test.tsv line 1: no such query: q2", "queries.jsonl"},
		{"grade", doc, "q1\td1\thigh", "", `grade "high" is not a number`, "mend the line"},
		{"columns", doc, "q1\td1", "", "2 columns, want 3", "mend the line"},
		{"superseded", doc, "q1\td1\t1", "q1\td3", "superseded.tsv line 1: no such document or session: d3", "corpus.jsonl"},
		{"nothing new", doc, "q1\td1\t0", "q1\td1", "superseded.tsv line 1: nothing answers query q1", "qrels/test.tsv"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			writeBEIR(t, dir, tt.corpus, query, tt.qrels, tt.superseded)
			_, err := ReadBEIR(dir)
			var bad *strata.Error
			if !errors.As(err, &bad) || bad.Code != strata.CodeInvalid || !strings.Contains(bad.Error(), tt.want) || !strings.Contains(bad.Hint, tt.hint) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestViolations(t *testing.T) {
	row := BoardRow{
		Collection: "c",
		Strata: Scores{Queries: 200, Recall: [4]float64{0.5, 0.6, 0.7, 0.8}, Groups: map[string]*GroupScores{
			"large": {Queries: 40, Recall: [4]float64{0, 0.44}}, "small": {Queries: 39}, "close": {Queries: 50, Recall: [4]float64{0, 0.46}},
		}},
		BM25: Scores{Queries: 200, Recall: [4]float64{0.5, 0.7, 0.6, 0.8}, Groups: map[string]*GroupScores{
			"large": {Queries: 40, Recall: [4]float64{1, 0.5}}, "small": {Queries: 39, Recall: [4]float64{1, 1}}, "close": {Queries: 50, Recall: [4]float64{1, 0.5}},
		}},
	}
	got := row.Violations()
	if len(got) != 2 || got[0].Group != "" || got[0].Cutoff != 10 || got[1].Group != "large" || got[1].Queries != 40 {
		t.Errorf("violations %+v", got)
	}
}

func TestFindSources(t *testing.T) {
	board := filepath.Join("testdata", "board")
	_, _, err := FindSources([]string{board, filepath.Join(board, "notes")})
	if err == nil {
		t.Error("two collections named notes were taken")
	}
	found, absent, err := FindSources([]string{board, "gone"})
	if err != nil || len(found) != 2 || found[0].Name() != "notes" || found[1].Name() != "visits" || len(absent) != 1 {
		t.Errorf("found %v, absent %v, %v", found, absent, err)
	}
	if _, _, err := FindSources([]string{t.TempDir()}); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("an empty directory: %v", err)
	}
}

// TestNamesOfAnyForm ingests names that Strata takes for none.
func TestNamesOfAnyForm(t *testing.T) {
	ctx := context.Background()
	opened, err := local.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	t.Cleanup(func() { mem.Close() })
	names, err := Ingest(ctx, mem, []Document{
		{ID: "d1", Scope: "a/b", Session: "9:00 / monday", Speaker: " Ann ", Text: "The boat is red"},
		{ID: "d2", Scope: "a/b", Session: "9:00 / tuesday", Speaker: "Ann/Ben", Text: "The kayak is blue"},
	}, nil)
	if err != nil || len(names) != 2 {
		t.Fatalf("%v, %v", names, err)
	}
	answers, err := Ask(ctx, mem, []Query{{ID: "q", Scope: "a/b", Text: "what color is the kayak"}}, names, Options{})
	if err != nil || len(answers[0].Ranked) == 0 || answers[0].Ranked[0].Document != "d2" {
		t.Errorf("%+v, %v", answers, err)
	}
}
