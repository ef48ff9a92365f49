package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// Question is the result of one judged query: a line of a per-question file. It holds ids
// and figures but no text, so it can be committed with code whose license differs from
// that of the data.
type Question struct {
	ID    string `json:"id"`
	Group string `json:"group,omitempty"` // category of the question
	// Evidence lists the documents that answer it, sorted.
	Evidence []string `json:"evidence"`
	// Ranks are the ranks of these documents, from 1, in the order of Evidence; 0 if a
	// document is not among the first Depth.
	Ranks  []int                 `json:"ranks"`
	Recall [len(Cutoffs)]float64 `json:"recall"` // at each of Cutoffs, in [0,1]
	NDCG10 float64               `json:"ndcg_10"`
	MRR    float64               `json:"mrr"` // one over the rank of the first answer; 0 if there is none
	Took   time.Duration         `json:"took_ns"`
}

// Questions returns the result of each judged query, in the order of the answers.
func Questions(answers []Answer, relevant map[string]map[string]int) []Question {
	var out []Question
	for _, a := range answers {
		want := relevant[a.Query.ID]
		if len(want) == 0 {
			continue
		}
		q := Question{
			ID: a.Query.ID, Group: a.Query.Group, Took: a.Took,
			NDCG10: round(ndcgAt(a.Ranked, want, 10)), MRR: round(reciprocalRank(a.Ranked, want)),
		}
		for doc := range want {
			q.Evidence = append(q.Evidence, doc)
		}
		slices.Sort(q.Evidence)
		for _, doc := range q.Evidence {
			at := slices.IndexFunc(a.Ranked, func(r Ranked) bool { return r.Document == doc })
			q.Ranks = append(q.Ranks, at+1)
		}
		for i, k := range Cutoffs {
			q.Recall[i] = round(recallAt(a.Ranked, want, k))
		}
		out = append(out, q)
	}
	return out
}

// round rounds f to six decimals. More would only make files longer.
func round(f float64) float64 { return math.Round(f*1e6) / 1e6 }

// WriteQuestions writes questions as JSON lines.
func WriteQuestions(w io.Writer, questions []Question) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, q := range questions {
		if err := enc.Encode(q); err != nil {
			return fmt.Errorf("write question %s: %w", q.ID, err)
		}
	}
	return out.Flush()
}

// ReadQuestions reads what WriteQuestions wrote. Its errors have code invalid, and say
// where the problem is, by name and line.
func ReadQuestions(r io.Reader, name string) ([]Question, error) {
	var out []Question
	seen := make(map[string]bool)
	err := eachLine(r, name, func(line []byte) error {
		var q Question
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if err := q.check(); err != nil {
			return err
		}
		if seen[q.ID] {
			return fmt.Errorf("question %s stands there twice", q.ID)
		}
		seen[q.ID] = true
		out = append(out, q)
		return nil
	})
	return out, err
}

// check returns an error if a question has impossible values.
func (q Question) check() error {
	switch {
	case q.ID == "":
		return fmt.Errorf("the question has no id")
	case len(q.Evidence) == 0:
		return fmt.Errorf("question %s has no evidence", q.ID)
	case len(q.Evidence) != len(q.Ranks):
		return fmt.Errorf("question %s has %d ranks for %d pieces of evidence", q.ID, len(q.Ranks), len(q.Evidence))
	case slices.Min(q.Ranks) < 0 || q.Took < 0:
		return fmt.Errorf("question %s has a negative rank or time", q.ID)
	}
	for _, f := range append(q.Recall[:], q.NDCG10, q.MRR) {
		if f < 0 || f > 1 {
			return fmt.Errorf("question %s has a figure outside 0 to 1", q.ID)
		}
	}
	return nil
}
