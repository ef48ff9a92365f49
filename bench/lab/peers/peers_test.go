package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/llm/builtin"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// bleve keeps workers of its analysis for as long as the program runs.
		goleak.IgnoreAnyFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"),
		goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"))
}

// What an earlier run filled is asked again, and filled up where it was broken off.
func TestKeep_FillsOnlyWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	args := func(facts string) []string {
		return []string{"-facts", facts, "-nearest", "0", "-questions", "5", "-only", "strata,bleve", "-keep", dir}
	}
	for _, step := range []struct {
		facts string
		says  []string
	}{
		{"40", []string{"strata: 40 facts,", "bleve: 40 facts,"}},
		{"60", []string{"strata: 40 facts are there", "strata: 60 facts,", "bleve: 40 facts are there", "bleve: 60 facts,"}},
		{"60", []string{"strata: 60 facts are there", "bleve: 60 facts are there"}},
	} {
		var out, log bytes.Buffer
		if err := run(context.Background(), args(step.facts), &out, &log); err != nil {
			t.Fatal(err)
		}
		for _, want := range step.says {
			if !strings.Contains(log.String(), want) {
				t.Errorf("%s facts: %q is not in %q", step.facts, want, log.String())
			}
		}
		for l := range strings.Lines(out.String()) {
			if strings.HasPrefix(l, "Benchmark") && strings.Contains(l, "way=exact") && !strings.Contains(l, "\t1.000 found@10") {
				t.Errorf("of %s facts not all were found: %s", step.facts, l)
			}
		}
	}
	if err := run(context.Background(), args("50"), new(bytes.Buffer), new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "60 facts are kept") {
		t.Errorf("50 facts beside 60 that are kept: %v", err)
	}
}

func TestPeersOfGoFindWhatTheyWereGiven(t *testing.T) {
	var out, log bytes.Buffer
	name := filepath.Join(t.TempDir(), "peers")
	args := []string{"-facts", "200", "-nearest", "300", "-questions", "20", "-only", "strata,chromem-go,bleve", "-result", name}
	if err := run(context.Background(), args, &out, &log); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"BenchmarkPeerRecall/peer=strata/facts=200/way=exact-", "BenchmarkPeerWords/peer=strata/facts=200/way=typo-",
		"BenchmarkPeerNearest/peer=strata/facts=300/way=few-", "BenchmarkPeerNearest/peer=chromem-go/facts=300/way=mixed-",
		"BenchmarkPeerWords/peer=bleve/facts=200/way=long-",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line %s", want)
		}
	}
	for l := range strings.Lines(out.String()) {
		if strings.HasPrefix(l, "Benchmark") && strings.Contains(l, "way=exact") && !strings.Contains(l, "\t1.000 found@10") {
			t.Errorf("not all of 200 facts were found by their own words: %s", l)
		}
	}
	data, err := os.ReadFile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var kept result
	if err := json.Unmarshal(data, &kept); err != nil {
		t.Fatal(err)
	}
	versions := make(map[string]bool)
	for _, r := range kept.Peers {
		if len(r.Ways) != len(bench.Ways()) || r.Asked != 20*len(r.Ways) {
			t.Errorf("%s %s: %d questions in %d ways", r.Peer, r.What, r.Asked, len(r.Ways))
		}
		versions[r.Peer] = r.Version != ""
	}
	if len(kept.Peers) != 7 || kept.Data != hashOf(300) || kept.Settings.Questions != 20 {
		t.Errorf("%+v", kept)
	}
	if kept.Command != "make peers FACTS=200 NEAREST=300 QUESTIONS=20 PEERS=strata,chromem-go,bleve" {
		t.Errorf("command %q", kept.Command)
	}
	if versions["strata"] || versionOf("mem0ai") == "" || versionOf("server-memory") == "" {
		t.Errorf("versions %v, of npm %q and %q", versions, versionOf("mem0ai"), versionOf("server-memory"))
	}
	_, table, ok := strings.Cut(out.String(), "\n\n")
	if !ok || !strings.Contains(table, "p99/p50") || !strings.Contains(table, "bleve") {
		t.Errorf("no table: %q", table)
	}
}

func TestTheTableComparesWithOurOwnRow(t *testing.T) {
	line := func(peer, what string, p50 time.Duration) row {
		r := row{Peer: peer, What: what, Facts: 10, Asked: 7, Found10: 0.5, Took: bench.Percentiles{P50: p50, P99: 3 * p50}}
		for _, way := range bench.Ways() {
			r.Ways = append(r.Ways, bench.WayRow{Way: way, Found10: 0.25})
		}
		return r
	}
	var out bytes.Buffer
	rows := []row{line("strata", "recall", time.Millisecond), line("other", "recall", 20*time.Millisecond), line("other", "words", time.Millisecond)}
	if err := printTable(&out, rows); err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSpace(out.String()), "\n")
	var got [][]string
	for _, l := range all[len(all)-3:] {
		f := strings.Fields(l)
		got = append(got, []string{f[0], f[3], f[4], f[len(f)-4], f[len(f)-2], f[len(f)-1]})
	}
	want := [][]string{
		{"strata", "0.500", "0.25", "1.00", "3.0", "1.0"}, {"other", "0.500", "0.25", "20.00", "3.0", "20.0"}, {"other", "0.500", "0.25", "1.00", "3.0", "-"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v in\n%s", got, out.String())
	}
}

func TestWithoutNodeItSaysSo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out, log bytes.Buffer
	if err := run(context.Background(), []string{"-facts", "10", "-nearest", "0", "-only", "mem0ai,server-memory"}, &out, &log); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"mem0ai not run: node and npm are not there", "server-memory not run: node and npm are not there"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q does not say %q", log.String(), want)
		}
	}
}

func TestArguments(t *testing.T) {
	for name, args := range map[string][]string{
		"an unknown peer":             {"-only", "nobody"},
		"no facts":                    {"-facts", "0"},
		"fewer nearest than facts":    {"-facts", "100", "-nearest", "10"},
		"an argument":                 {"more"},
		"a flag that is not a number": {"-facts", "many"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, log bytes.Buffer
			if err := run(context.Background(), args, &out, &log); err == nil || out.Len() > 0 {
				t.Errorf("error %v, output %q", err, out.String())
			}
		})
	}
}

func TestMeasureCountsTheFirstTenOnly(t *testing.T) {
	statements := bench.Spread(bench.Corpus{Seed: 1}, 3, 3)
	places := []int{0, 9, 10} // where each is found
	row, err := measure(context.Background(), func(_ context.Context, q string) ([]string, error) {
		out := make([]string, 12)
		for i, s := range statements {
			for _, way := range bench.Ways() {
				if s.Ask(way) == q {
					out[places[i]] = s.Text
				}
			}
		}
		return out, nil
	}, statements)
	if err != nil || row.Asked != 3*len(bench.Ways()) || row.Found10 != 2.0/3 || row.Took.P50 > row.Took.P99 {
		t.Errorf("%+v, %v", row, err)
	}
	for _, way := range row.Ways {
		if way.Found1 != 1.0/3 || way.Found10 != 2.0/3 || way.Asked != 3 {
			t.Errorf("%+v", way)
		}
	}
	if _, err := measure(context.Background(), nil, nil); err == nil {
		t.Error("no question is no error")
	}
}

func TestEmbeddingServerAnswersTextsAndLists(t *testing.T) {
	h := embeddings(builtin.New())
	for name, c := range map[string]struct {
		body string
		code int
		want string
	}{
		"a text":      {`{"input":"hello"}`, http.StatusOK, `"index":0`},
		"a list":      {`{"input":["a","b"]}`, http.StatusOK, `"index":1`},
		"no text":     {`{"input":3}`, http.StatusBadRequest, "input is no text"},
		"broken JSON": {`{`, http.StatusBadRequest, "input is no text"},
	} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			h(w, httptest.NewRequest(http.MethodPost, "/v1/embeddings", strings.NewReader(c.body)))
			if w.Code != c.code || !strings.Contains(w.Body.String(), c.want) {
				t.Errorf("%d %.200s", w.Code, w.Body.String())
			}
		})
	}
}

func TestPackagesOfNpmArePinned(t *testing.T) {
	dir, err := nodeDirectory(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile(dir + "/package-lock.json")
	if err != nil || !bytes.Contains(lock, []byte(`"integrity"`)) || bytes.Contains(lock, []byte(`"resolved"`)) {
		t.Errorf("the lock file pins nothing, or names a host: %v", err)
	}
	again, err := nodeDirectory(strings.TrimSuffix(dir, "/"+dir[strings.LastIndexByte(dir, '/')+1:]))
	if err != nil || again != dir {
		t.Errorf("%q, then %q: %v", dir, again, err)
	}
}
