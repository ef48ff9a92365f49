package main

import "fmt"

// Headline is one figure for people, with its goal.
type Headline struct {
	Name, Value, Goal string
	Met               bool // whether the goal is met, if there is one
}

// Headlines returns the figures for people.
func (r Result) Headlines() []Headline {
	f := r.Figures
	c := f.Changes
	return []Headline{
		{Name: "kept of what was told", Value: percent(f.KeptShare()), Goal: "-"},
		{"kept and still so, found at 5", part(f.Holding.Found, f.Holding.Asked), "95 % or more", f.Holding.Share() >= 0.95},
		{Name: "kept where nobody looks for it", Value: fmt.Sprint(f.Misfiled), Goal: "-"},
		{Name: "ends that were not seen", Value: part(c.Missed, c.Ended), Goal: "-"},
		{Name: "ends kept beside what ended", Value: part(c.Beside, c.Ended), Goal: "-"},
		{"understood, still given as current", part(c.Current, c.Understood), "none", c.Current == 0},
		{"past, found as of its time", part(c.AsOf.Found, c.AsOf.Asked), "all", c.AsOf.Found == c.AsOf.Asked},
		{Name: "past among the hits, not marked as older", Value: part(c.Unmarked, c.Shown), Goal: "-"},
		{Name: "past ranked before what is so now", Value: fmt.Sprint(c.First), Goal: "-"},
		{Name: "plans given after their day", Value: part(f.PlansStale, f.Plans), Goal: "-"},
		{"noise among stored facts", percent(f.NoiseShare()), "under 5 %", f.NoiseShare() < 0.05},
		{"secrets on the disk", part(f.SecretsLeaked, f.Secrets), "none", f.SecretsLeaked == 0},
		{"of a project, seen in the other", part(f.Crossed, f.OfProjects), "none", f.Crossed == 0},
		{"largest MEMORY.md", fmt.Sprintf("%d lines, %d bytes", f.Index.Lines, f.Index.Bytes), fmt.Sprintf("%d lines, %d bytes", MaxLines, MaxBytes), f.Index.fits()},
		{"lines by hand intact", part(f.Index.Intact, f.Index.Written), "all", f.Index.Intact == f.Index.Written},
		{Name: "sessions archived", Value: fmt.Sprint(f.Archive.Sessions), Goal: "-"},
		{"brought back as they were", part(f.Archive.Whole, f.Archive.Restored), "all", f.Archive.Whole == f.Archive.Restored},
		{Name: "tokens at the start of a session, month 2 and 12", Value: fmt.Sprintf("%d, %d", f.Tokens[1], f.Tokens[11]), Goal: "-"},
		{"growth of the prompt, month 2 to 12", percent(f.TokenGrowth()), "10 % or less", f.TokenGrowth() <= flat},
		{"extraction from a turn", millis(r.Times.Extract.Seconds()), "under 1 ms", r.Times.Extract.Seconds() < 0.001},
		{Name: "appending a turn", Value: millis(r.Times.Turn.Seconds()), Goal: "-"},
		{Name: "answering a question", Value: millis(r.Times.Ask.Seconds()), Goal: "-"},
	}
}

// flat is how much prompts may grow from the second month on, as a fraction.
const flat = 0.1

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func millis(seconds float64) string { return fmt.Sprintf("%.2f ms", 1000*seconds) }

// part formats n as a part of all.
func part(n, all int) string {
	return fmt.Sprintf("%d of %d (%s)", n, all, percent(share(n, max(all, 1))))
}
