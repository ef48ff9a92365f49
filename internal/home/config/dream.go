package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Names of the settings of dreams.
const (
	Dream             = "dream"
	DreamEvery        = "dream_every"
	DreamSessions     = "dream_sessions"
	DreamFacts        = "dream_facts"
	DreamMinScore     = "dream_min_score"
	DreamMinRecalls   = "dream_min_recalls"
	DreamMinQuestions = "dream_min_questions"
	DreamPromotions   = "dream_promotions"
	DreamWeights      = "dream_weights"
	DreamSkillIdle    = "dream_skill_idle"
)

// Off disables what a setting would otherwise start automatically.
const Off = "off"

// dreamSettings returns the settings of dreams, described in docs/dreaming.md.
func dreamSettings() []Setting {
	return []Setting{
		{
			Name: Dream, Env: "STRATA_DREAM", Default: "on", Enum: []string{"on", Off},
			Doc: "whether memory consolidates itself in the background: on or off",
		},
		{
			Name: DreamEvery, Env: "STRATA_DREAM_EVERY", Default: "24h", Check: checkPeriod(DreamEvery),
			Doc: "time between two dreams of a scope, such as 12h",
		},
		{
			Name: DreamSessions, Env: "STRATA_DREAM_SESSIONS", Default: "5", Number: true, Check: checkCount(DreamSessions, 1000),
			Doc: "sessions between two dreams of a scope, 1 to 1000",
		},
		{
			Name: DreamFacts, Env: "STRATA_DREAM_FACTS", Default: "50", Number: true, Check: checkCount(DreamFacts, 2000),
			Doc: "new or changed facts that suffice instead of sessions, 1 to 2000",
		},
		{
			Name: DreamMinScore, Env: "STRATA_DREAM_MIN_SCORE", Default: "0.35", Check: checkShares(DreamMinScore, 1),
			Doc: "score from which a fact rises into MEMORY.md, above 0 to 1",
		},
		{
			Name: DreamMinRecalls, Env: "STRATA_DREAM_MIN_RECALLS", Default: "3", Number: true, Check: checkCount(DreamMinRecalls, 1000),
			Doc: "times a fact must have been asked for to rise, 1 to 1000",
		},
		{
			Name: DreamMinQuestions, Env: "STRATA_DREAM_MIN_QUESTIONS", Default: "2", Number: true, Check: checkCount(DreamMinQuestions, 1000),
			Doc: "different questions that must have asked for it, 1 to 1000",
		},
		{
			Name: DreamPromotions, Env: "STRATA_DREAM_PROMOTIONS", Default: "20", Number: true, Check: checkCount(DreamPromotions, 1000),
			Doc: "most facts that rise in one dream, 1 to 1000",
		},
		{
			Name: DreamWeights, Env: "STRATA_DREAM_WEIGHTS", Default: "0.24, 0.30, 0.15, 0.15, 0.10, 0.06", Check: checkShares(DreamWeights, 6),
			Doc: "weights of frequency, relevance, recency, diversity, consolidation and richness in the score",
		},
		{
			Name: DreamSkillIdle, Env: "STRATA_DREAM_SKILL_IDLE", Default: "4320h", Check: checkPeriod(DreamSkillIdle),
			Doc: "time without use after which a learned skill is archived, such as 2160h",
		},
	}
}

// mostPeriod is the longest time between two dreams.
const mostPeriod = 365 * 24 * time.Hour

// checkPeriod accepts durations from a minute to a year.
func checkPeriod(name string) func(string) error {
	return func(v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d < time.Minute || d > mostPeriod {
			return fmt.Errorf("%s cannot be %q: use a duration from 1m to 8760h", name, clip(v))
		}
		return nil
	}
}

// checkShares accepts a list of n numbers from 0 to 1 that are not all 0.
func checkShares(name string, n int) func(string) error {
	return func(v string) error {
		list, ok := shares(v)
		sum := 0.0
		for _, x := range list {
			sum += x
		}
		if ok && len(list) == n && sum > 0 {
			return nil
		}
		if n == 1 {
			return fmt.Errorf("%s cannot be %q: use a number above 0, at most 1", name, clip(v))
		}
		return fmt.Errorf("%s cannot be %q: use %d numbers from 0 to 1, separated by commas", name, clip(v), n)
	}
}

// shares parses a comma-separated list of numbers from 0 to 1.
func shares(v string) (list []float64, ok bool) {
	for _, s := range strings.Split(v, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || !(x >= 0 && x <= 1) {
			return nil, false
		}
		list = append(list, x)
	}
	return list, true
}

// Shares returns the numbers of a setting that holds a list of them.
func (c Config) Shares(name string) []float64 {
	list, _ := shares(c.Get(name))
	return list
}
