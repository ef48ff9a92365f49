package bench

import (
	"math"
	"slices"
	"time"
)

// Cutoffs are the ranks at which recall is scored.
var Cutoffs = [...]int{5, 10, 25, 50}

// Scores holds the figures of a run, averaged over the queries that have an answer.
type Scores struct {
	Queries int                     `json:"queries"`
	Recall  [len(Cutoffs)]float64   `json:"recall"`  // at each of Cutoffs, in [0,1]
	NDCG10  float64                 `json:"ndcg_10"` // gain 2^grade - 1 (Burges et al., 2005)
	MRR     float64                 `json:"mrr"`     // of the first answer, at any rank
	Groups  map[string]*GroupScores `json:"groups,omitempty"`
	// Newest is for the queries that have superseded documents; nil if there are none.
	Newest *NewestScore  `json:"newest_first,omitempty"`
	P50    time.Duration `json:"p50_ns"`
	P95    time.Duration `json:"p95_ns"`
	P99    time.Duration `json:"p99_ns"`
}

// NewestScore tells how often a relevant document ranks before every superseded one. A
// query counts as a failure if none of its relevant documents was found.
type NewestScore struct {
	Queries int     `json:"queries"`
	First   float64 `json:"first"` // fraction of these queries, in [0,1]
}

// GroupScores holds the figures of one group of queries.
type GroupScores struct {
	Queries int                   `json:"queries"`
	Recall  [len(Cutoffs)]float64 `json:"recall"`
}

// Score returns averages over the queries of a run that have a relevant document. Recall
// at k is the fraction of a query's relevant documents among its first k. The latencies
// are those of all queries.
func Score(answers []Answer, relevant map[string]map[string]int) Scores {
	s := Scores{Groups: make(map[string]*GroupScores)}
	var took []time.Duration
	for _, a := range answers {
		took = append(took, a.Took)
		want := relevant[a.Query.ID]
		if len(want) == 0 {
			continue
		}
		s.Queries++
		group := s.Groups[a.Query.Group]
		if a.Query.Group != "" {
			if group == nil {
				group = &GroupScores{}
				s.Groups[a.Query.Group] = group
			}
			group.Queries++
		}
		for i, k := range Cutoffs {
			r := recallAt(a.Ranked, want, k)
			s.Recall[i] += r
			if group != nil {
				group.Recall[i] += r
			}
		}
		s.NDCG10 += ndcgAt(a.Ranked, want, 10)
		s.MRR += reciprocalRank(a.Ranked, want)
	}
	if s.Queries > 0 {
		n := float64(s.Queries)
		for i := range s.Recall {
			s.Recall[i] /= n
		}
		s.NDCG10 /= n
		s.MRR /= n
	}
	for _, g := range s.Groups {
		for i := range g.Recall {
			g.Recall[i] /= float64(g.Queries)
		}
	}
	slices.Sort(took)
	s.P50, s.P95, s.P99 = percentile(took, 50), percentile(took, 95), percentile(took, 99)
	return s
}

// Score is like the function Score, and also scores superseded documents if the
// collection has any.
func (c Collection) Score(unit Unit, answers []Answer, relevant map[string]map[string]int) Scores {
	s := Score(answers, relevant)
	if unit != UnitSession {
		s.Newest = c.newest(answers)
	}
	return s
}

// newest scores the queries that have superseded documents. It returns nil if there are
// none.
func (c Collection) newest(answers []Answer) *NewestScore {
	first, queries := 0, 0
	for _, a := range answers {
		old, want := c.Superseded[a.Query.ID], c.Relevant[a.Query.ID]
		if len(old) == 0 {
			continue
		}
		queries++
		at := slices.IndexFunc(a.Ranked, func(r Ranked) bool { return old[r.Document] || want[r.Document] > 0 })
		if at >= 0 && !old[a.Ranked[at].Document] {
			first++
		}
	}
	if queries == 0 {
		return nil
	}
	return &NewestScore{Queries: queries, First: float64(first) / float64(queries)}
}

// recallAt returns the fraction of the wanted documents that are among the first k.
func recallAt(ranked []Ranked, want map[string]int, k int) float64 {
	found := 0
	for _, r := range ranked[:min(k, len(ranked))] {
		if want[r.Document] > 0 {
			found++
		}
	}
	return float64(found) / float64(len(want))
}

// ndcgAt returns the discounted gain of the first k, divided by that of the best order.
func ndcgAt(ranked []Ranked, want map[string]int, k int) float64 {
	gain := 0.0
	for i, r := range ranked[:min(k, len(ranked))] {
		gain += gainOf(want[r.Document]) / math.Log2(float64(i+2))
	}
	grades := make([]int, 0, len(want))
	for _, g := range want {
		grades = append(grades, g)
	}
	slices.SortFunc(grades, func(a, b int) int { return b - a })
	ideal := 0.0
	for i, g := range grades[:min(k, len(grades))] {
		ideal += gainOf(g) / math.Log2(float64(i+2))
	}
	if ideal == 0 {
		return 0
	}
	return gain / ideal
}

// gainOf returns the gain of a document with the given grade; 0 if it is not relevant.
func gainOf(grade int) float64 { return math.Exp2(float64(grade)) - 1 }

// reciprocalRank returns one over the rank of the first wanted document, or 0 if there is
// none.
func reciprocalRank(ranked []Ranked, want map[string]int) float64 {
	for i, r := range ranked {
		if want[r.Document] > 0 {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// percentile returns the p-th percentile of sorted values by nearest rank; 0 if there are
// none.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := (len(sorted)*p + 99) / 100
	return sorted[max(rank, 1)-1]
}
