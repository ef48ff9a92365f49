package recall

import (
	"context"
	"fmt"
	"math"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// maxCounted is the most turns of a conversation for which more passages are looked
// for by vector, because as many may be the nearest ones.
const maxCounted = 64

// withoutShown is a store without the turns of a conversation that whoever asks sees
// already.
//
// To leave them out of the hits would not do: the question itself is such a turn,
// holds all of its own words, misspelt ones too, and would be taken for the best
// match there is.
type withoutShown struct {
	store.Reader
	scope   strata.Scope // of the session that asks
	session int64        // its number
	shown   []strata.TurnRange
}

// hideShown returns a reader without the turns that the query says are in the
// conversation; the reader itself where there are none.
func hideShown(ctx context.Context, r store.Reader, q strata.Query) (store.Reader, error) {
	shown := q.Shown
	if q.Turn > 0 {
		shown = append(shown[:len(shown):len(shown)], strata.TurnRange{From: q.Turn, To: math.MaxInt64})
	}
	if q.Session == "" || len(shown) == 0 {
		return r, nil
	}
	for _, scope := range q.View.Scopes {
		number, err := r.ParentNumber(ctx, scope, strata.KindTurn, q.Session)
		if err != nil {
			return nil, fmt.Errorf("find session %s in %s: %w", q.Session, scope, err)
		}
		if number != 0 {
			return &withoutShown{Reader: r, scope: scope, session: number, shown: shown}, nil
		}
	}
	return r, nil // nothing of it is indexed
}

// shownTurns returns how many turns are hidden, up to a bound.
func shownTurns(q strata.Query) int {
	n := int64(0)
	for _, s := range q.Shown {
		if s.To >= maxCounted {
			s.From = max(s.From, s.To-maxCounted)
		}
		n += max(s.To-s.From+1, 0)
	}
	return int(min(n, maxCounted))
}

// hides reports whether a passage of a scope is hidden.
func (r *withoutShown) hides(scope strata.Scope, m store.Meta) bool {
	if scope != r.scope || m.Parent != r.session || m.Kind != strata.KindTurn {
		return false
	}
	for _, s := range r.shown {
		if s.From <= m.Seq && m.Seq <= s.To {
			return true
		}
	}
	return false
}

// visible returns the passages that are not hidden.
func (r *withoutShown) visible(scope strata.Scope, found []store.Meta) []store.Meta {
	var out []store.Meta
	for _, m := range found {
		if !r.hides(scope, m) {
			out = append(out, m)
		}
	}
	return out
}

// Match is that of the store without the passages that are hidden, which are not
// counted either.
func (r *withoutShown) Match(ctx context.Context, scope strata.Scope, terms []string, f store.Filter, o store.MatchOptions) (store.Matches, error) {
	m, err := r.Reader.Match(ctx, scope, terms, f, o)
	if err != nil || scope != r.scope {
		return m, err
	}
	out := store.Matches{Total: m.Total, Words: m.Words, Frequency: append([]int64(nil), m.Frequency...)}
	place := make([]int32, len(m.Passages)) // of each passage among those that stay; -1 if it does not
	for i, p := range m.Passages {
		if r.hides(scope, p) {
			place[i] = -1
			out.Total--
			out.Words -= int64(p.Words)
			continue
		}
		place[i] = int32(len(out.Passages))
		out.Passages = append(out.Passages, p)
	}
	out.Terms = make([][]store.TermHit, len(m.Terms))
	for i, hits := range m.Terms {
		for _, h := range hits {
			if place[h.Passage] < 0 {
				out.Frequency[i]--
				continue
			}
			out.Terms[i] = append(out.Terms[i], store.TermHit{Passage: place[h.Passage], Count: h.Count})
		}
	}
	return out, nil
}

// MatchPhrase is that of the store without the passages that are hidden.
func (r *withoutShown) MatchPhrase(ctx context.Context, scope strata.Scope, terms []string, prefix bool, f store.Filter, limit int) ([]store.Meta, error) {
	found, err := r.Reader.MatchPhrase(ctx, scope, terms, prefix, f, limit)
	return r.visible(scope, found), err
}

// MatchSubstring is that of the store without the passages that are hidden.
func (r *withoutShown) MatchSubstring(ctx context.Context, scope strata.Scope, s string, f store.Filter, limit int) ([]store.Meta, error) {
	found, err := r.Reader.MatchSubstring(ctx, scope, s, f, limit)
	return r.visible(scope, found), err
}

// PassagesAt is that of the store without the passages that are hidden.
func (r *withoutShown) PassagesAt(ctx context.Context, scope strata.Scope, places []store.Place, f store.Filter) ([]store.Meta, error) {
	found, err := r.Reader.PassagesAt(ctx, scope, places, f)
	return r.visible(scope, found), err
}

// Items is that of the store without the passages that are hidden. By it those
// that were found by vector go.
func (r *withoutShown) Items(ctx context.Context, scope strata.Scope, numbers []int64) ([]store.Item, error) {
	found, err := r.Reader.Items(ctx, scope, numbers)
	if err != nil || scope != r.scope {
		return found, err
	}
	var out []store.Item
	for _, it := range found {
		if !r.hides(scope, it.Meta) {
			out = append(out, it)
		}
	}
	return out, nil
}
