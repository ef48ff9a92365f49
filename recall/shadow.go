package recall

import (
	"context"
	"fmt"
)

// dropShadowed removes the sections of documents that a document of the same
// identity shadows: one of a scope that comes earlier in the view, whether or
// not that one answers the question.
func (f *finder) dropShadowed(ctx context.Context, among []*candidate) ([]*candidate, error) {
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
