package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// Resamples is the default number of draws for an interval: enough for its ends to move
// by less than a thousandth from seed to seed.
const Resamples = 10_000

// maxResamples limits the number of draws, and so the memory that they take.
const maxResamples = 1_000_000

// CompareOptions adjusts a comparison. The zero value means the defaults.
type CompareOptions struct {
	Resamples int    // 0 means Resamples; at most 1,000,000
	Seed      uint64 // 0 means 1
	// Metric is the metric by which questions count as better or worse; empty means
	// recall@10. See Metrics.
	Metric string
}

// Comparison tells how the second of two runs differs from the first.
type Comparison struct {
	A          string            `json:"a"`
	B          string            `json:"b"`
	Method     string            `json:"method"`
	Resamples  int               `json:"resamples"`
	Seed       uint64            `json:"seed"`
	Confidence float64           `json:"confidence"`
	Groups     []GroupDifference `json:"groups"` // all questions first, then each category by name
	// Metric is the metric by which Better and Worse were selected. The greatest changes
	// come first.
	Metric string           `json:"metric"`
	Better []QuestionChange `json:"better"`
	Worse  []QuestionChange `json:"worse"`
}

// GroupDifference compares the questions of one category.
type GroupDifference struct {
	Group     string             `json:"group"` // "all" for every question
	Questions int                `json:"questions"`
	Metrics   []MetricDifference `json:"metrics"`
}

// MetricDifference compares one metric. Difference is B minus A.
type MetricDifference struct {
	Metric     string   `json:"metric"`
	A          float64  `json:"a"`
	B          float64  `json:"b"`
	Difference float64  `json:"difference"`
	Interval   Interval `json:"interval"`
	Better     int      `json:"better"` // questions that got better
	Worse      int      `json:"worse"`
}

// Clear reports whether the interval excludes zero.
func (d MetricDifference) Clear() bool { return d.Interval.Low > 0 || d.Interval.High < 0 }

// QuestionChange is a question whose metric changed.
type QuestionChange struct {
	ID       string   `json:"id"`
	Group    string   `json:"group,omitempty"`
	A        float64  `json:"a"`
	B        float64  `json:"b"`
	Evidence []string `json:"evidence"`
	RanksA   []int    `json:"ranks_a"` // in the order of Evidence; 0 if not found
	RanksB   []int    `json:"ranks_b"`
}

// allGroup names the group of every question.
const allGroup = "all"

// metric is a figure that each question has.
type metric struct {
	name       string
	of         func(Question) float64
	lessBetter bool
}

// metrics returns the metrics that are compared.
func metrics() []metric {
	var out []metric
	for i, k := range Cutoffs {
		out = append(out, metric{name: fmt.Sprintf("recall@%d", k), of: func(q Question) float64 { return q.Recall[i] }})
	}
	return append(out,
		metric{name: "nDCG@10", of: func(q Question) float64 { return q.NDCG10 }},
		metric{name: "MRR", of: func(q Question) float64 { return q.MRR }},
		metric{name: "latency-ms", of: func(q Question) float64 { return float64(q.Took.Microseconds()) / 1000 }, lessBetter: true},
	)
}

// Metrics returns the names of the metrics that are compared.
func Metrics() []string {
	var out []string
	for _, m := range metrics() {
		out = append(out, m.name)
	}
	return out
}

// Compare compares two runs of the same questions. If the questions or their evidence
// differ, the error has code invalid.
func Compare(a, b []Question, o CompareOptions) (Comparison, error) {
	const op = "compare runs"
	if o.Resamples == 0 {
		o.Resamples = Resamples
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Metric == "" {
		o.Metric = "recall@10"
	}
	if o.Resamples < 1 || o.Resamples > maxResamples {
		return Comparison{}, strata.Invalid(op, "the number of resamples lies outside 1 to 1000000", fmt.Sprintf("leave it out for %d", Resamples))
	}
	all := metrics()
	by := slices.IndexFunc(all, func(m metric) bool { return m.name == o.Metric })
	if by < 0 {
		return Comparison{}, strata.Invalid(op, fmt.Sprintf("no such metric: %q", o.Metric), "use "+strings.Join(Metrics(), ", "))
	}
	pairs, err := pair(a, b)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{
		Method:    "paired percentile bootstrap over questions",
		Resamples: o.Resamples, Seed: o.Seed, Confidence: Confidence, Metric: o.Metric,
	}
	c.Groups = append(c.Groups, difference(allGroup, pairs, all, o))
	for _, name := range groupsOf(a) {
		c.Groups = append(c.Groups, difference(name, inGroup(pairs, name), all, o))
	}
	c.Better, c.Worse = changes(pairs, all[by])
	return c, nil
}

// pairOf is one question in both runs.
type pairOf struct{ a, b Question }

// pair matches the questions of two runs by id, in the order of the first.
func pair(a, b []Question) ([]pairOf, error) {
	const op = "compare runs"
	const hint = "compare two runs of the same data with the same --unit"
	if len(a) == 0 {
		return nil, strata.Invalid(op, "the first run has no questions", hint)
	}
	other := make(map[string]Question, len(b))
	for _, q := range b {
		other[q.ID] = q
	}
	out := make([]pairOf, 0, len(a))
	for _, q := range a {
		same, ok := other[q.ID]
		if !ok {
			return nil, strata.Invalid(op, fmt.Sprintf("the second run has no question %s: the questions differ (%d and %d)", q.ID, len(a), len(b)), hint)
		}
		if !slices.Equal(q.Evidence, same.Evidence) {
			return nil, strata.Invalid(op, "the runs disagree on the evidence of question "+q.ID, hint)
		}
		delete(other, q.ID)
		out = append(out, pairOf{q, same})
	}
	for _, q := range b {
		if _, left := other[q.ID]; left {
			return nil, strata.Invalid(op, fmt.Sprintf("the first run has no question %s: the questions differ (%d and %d)", q.ID, len(a), len(b)), hint)
		}
	}
	return out, nil
}

func groupsOf(questions []Question) []string {
	var out []string
	for _, q := range questions {
		if q.Group != "" && !slices.Contains(out, q.Group) {
			out = append(out, q.Group)
		}
	}
	slices.Sort(out)
	return out
}

func inGroup(pairs []pairOf, group string) []pairOf {
	var out []pairOf
	for _, p := range pairs {
		if p.a.Group == group {
			out = append(out, p)
		}
	}
	return out
}

// difference compares all metrics for one group.
func difference(group string, pairs []pairOf, all []metric, o CompareOptions) GroupDifference {
	g := GroupDifference{Group: group, Questions: len(pairs), Metrics: make([]MetricDifference, len(all))}
	rows := make([][]float64, len(pairs))
	for i, p := range pairs {
		rows[i] = make([]float64, len(all))
		for m, figure := range all {
			a, b := figure.of(p.a), figure.of(p.b)
			d := &g.Metrics[m]
			d.A, d.B = d.A+a, d.B+b
			rows[i][m] = b - a
			switch better := b > a != figure.lessBetter; {
			case a == b:
			case better:
				d.Better++
			default:
				d.Worse++
			}
		}
	}
	for m, interval := range bootstrap(rows, o.Resamples, o.Seed) {
		d := &g.Metrics[m]
		n := float64(len(pairs))
		d.Metric, d.Interval = all[m].name, interval
		d.A, d.B, d.Difference = round(d.A/n), round(d.B/n), round((d.B-d.A)/n)
	}
	return g
}

// changes returns the questions whose metric changed, the greatest change first.
func changes(pairs []pairOf, m metric) (better, worse []QuestionChange) {
	better, worse = []QuestionChange{}, []QuestionChange{}
	for _, p := range pairs {
		a, b := m.of(p.a), m.of(p.b)
		if a == b {
			continue
		}
		change := QuestionChange{ID: p.a.ID, Group: p.a.Group, A: a, B: b, Evidence: p.a.Evidence, RanksA: p.a.Ranks, RanksB: p.b.Ranks}
		if b > a != m.lessBetter {
			better = append(better, change)
		} else {
			worse = append(worse, change)
		}
	}
	most := func(x, y QuestionChange) int { return cmp.Compare(abs(y.B-y.A), abs(x.B-x.A)) }
	slices.SortStableFunc(better, most)
	slices.SortStableFunc(worse, most)
	return better, worse
}

func abs(f float64) float64 { return max(f, -f) }
