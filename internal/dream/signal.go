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

// Signals say how much somebody is interested in a memory.
type Signals struct {
	Recalls   int // events
	Questions int // different ones, by their content words
	Days      int // different ones, in UTC
	Last      time.Time

	sum float64 // of the scores
}

// The numbers of nexo-rs (crates/memory/src/long_term.rs and dreaming.rs): five
// recalls, questions or days are as many as count.
const saturation = 5

// richTags is how many concept tags make a memory rich.
const richTags = 4

// Frequency is ln(1+recalls)/ln 6, at most 1.
func (s Signals) Frequency() float64 {
	return min(1, math.Log1p(float64(s.Recalls))/math.Log1p(saturation))
}

// Relevance is the mean of the scores that it was found with: the true ones, not
// places in a ranking, for what was found alone is not therefore what was meant.
func (s Signals) Relevance() float64 {
	if s.Recalls == 0 {
		return 0
	}
	return min(1, max(0, s.sum/float64(s.Recalls)))
}

// Diversity counts the different questions or days, whichever are more.
func (s Signals) Diversity() float64 {
	return float64(min(saturation, max(s.Questions, s.Days))) / saturation
}

// Consolidation counts the days.
func (s Signals) Consolidation() float64 { return float64(min(saturation, s.Days)) / saturation }

// Score is the weighted sum of the signals of a fact at a time, in [0,1] where the
// weights sum up to no more than 1.
func (s Signals) Score(w Weights, f strata.Fact, now time.Time) float64 {
	rich := float64(min(richTags, len(f.Tags))) / richTags
	return w.Frequency*s.Frequency() + w.Relevance*s.Relevance() +
		w.Recency*salience.Recency(now, s.Last, salience.HalfLife(string(f.Type))) +
		w.Diversity*s.Diversity() + w.Consolidation*s.Consolidation() + w.Richness*rich
}

// gather sums recall events up by memory. What was recalled of a memory until the
// time that after has for it does not count.
func gather(events []store.RecallEvent, after map[string]time.Time) map[string]Signals {
	type seen struct{ questions, days map[string]bool }
	out, of := make(map[string]Signals), make(map[string]seen)
	keys := make(map[string]string) // by question, for one question finds several memories
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

// questionKey is the same for questions that differ in case, order, punctuation and
// words without content alone. One that was forgotten has none.
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
