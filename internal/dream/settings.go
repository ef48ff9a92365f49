package dream

import (
	"cmp"
	"time"

	"github.com/strata-memory/strata"
)

// Settings control when a scope dreams and what is promoted. The zero value of each field
// means its default.
type Settings struct {
	// Disabled prevents scheduled dreams. A dream can still be asked for.
	Disabled bool
	// Every is the minimum time between two dreams of a scope. 0 means 24 h.
	Every time.Duration
	// Sessions is the number of sessions since the last dream that a scope must have been
	// used in. 0 means 5.
	Sessions int
	// Facts is the number of new or changed facts that suffices instead of Sessions. 0
	// means 50.
	Facts int
	// MinScore, in (0,1], is the minimum score for a promotion. 0 means 0.35.
	MinScore float64
	// MinRecalls is the minimum number of times that a memory was recalled. 0 means 3.
	MinRecalls int
	// MinQuestions is the minimum number of different queries that recalled it. 0 means
	// 2.
	MinQuestions int
	// MaxPromotions is the maximum number of promotions in one dream. 0 means 20.
	MaxPromotions int
	// Weights are the weights of the signals. The zero value means the default weights.
	Weights Weights
	// Retention is how long recall events count and are kept. 0 means 180 days.
	Retention time.Duration
	// SkillIdle is how long nobody must have opened a skill that rules made before it is
	// archived. 0 means 180 days.
	SkillIdle time.Duration
	// SinkBelow, in (0,1), is the recency of the last use below which a promotion is
	// archived. 0 means 0.25, which a fact reaches after two half-lives of its type.
	SinkBelow float64
}

// Weights are the factors by which the signals add to a score.
type Weights struct {
	Frequency, Relevance, Recency, Diversity, Consolidation, Richness float64
}

// defaultWeights are the weights of nexo-rs, which sum to 0.94, and the remaining 0.06
// for the signal that it does not have.
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

// Validate returns an error if a setting is out of range.
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
