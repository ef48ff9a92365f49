package recall

import (
	"context"
	"fmt"
	"strconv"

	"github.com/strata-memory/strata"
)

// perDocument is how many sections of one document an answer of so many hits
// holds: a third, and at least two. Who asks wants to know which files answer,
// and of each the best passages, not ten of one that says the same word often;
// but where only a long file answers, more than one place in it may be needed.
func perDocument(limit int) int { return max(2, limit/3) }

// unshadowed removes the sections of documents that a document of the same
// identity shadows: one of a scope that comes earlier in the view, whether or
// not that one answers the question.
func (f *finder) unshadowed(ctx context.Context, among []*candidate) ([]*candidate, error) {
	out := among[:0]
	for _, c := range among {
		shadowed := false
		if c.item.Document != nil {
			var err error
			if shadowed, err = f.shadowed(ctx, c.pool.order, c.item.Document.Identity()); err != nil {
				return nil, err
			}
		}
		if !shadowed || f.req.Query.Shadowed {
			c.shadowed = shadowed
			out = append(out, c)
		}
	}
	return out, nil
}

// shadowKey is an identity as one scope of the view has it.
type shadowKey struct {
	order    int
	identity string
}

// shadowed reports whether what has an identity in a scope of the view is
// shadowed, and remembers it.
func (f *finder) shadowed(ctx context.Context, order int, identity string) (bool, error) {
	if identity == "" || order == 0 {
		return false, nil
	}
	key := shadowKey{order, identity}
	if shadowed, known := f.shadows[key]; known {
		return shadowed, nil
	}
	shadowed := false
	for _, s := range f.req.Query.View.Scopes[:order] {
		same, err := f.r.SameIdentity(ctx, s, identity)
		if err != nil {
			return false, fmt.Errorf("look for %s in %s: %w", identity, s, err)
		}
		if shadowed = len(same) > 0; shadowed {
			break
		}
	}
	if f.shadows == nil {
		f.shadows = make(map[shadowKey]bool)
	}
	f.shadows[key] = shadowed
	return shadowed, nil
}

// SectionID is the id of a hit that is a section: that of its document, which
// is the memory's own, and its place in it, which an edit may change.
func SectionID(document string, seq int64) string {
	return document + "/" + strconv.FormatInt(seq, 10)
}

// placeOf says where a section stands.
func placeOf(d strata.Document, s strata.Section) *strata.Place {
	p := &strata.Place{Path: d.Path, Line: s.Line, EndLine: s.EndLine, Headings: s.Headings}
	if d.Kind == strata.DocumentNote || d.Kind == strata.DocumentSkill {
		p.Name = d.Name
	}
	return p
}
