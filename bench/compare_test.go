package bench

import (
	"bytes"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
)

// asked makes a question of one piece of evidence at a rank.
func asked(id, group string, rank int) Question {
	q := Question{ID: id, Group: group, Evidence: []string{"d-" + id}, Ranks: []int{rank}, Took: time.Millisecond}
	for i, k := range Cutoffs {
		if rank > 0 && rank <= k {
			q.Recall[i] = 1
		}
	}
	if rank > 0 {
		q.MRR = 1 / float64(rank)
	}
	return q
}

func TestCompareCountsBetterAndWorse(t *testing.T) {
	a := []Question{asked("q1", "x", 1), asked("q2", "x", 0), asked("q3", "y", 30)}
	b := []Question{asked("q3", "y", 3), asked("q2", "x", 8), asked("q1", "x", 12)}
	c, err := Compare(a, b, CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Seed != 1 || c.Resamples != Resamples || c.Metric != "recall@10" {
		t.Errorf("defaults: %+v", c)
	}
	var names []string
	for _, g := range c.Groups {
		names = append(names, g.Group)
	}
	if !slices.Equal(names, []string{"all", "x", "y"}) {
		t.Fatalf("groups %v", names)
	}
	all := c.Groups[0].Metrics[1] // recall@10
	if all.Metric != "recall@10" || all.A != round(1.0/3) || all.B != round(2.0/3) || all.Difference != round(1.0/3) || all.Better != 2 || all.Worse != 1 {
		t.Errorf("recall@10: %+v", all)
	}
	if len(c.Better) != 2 || len(c.Worse) != 1 || c.Worse[0].ID != "q1" || c.Better[0].RanksB[0] != 8 {
		t.Errorf("better %+v, worse %+v", c.Better, c.Worse)
	}
	if y := c.Groups[2].Metrics[1]; y.Interval != (Interval{1, 1}) || !y.Clear() {
		t.Errorf("one question always has the same mean: %+v", y)
	}
}

func TestALongerTimeIsWorse(t *testing.T) {
	a, b := asked("q", "", 1), asked("q", "", 1)
	b.Took = 2 * time.Millisecond
	c, err := Compare([]Question{a}, []Question{b}, CompareOptions{Metric: "latency-ms"})
	if err != nil || len(c.Worse) != 1 || len(c.Better) != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestCompareRefuses(t *testing.T) {
	one, two := []Question{asked("q1", "", 1)}, []Question{asked("q1", "", 1), asked("q2", "", 1)}
	other := []Question{asked("q1", "", 1)}
	other[0].Evidence = []string{"else"}
	for name, c := range map[string]struct {
		a, b []Question
		o    CompareOptions
		want string
	}{
		"a question missing in the second run": {two, one, CompareOptions{}, "the second run has no question q2"},
		"a question missing in the first run":  {one, two, CompareOptions{}, "the first run has no question q2"},
		"other evidence":                       {one, other, CompareOptions{}, "disagree on the evidence of question q1"},
		"no questions":                         {nil, nil, CompareOptions{}, "has no questions"},
		"an unknown metric":                    {one, one, CompareOptions{Metric: "f1"}, `no such metric: "f1"`},
		"too many resamples":                   {one, one, CompareOptions{Resamples: maxResamples + 1}, "resamples"},
		"a negative number of resamples":       {one, one, CompareOptions{Resamples: -1}, "resamples"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Compare(c.a, c.b, c.o)
			if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// For 0 and 1 the bootstrap of a mean is known: that of a binomial.
func TestBootstrapAgreesWithTheBinomial(t *testing.T) {
	rows := make([][]float64, 400)
	for i := range rows {
		rows[i] = []float64{float64(i % 2)}
	}
	got := bootstrap(rows, Resamples, 1)[0]
	half := 1.96 * math.Sqrt(0.25/400)
	if math.Abs(got.Low-(0.5-half)) > 0.004 || math.Abs(got.High-(0.5+half)) > 0.004 {
		t.Errorf("interval %+v, want 0.5 ± %.4f", got, half)
	}
}

func TestBootstrapOfNothing(t *testing.T) {
	if got := bootstrap(nil, 10, 1); got != nil {
		t.Errorf("%+v", got)
	}
}

func TestBootstrapProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 40).Draw(t, "differences")
		seed := rapid.Uint64().Draw(t, "seed")
		rows := make([][]float64, len(values))
		for i, v := range values {
			rows[i] = []float64{v, -v}
		}
		got := bootstrap(rows, 200, seed)
		if again := bootstrap(rows, 200, seed); !slices.Equal(got, again) {
			t.Fatalf("the same seed gave %v, then %v", got, again)
		}
		const slack = 1e-6 // of rounding
		if got[0].Low > got[0].High || got[0].Low < slices.Min(values)-slack || got[0].High > slices.Max(values)+slack {
			t.Fatalf("interval %v of values in [%v, %v]", got[0], slices.Min(values), slices.Max(values))
		}
		if math.Abs(got[1].Low+got[0].High) > slack || math.Abs(got[1].High+got[0].Low) > slack {
			t.Fatalf("the interval of the opposite is not the opposite: %v and %v", got[0], got[1])
		}
	})
}

func TestQuestionsSayWhereTheEvidenceWas(t *testing.T) {
	answers := []Answer{
		{Query: Query{ID: "q1", Group: "g"}, Ranked: ranked("x", "b", "y"), Took: time.Second},
		{Query: Query{ID: "unjudged"}, Ranked: ranked("x")},
	}
	got := Questions(answers, map[string]map[string]int{"q1": {"b": 1, "a": 1}})
	if len(got) != 1 || !slices.Equal(got[0].Evidence, []string{"a", "b"}) || !slices.Equal(got[0].Ranks, []int{0, 2}) {
		t.Fatalf("%+v", got)
	}
	if got[0].Recall != [4]float64{0.5, 0.5, 0.5, 0.5} || got[0].MRR != 0.5 || got[0].Took != time.Second {
		t.Errorf("%+v", got[0])
	}
	var file bytes.Buffer
	if err := WriteQuestions(&file, got); err != nil {
		t.Fatal(err)
	}
	back, err := ReadQuestions(&file, "f")
	if err != nil || len(back) != 1 || back[0].ID != "q1" || back[0].Recall != got[0].Recall || !slices.Equal(back[0].Ranks, got[0].Ranks) {
		t.Errorf("read back %+v, %v", back, err)
	}
}

func TestReadQuestionsRefuses(t *testing.T) {
	const good = `{"id":"q","evidence":["a"],"ranks":[1],"recall":[1,1,1,1],"ndcg_10":1,"mrr":1,"took_ns":5}`
	for name, c := range map[string]struct{ text, want string }{
		"a line that is cut off": {good + "\n" + good[:20], "f line 2: unexpected end of JSON input"},
		"no id":                  {`{"evidence":["a"],"ranks":[1]}`, "f line 1: the question has no id"},
		"no evidence":            {`{"id":"q"}`, "question q has no evidence"},
		"too few ranks":          {`{"id":"q","evidence":["a","b"],"ranks":[1]}`, "1 ranks for 2 pieces of evidence"},
		"a negative rank":        {`{"id":"q","evidence":["a"],"ranks":[-1]}`, "negative rank"},
		"recall above 1":         {`{"id":"q","evidence":["a"],"ranks":[1],"recall":[2,0,0,0]}`, "outside 0 to 1"},
		"a question twice":       {good + "\n" + good, "f line 2: question q stands there twice"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadQuestions(strings.NewReader(c.text), "f")
			if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func FuzzReadQuestions(f *testing.F) {
	f.Add(`{"id":"q","evidence":["a"],"ranks":[1],"recall":[1,1,1,1],"ndcg_10":1,"mrr":1,"took_ns":5}`)
	f.Fuzz(func(t *testing.T, data string) {
		questions, err := ReadQuestions(strings.NewReader(data), "f")
		if err != nil || len(questions) == 0 {
			return
		}
		c, err := Compare(questions, questions, CompareOptions{Resamples: 1})
		if err != nil || len(c.Better)+len(c.Worse) > 0 {
			t.Errorf("a run differs from itself: %+v, %v", c, err)
		}
	})
}

func TestResultsComeBackAsTheyWereSaved(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new", "run")
	want := Result{Kind: KindRetrieval, Command: "strata bench locomo", Commit: "abc", Data: Data{Name: "d", SHA256: "00"},
		Settings: Settings{Embedder: "e", Unit: UnitDocument}, Scores: &Scores{Queries: 1}}
	if err := want.Save(name+".json", []Question{asked("q", "", 1)}); err != nil {
		t.Fatal(err)
	}
	for _, as := range []string{name, name + ".json", name + ".jsonl"} {
		got, err := LoadResult(as)
		if err != nil || got.Commit != "abc" || got.Scores.Queries != 1 || got.Data != want.Data || got.Settings != want.Settings {
			t.Errorf("%s: %+v, %v", as, got, err)
		}
		if questions, err := LoadQuestions(as); err != nil || len(questions) != 1 {
			t.Errorf("%s: %+v, %v", as, questions, err)
		}
	}
}

func TestReadResultRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"damaged JSON":           {`{"kind":`, "f is damaged"},
		"another file":           {`{"name":"x"}`, "no result of a benchmark"},
		"no scores":              {`{"kind":"retrieval"}`, "without scores"},
		"no points":              {`{"kind":"scale"}`, "without points"},
		"a point without a size": {`{"kind":"scale","points":[{"facts":0}]}`, "a point of 0 facts"},
		"a negative time":        {`{"kind":"scale","points":[{"facts":1,"open_ns":-1}]}`, "negative time"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadResult(strings.NewReader(c.text), "f")
			if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
	if _, err := LoadResult(filepath.Join(t.TempDir(), "none")); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("error %v", err)
	}
}

func FuzzReadResult(f *testing.F) {
	f.Add(`{"kind":"scale","points":[{"facts":1}]}`)
	f.Fuzz(func(t *testing.T, data string) {
		r, err := ReadResult(strings.NewReader(data), "f")
		if err == nil && r.Kind == KindRetrieval && r.Scores == nil {
			t.Error("a retrieval without scores was read")
		}
	})
}
