package dream

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/salience"
	"github.com/strata-memory/strata/store"
)

// Signals measure how much interest there is in a memory.
type Signals struct {
	Recalls   int // events
	Questions int // distinct queries, by their content words
	Days      int // distinct days in UTC
	Last      time.Time

	sum float64 // of the scores
}

// saturation is the number of recalls, questions or days beyond which more do not count.
// It is the value of nexo-rs (crates/memory/src/long_term.rs and dreaming.rs).
const saturation = 5

// richTags is the number of concept tags at which richness is 1.
const richTags = 4

// Frequency returns ln(1+recalls)/ln 6, at most 1.
func (s Signals) Frequency() float64 {
	return min(1, math.Log1p(float64(s.Recalls))/math.Log1p(saturation))
}

// Relevance returns the mean score with which the memory was found. These are absolute
// scores rather than ranks: the only hit is not necessarily a good one.
func (s Signals) Relevance() float64 {
	if s.Recalls == 0 {
		return 0
	}
	return min(1, max(0, s.sum/float64(s.Recalls)))
}

// Diversity measures the number of distinct questions or days, whichever is greater.
func (s Signals) Diversity() float64 {
	return float64(min(saturation, max(s.Questions, s.Days))) / saturation
}

// Consolidation measures the number of distinct days.
func (s Signals) Consolidation() float64 { return float64(min(saturation, s.Days)) / saturation }

// Score returns the weighted sum of the signals of a fact at a time. It is in [0,1] if
// the weights sum to at most 1.
func (s Signals) Score(w Weights, f strata.Fact, now time.Time) float64 {
	rich := float64(min(richTags, len(f.Tags))) / richTags
	return w.Frequency*s.Frequency() + w.Relevance*s.Relevance() +
		w.Recency*salience.Recency(now, s.Last, salience.HalfLife(string(f.Type))) +
		w.Diversity*s.Diversity() + w.Consolidation*s.Consolidation() + w.Richness*rich
}

// gather sums recall events by memory. Events of a memory up to its time in after are
// ignored.
func gather(events []store.RecallEvent, after map[string]time.Time) map[string]Signals {
	type seen struct{ questions, days map[string]bool }
	out, of := make(map[string]Signals), make(map[string]seen)
	keys := make(map[string]string) // by query, since one query finds several memories
	for _, e := range events {
		if end, ok := after[e.Memory]; ok && !e.At.After(end) {
			continue
		}
		key, ok := keys[e.Query]
		if !ok {
			key = questionKey(e.Query)
			keys[e.Query] = key
		}
		x, ok := of[e.Memory]
		if !ok {
			x = seen{make(map[string]bool), make(map[string]bool)}
			of[e.Memory] = x
		}
		if key != "" {
			x.questions[key] = true
		}
		x.days[e.At.UTC().Format(time.DateOnly)] = true
		s := out[e.Memory]
		s.Recalls++
		s.sum += e.Score
		s.Questions, s.Days = len(x.questions), len(x.days)
		if e.At.After(s.Last) {
			s.Last = e.At
		}
		out[e.Memory] = s
	}
	return out
}

// questionKey returns a key that is the same for questions that differ only in case,
// order, punctuation and stop words. The key of a forgotten question is "".
func questionKey(q string) string {
	if q == strata.ForgottenText {
		return ""
	}
	var terms []string
	for t := range text.Tokens(q) {
		if !t.Stop {
			terms = append(terms, t.Term)
		}
	}
	if len(terms) == 0 {
		return text.Normalize(q)
	}
	slices.Sort(terms)
	return strings.Join(slices.Compact(terms), " ")
}
