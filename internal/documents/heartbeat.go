package documents

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// HeartbeatRule is a rule of the HEARTBEAT.md of a scope.
type HeartbeatRule struct {
	Scope strata.Scope `json:"scope"`
	Path  string       `json:"path"`
	Line  int          `json:"line"`
	Text  string       `json:"text"`
	Every string       `json:"every,omitempty"` // as written, such as "30m"
	At    string       `json:"at,omitempty"`    // as written, such as "09:00"
}

// Heartbeat lists the rules in the HEARTBEAT.md of each scope of a view, in the order of
// the view and of the file. It ignores foreign files.
func (l *Library) Heartbeat(ctx context.Context, view strata.View) ([]HeartbeatRule, error) {
	return store.ReadEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) ([]HeartbeatRule, error) {
		d, err := At(ctx, r, s, markdown.HeartbeatPath)
		if d == nil || d.Foreign { // not written by the user
			return nil, err
		}
		var out []HeartbeatRule
		for _, rule := range markdown.Rules(d.Content) {
			out = append(out, HeartbeatRule{Scope: s, Path: d.Path, Line: rule.Line, Text: rule.Text, Every: rule.Every, At: rule.At})
		}
		return out, nil
	})
}
