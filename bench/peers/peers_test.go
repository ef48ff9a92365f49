package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

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

func TestPeersOfGoFindWhatTheyWereGiven(t *testing.T) {
	var out, log bytes.Buffer
	args := []string{"-facts", "200", "-nearest", "300", "-questions", "20", "-only", "strata,chromem-go,bleve"}
	if err := run(context.Background(), args, &out, &log); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"BenchmarkPeerRecall/peer=strata/facts=200/words=7-", "BenchmarkPeerWords/peer=strata/facts=200/misspelt=2-",
		"BenchmarkPeerNearest/peer=strata/facts=300/words=7-", "BenchmarkPeerNearest/peer=chromem-go/facts=300/words=7-",
		"BenchmarkPeerWords/peer=bleve/facts=200/words=13-",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line %s", want)
		}
	}
	for l := range strings.Lines(out.String()) {
		if strings.HasPrefix(l, "Benchmark") && strings.Contains(l, "words=7") && !strings.Contains(l, "\t1.000 found@10") {
			t.Errorf("not all of 200 facts were found by their own words: %s", l)
		}
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
	answer := func(place int) []string {
		out := make([]string, 12)
		out[place] = "wanted"
		return out
	}
	places := map[string]int{"first": 0, "tenth": 9, "eleventh": 10}
	var asked []item
	for question := range places {
		asked = append(asked, item{question, "wanted"})
	}
	m, err := measure(context.Background(), func(_ context.Context, q string) ([]string, error) { return answer(places[q]), nil }, asked)
	if err != nil || m.asked != 3 || m.found != 2.0/3 || m.p50 > m.p99 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := measure(context.Background(), nil, nil); err == nil {
		t.Error("no question is no error")
	}
}

func TestMisspell(t *testing.T) {
	for in, want := range map[string]string{
		"who repaired the kitchen window?": "who repiared the kicthen window?",
		"aaaa":                             "aaaa",
		"":                                 "",
	} {
		if got := misspell(in); got != want {
			t.Errorf("misspell(%q) = %q, want %q", in, got, want)
		}
	}
	s := bench.Generate(1, 1)[0]
	got, before := strings.Fields(misspell(s.Question)), strings.Fields(s.Question)
	changed := 0
	for i := range before {
		if got[i] != before[i] {
			changed++
		}
	}
	if changed != 2 {
		t.Errorf("%d words changed: %q", changed, got)
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
