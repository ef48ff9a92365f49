package dream

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/topics"
	"github.com/strata-memory/strata/store"
)

// mostTagged is the maximum number of facts whose concept tags one dream checks. The next
// dream continues after them.
const mostTagged = 2000

// tagging is the result of checking concept tags.
type tagging struct {
	through int64 // number of the last fact checked; 0 for none
	changed []retagged
}

// retagged is a fact version with its new tags.
type retagged struct {
	number int64
	fact   strata.Fact
}

// findTags checks the facts that are not known to have tags of the current version.
func findTags(ctx context.Context, r store.Reader, scope strata.Scope) (out tagging, err error) {
	list, err := r.Untagged(ctx, scope, topics.Version, mostTagged)
	for _, s := range list {
		out.through = s.Number
		if tags := topics.Derive(text.Analyze(s.Fact.Text), topics.MaxTags); !slices.Equal(tags, s.Fact.Tags) {
			f := *s.Fact
			f.Tags = tags
			out.changed = append(out.changed, retagged{s.Number, f})
		}
	}
	return out, err
}

// tag writes the new tags, and returns the number of facts that got them.
func (d *Dreamer) tag(ctx context.Context, w store.Writer, scope strata.Scope, found tagging) (n int, err error) {
	for _, x := range found.changed {
		f := x.fact
		still, err := believed(ctx, w, f)
		if err != nil {
			return n, err
		}
		if !still {
			continue
		}
		n++
		err = w.Retag(ctx, recall.FactPassage(x.number, f, recall.FactText(f)), f.Tags)
		if err != nil {
			return n, err
		}
	}
	if found.through == 0 {
		return n, nil
	}
	return n, w.StampTags(ctx, scope, topics.Version, found.through)
}
