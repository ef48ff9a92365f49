package learnings

import "github.com/strata-memory/strata"

// FromMemory returns the learnings of memory as files hold them, without those that
// were forgotten.
func FromMemory(list []strata.Learning) (failures []Error, corrections []Correction) {
	for _, l := range list {
		times := Times{First: l.FirstAt, Last: l.LastAt, Count: int(l.Count)}
		switch {
		case l.Forgotten:
		case l.Kind == strata.LearningError:
			failures = append(failures, Error{Tool: l.Tool, Text: l.Text, Context: l.Context, Times: times})
		default:
			corrections = append(corrections, Correction{Original: l.Context, Correction: l.Text, Times: times})
		}
	}
	return failures, corrections
}
