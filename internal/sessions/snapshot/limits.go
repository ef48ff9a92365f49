package snapshot

import "github.com/strata-memory/strata"

// Limits limit the size of a snapshot. In every field, unless noted, 0 means the default
// and a negative number means nothing. A character is a Unicode code point.
type Limits struct {
	// IndexLines (default 200) and IndexBytes (default 25,600) limit what is shown of
	// each index.
	IndexLines int `json:"index_lines"`
	IndexBytes int `json:"index_bytes"`
	// IndexChars limits all indexes together, as rendered in the prompt, in characters;
	// default 24,000. Indexes get what others do not need.
	IndexChars int `json:"index_chars"`
	// GeneratedChars limits the generated blocks of all indexes together, as rendered in
	// the prompt, in characters; default 2,000, which is about 25 lines or 500 tokens.
	// Text that people wrote in the indexes has priority, but leaves them at least a
	// quarter.
	GeneratedChars int `json:"generated_chars"`
	// RuleChars limits all standing rules together, as rendered in the prompt, in
	// characters; default 4,000, which is about 50 rules or 1,000 tokens. Rules that were
	// neither said nor used for longest are left out first.
	RuleChars int `json:"rule_chars"`
	// Facts is the number of top facts; default 10.
	Facts int `json:"facts"`
	// FactChars is the longest text of one fact or rule, in characters; default
	// 500. A longer one is cut.
	FactChars int `json:"fact_chars"`
	// SkillChars limits the list of skills, as rendered in the prompt, in characters;
	// default 2,000, which is about 15 to 30 skills.
	SkillChars int `json:"skill_chars"`
	// LearningLines (default 20) is how many of the last lines of each text of learnings
	// are shown. LearningChars (default 3,000) limits all of them together, as rendered
	// in the prompt.
	LearningLines int `json:"learning_lines"`
	LearningChars int `json:"learning_chars"`
	// SummaryTokens limits all summaries together, as rendered in the prompt, in tokens
	// of cl100k; default 5,000.
	SummaryTokens int `json:"summary_tokens"`
	// FileChars limits all workspace files together, as rendered in the prompt, in
	// characters; default 40,000. Each file also has its own limit: 8,000 for AGENTS.md,
	// 4,000 for any other.
	FileChars int `json:"file_chars"`
	// StaleDays is the age in calendar days (UTC) beyond which a fact about a project, a
	// reference, an index or a summary is marked with its age and "verify"; default 1.
	// StalePersonalDays is the same for facts about the user and for feedback, which stay
	// true longer; default 365. Negative: never.
	StaleDays         int `json:"stale_days"`
	StalePersonalDays int `json:"stale_personal_days"`
	// Tokens is a hard limit for the whole snapshot, in tokens of cl100k; 0 or less means
	// none. If it is exceeded, indexes, facts, skills, learnings, summaries and files
	// shrink in proportion, and standing rules only after all of these. If the guidance
	// alone does not fit, the snapshot is empty.
	Tokens int `json:"tokens"`
}

// withDefaults returns l with defaults filled in.
func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		field *int
		value int
	}{
		{&l.IndexLines, 200}, {&l.IndexBytes, 25_600}, {&l.IndexChars, 24_000}, {&l.GeneratedChars, 2_000},
		{&l.RuleChars, 4_000}, {&l.Facts, 10}, {&l.FactChars, 500},
		{&l.SkillChars, 2_000},
		{&l.LearningLines, 20}, {&l.LearningChars, 3_000},
		{&l.SummaryTokens, 5_000}, {&l.FileChars, 40_000},
		{&l.StaleDays, 1}, {&l.StalePersonalDays, 365},
	} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return l
}

// scaled returns l with every limit except that of the rules multiplied by share, in
// [0,1]. l must have its defaults already, so a limit of 0 means none. The number of top
// facts shrinks only for shares below a tenth, because they are few and worth most.
func (l Limits) scaled(share float64) Limits {
	for _, field := range []*int{&l.IndexChars, &l.SkillChars, &l.LearningChars, &l.SummaryTokens, &l.FileChars} {
		*field = int(float64(max(*field, 0)) * share)
	}
	l.Facts = int(float64(max(l.Facts, 0)) * min(1, 10*share))
	return l
}

// staleAfter returns the age in days beyond which a fact of the type is marked with its
// age.
func (l Limits) staleAfter(t strata.Type) int {
	if t == strata.TypeUser || t == strata.TypeFeedback {
		return l.StalePersonalDays
	}
	return l.StaleDays
}

// fileCap returns the limit of a workspace file, in characters.
func fileCap(name string) int {
	if name == "AGENTS.md" {
		return 8_000
	}
	return 4_000
}

// fair divides total among needs so that nobody gets more than they need, and what one
// does not need goes to the others in equal parts. An indivisible rest goes to the first.
func fair(total int, needs []int) []int {
	shares := make([]int, len(needs))
	open := 0
	for _, need := range needs {
		if need > 0 {
			open++
		}
	}
	for total > 0 && open > 0 {
		part := max(total/open, 1)
		open = 0
		for i, need := range needs {
			give := min(part, need-shares[i], total)
			if give <= 0 {
				continue
			}
			shares[i] += give
			total -= give
			if shares[i] < need {
				open++
			}
		}
	}
	return shares
}
