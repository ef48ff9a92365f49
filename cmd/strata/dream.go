package main

import (
	"github.com/strata-memory/strata/dream"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/config"
)

// retention is what is put away in the background, as it is configured.
func (a *app) retention() engine.Retention {
	return engine.Retention{
		ArchiveAfter: a.cfg.Age(config.ArchiveAfter), DailyAfter: a.cfg.Age(config.DailyArchiveAfter),
		DiskBudget: int64(a.cfg.Int(config.DiskBudgetMiB)) << 20,
	}
}

// dreamSettings are those of dreams, as they are configured. The settings were checked.
func (a *app) dreamSettings() dream.Settings {
	s := dream.Settings{
		Disabled: a.cfg.Get(config.Dream) == config.Off,
		Every:    a.cfg.Duration(config.DreamEvery), SkillIdle: a.cfg.Duration(config.DreamSkillIdle),
		Sessions: a.cfg.Int(config.DreamSessions), Facts: a.cfg.Int(config.DreamFacts), MinRecalls: a.cfg.Int(config.DreamMinRecalls),
		MinQuestions: a.cfg.Int(config.DreamMinQuestions), MaxPromotions: a.cfg.Int(config.DreamPromotions),
	}
	if list := a.cfg.Shares(config.DreamMinScore); len(list) == 1 {
		s.MinScore = list[0]
	}
	if w := a.cfg.Shares(config.DreamWeights); len(w) == 6 {
		s.Weights = dream.Weights{Frequency: w[0], Relevance: w[1], Recency: w[2], Diversity: w[3], Consolidation: w[4], Richness: w[5]}
	}
	return s
}
