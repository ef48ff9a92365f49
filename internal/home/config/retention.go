package config

import (
	"fmt"
	"time"

	"github.com/strata-memory/strata/internal/base/clock"
)

// Names of the settings that limit how much memory stores and how much it asks of models.
const (
	ArchiveAfter      = "archive_after"
	DailyArchiveAfter = "daily_archive_after"
	DiskBudgetMiB     = "disk_budget_mib"

	ModelCallsPerDay  = "model_calls_per_day"
	ModelTokensPerDay = "model_tokens_per_day"
)

// retentionSettings returns the settings for archiving in the background, the disk budget
// and the daily budget of model calls.
func retentionSettings() []Setting {
	return []Setting{
		{
			Name: ArchiveAfter, Env: "STRATA_ARCHIVE_AFTER", Default: Off, Check: checkAge(ArchiveAfter),
			Doc: "age at which what was said in closed sessions goes into compressed files, such as 180d, or off",
		},
		{
			Name: DailyArchiveAfter, Env: "STRATA_DAILY_ARCHIVE_AFTER", Default: Off, Check: checkAge(DailyArchiveAfter),
			Doc: "age at which daily logs go into their archive, such as 90d, or off",
		},
		{
			Name: DiskBudgetMiB, Env: "STRATA_DISK_BUDGET_MIB", Number: true, Check: checkCount(DiskBudgetMiB, 1<<30),
			Doc: "MiB that the database and archived sessions may take; beyond that the oldest archives go for good, never facts (default: any amount)",
		},
		{
			Name: ModelCallsPerDay, Env: "STRATA_MODEL_CALLS_PER_DAY", Default: "5000", Number: true, Check: checkCount(ModelCallsPerDay, 1<<30),
			Doc: "calls to models in a day for memory's own work; chat itself does not count",
		},
		{
			Name: ModelTokensPerDay, Env: "STRATA_MODEL_TOKENS_PER_DAY", Default: "10000000", Number: true, Check: checkCount(ModelTokensPerDay, 1<<40),
			Doc: "tokens of these calls in a day, requests and answers",
		},
	}
}

// leastAge is the least age at which anything is archived automatically.
const leastAge = 24 * time.Hour

// checkAge accepts ages of a day or more, and off.
func checkAge(name string) func(string) error {
	return func(v string) error {
		age, err := clock.ParseAge(v)
		if v != Off && (err != nil || age < leastAge) {
			return fmt.Errorf("%s cannot be %q: use an age of a day or more such as 180d, or off", name, clip(v))
		}
		return nil
	}
}

// Age returns the value of a setting as an age; 0 for off.
func (c Config) Age(name string) time.Duration {
	age, err := clock.ParseAge(c.Get(name))
	if err != nil {
		return 0
	}
	return age
}
