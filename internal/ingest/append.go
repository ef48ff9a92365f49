package ingest

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
)

// Appender is a [Memory] to which an ongoing conversation is appended in parts.
type Appender interface {
	Memory
	// AppendRest appends the turns that follow the end of a session. It returns those
	// that were added, and the number of those that were already there.
	AppendRest(ctx context.Context, s strata.Session, turns []strata.Turn) (added []strata.Turn, known int, err error)
}

// Append appends turns to a session as an agent delivers them, and extracts facts from
// them. Turns that were delivered before are not added again: they are recognized by
// their ids if all have one, or else by the end of the session.
func Append(ctx context.Context, m Appender, s strata.Session, turns []strata.Turn) (Report, error) {
	r := Report{Messages: int64(len(turns)), Left: make(map[string]int64), Decided: make(map[strata.Op]int64)}
	var kept []strata.Turn
	named := true
	for _, t := range turns {
		t, left := clean(t)
		if left == LeftWrong {
			whole := t
			whole.Session = s.ID
			return r, whole.Validate()
		}
		if left != "" {
			r.Left[left]++
			continue
		}
		named = named && t.ID != ""
		kept = append(kept, t)
	}
	if len(kept) == 0 {
		return r, nil
	}
	var added []strata.Turn
	var err error
	if named {
		for i := range kept {
			kept[i].ID = id.Of(id.Turn, s.ID, "id", kept[i].ID)
		}
		added, err = m.AppendOnce(ctx, s, kept)
	} else {
		added, _, err = m.AppendRest(ctx, s, kept)
	}
	if err != nil {
		return r, err
	}
	r.Sessions = []Session{{ID: s.ID, Scope: s.Scope, Added: int64(len(added)), Known: int64(len(kept) - len(added))}}
	in := intake{report: r}
	decisions, err := m.ExtractNew(ctx, s.Scope, s.ID)
	in.decided(decisions)
	return in.report, err
}
