package bench

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func ranked(ids ...string) []Ranked {
	var out []Ranked
	for _, id := range ids {
		out = append(out, Ranked{Document: id})
	}
	return out
}

func TestScore(t *testing.T) {
	relevant := map[string]map[string]int{
		"q1": {"a": 1, "b": 1},
		"q2": {"z": 2},
	}
	answers := []Answer{
		{Query: Query{ID: "q1", Group: "g"}, Ranked: ranked("x", "a", "y", "y2", "y3", "b"), Took: time.Millisecond},
		{Query: Query{ID: "q2"}, Ranked: ranked("z"), Took: 3 * time.Millisecond},
		{Query: Query{ID: "unjudged"}, Ranked: ranked("z"), Took: 2 * time.Millisecond},
	}
	s := Score(answers, relevant)
	if s.Queries != 2 || s.Recall != [4]float64{0.75, 1, 1, 1} {
		t.Errorf("scores = %+v", s)
	}
	// q1: gains at ranks 2 and 6 over gains at ranks 1 and 2; q2 is perfect.
	ndcg := ((1/math.Log2(3)+1/math.Log2(7))/(1+1/math.Log2(3)) + 1) / 2
	if math.Abs(s.NDCG10-ndcg) > 1e-12 || s.MRR != 0.75 {
		t.Errorf("ndcg = %v, want %v; mrr = %v", s.NDCG10, ndcg, s.MRR)
	}
	if g := s.Groups["g"]; g == nil || g.Queries != 1 || g.Recall[0] != 0.5 {
		t.Errorf("group = %+v", g)
	}
	if s.P50 != 2*time.Millisecond || s.P99 != 3*time.Millisecond {
		t.Errorf("percentiles = %v, %v", s.P50, s.P99)
	}
}

func TestScoreOfNothing(t *testing.T) {
	if s := Score(nil, nil); s.Queries != 0 || s.MRR != 0 || s.P99 != 0 {
		t.Errorf("scores = %+v", s)
	}
}

func TestEvidence(t *testing.T) {
	got := strings.Join(evidence([]string{"D1:3", "D8:6; D9:17", "D30:05", "D1:3", "D", ""}), " ")
	if got != "D1:3 D8:6 D9:17 D30:5" {
		t.Errorf("evidence = %q", got)
	}
}

const sample = `[{"sample_id":"s1","conversation":{
  "speaker_a":"Ann","speaker_b":"Ben",
  "session_2_date_time":"9:00 am on 3 March, 2026","session_2":[{"dia_id":"D2:1","speaker":"Ben","text":"I sold the boat","blip_caption":"a boat","query":"sailing boat"}],
  "session_1_date_time":"1:56 pm on 8 May, 2025","session_1":[{"dia_id":"D1:1","speaker":"Ann","text":"Hello"},{"dia_id":"D1:2","speaker":"Ben","text":"Hi Ann"}]},
  "qa":[{"question":"What did Ben sell?","evidence":["D2:01"],"category":4},{"question":"Nothing?","evidence":["D9:9"],"category":5}]}]`

func TestReadLoCoMo(t *testing.T) {
	c, err := readLoCoMo(strings.NewReader(sample), false)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Documents) != 3 || c.Documents[0].ID != "s1/D1:1" || c.Documents[1].Seq != 2 {
		t.Errorf("documents = %+v", c.Documents)
	}
	boat := c.Documents[2]
	if boat.Text != "I sold the boat\na boat\nsailing boat" || boat.Session != "session_2" || boat.At.Year() != 2026 {
		t.Errorf("document = %+v", boat)
	}
	if len(c.Queries) != 2 || c.Queries[0].ID != "s1/q0" || c.Queries[0].Group != "single-hop" {
		t.Errorf("queries = %+v", c.Queries)
	}
	if len(c.Relevant) != 1 || c.Relevant["s1/q0"]["s1/D2:1"] != 1 {
		t.Errorf("relevant = %+v", c.Relevant)
	}
}

func FuzzReadLoCoMo(f *testing.F) {
	f.Add(sample)
	f.Add(`[{"conversation":{"session_1":3}}]`)
	f.Fuzz(func(t *testing.T, data string) {
		c, err := readLoCoMo(strings.NewReader(data), false)
		if err != nil {
			return
		}
		for q, docs := range c.Relevant {
			if len(docs) == 0 {
				t.Errorf("query %q has an empty judgment", q)
			}
		}
	})
}

func FuzzReadBEIR(f *testing.F) {
	f.Add(`{"_id":"d1","title":"T","text":"body","metadata":{"session":"s","seq":0,"role":"user","time":"2026-01-02"}}`, "q1\td1\t1", "q1\td1")
	f.Fuzz(func(t *testing.T, doc, judgment, superseded string) {
		dir := t.TempDir()
		writeBEIR(t, dir, doc, `{"_id":"q1","text":"which"}`, judgment, superseded)
		c, err := ReadBEIR(dir)
		if err != nil {
			return
		}
		for _, d := range c.Documents {
			if strings.TrimSpace(d.Text) != d.Text || d.Seq < 0 {
				t.Errorf("document %+v", d)
			}
		}
		for _, docs := range c.Relevant {
			for _, grade := range docs {
				if grade < 1 {
					t.Errorf("grade %d", grade)
				}
			}
		}
	})
}

// writeBEIR writes a collection. An empty superseded writes no such file.
func writeBEIR(t *testing.T, dir, corpus, queries, qrels, superseded string) {
	t.Helper()
	files := map[string]string{"corpus.jsonl": corpus, "queries.jsonl": queries, "qrels/test.tsv": qrels}
	if superseded != "" {
		files["superseded.tsv"] = superseded
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
