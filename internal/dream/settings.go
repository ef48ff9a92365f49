package dream

import (
	"cmp"
	"time"

	"github.com/strata-memory/strata"
)

// Settings say when a scope dreams and what rises. The zero value of each field
// means its default.
type Settings struct {
	// Disabled keeps dreams from beginning by themselves. Who asks gets one.
	Disabled bool
	// Every is the time between two dreams of a scope. 0 means 24 h.
	Every time.Duration
	// Sessions is how many sessions a scope was touched in since its last dream.
	// 0 means 5.
	Sessions int
	// Facts is how many new or changed facts, which no dream has looked at, are enough
	// in place of sessions. 0 means 50.
	Facts int
	// MinScore, in (0,1], is the least score that rises. 0 means 0.35.
	MinScore float64
	// MinRecalls is how often a memory was found at least. 0 means 3.
	MinRecalls int
	// MinQuestions is by how many different questions. 0 means 2.
	MinQuestions int
	// MaxPromotions bounds what rises in one dream. 0 means 20.
	MaxPromotions int
	// Weights of the signals; zero means the default weights.
	Weights Weights
	// Retention is for how long recall events count and are kept. 0 means 180 days.
	Retention time.Duration
	// SkillIdle is for how long nobody opened a skill that rules made before it is
	// archived. 0 means 180 days.
	SkillIdle time.Duration
	// SinkBelow, in (0,1), is the recency of the last use below which what was
	// promoted gives way: 0.25 is after two half-lives of its type. 0 means 0.25.
	SinkBelow float64
}

// Weights are how much each signal adds to a score.
type Weights struct {
	Frequency, Relevance, Recency, Diversity, Consolidation, Richness float64
}

// defaultWeights are those of nexo-rs, whose sum is 0.94, and for the signal that
// it leaves out the 0.06 that are missing.
var defaultWeights = Weights{Frequency: 0.24, Relevance: 0.30, Recency: 0.15, Diversity: 0.15, Consolidation: 0.10, Richness: 0.06}

const day = 24 * time.Hour

func (s Settings) withDefaults() Settings {
	s.Every = cmp.Or(s.Every, day)
	s.Sessions = cmp.Or(s.Sessions, 5)
	s.Facts = cmp.Or(s.Facts, 50)
	s.MinScore = cmp.Or(s.MinScore, 0.35)
	s.MinRecalls = cmp.Or(s.MinRecalls, 3)
	s.MinQuestions = cmp.Or(s.MinQuestions, 2)
	s.MaxPromotions = cmp.Or(s.MaxPromotions, 20)
	s.Weights = cmp.Or(s.Weights, defaultWeights)
	s.Retention = cmp.Or(s.Retention, 180*day)
	s.SkillIdle = cmp.Or(s.SkillIdle, 180*day)
	s.SinkBelow = cmp.Or(s.SinkBelow, 0.25)
	return s
}

// Validate reports a setting out of its range.
func (s Settings) Validate() error {
	const op = "check dream settings"
	w := s.Weights
	switch {
	case s.Every < 0 || s.Retention < 0 || s.SkillIdle < 0:
		return strata.Invalid(op, "a time is negative", "use a positive duration, or 0 for the default")
	case s.Sessions < 0 || s.Facts < 0 || s.MinRecalls < 0 || s.MinQuestions < 0 || s.MaxPromotions < 0:
		return strata.Invalid(op, "a number is negative", "use a positive number, or 0 for the default")
	case !(s.MinScore >= 0 && s.MinScore <= 1 && s.SinkBelow >= 0 && s.SinkBelow < 1):
		return strata.Invalid(op, "a threshold is not between 0 and 1", "use a number from 0 to 1")
	case !(min(w.Frequency, w.Relevance, w.Recency, w.Diversity, w.Consolidation, w.Richness) >= 0):
		return strata.Invalid(op, "a weight is negative", "use weights from 0 to 1")
	}
	return nil
}
