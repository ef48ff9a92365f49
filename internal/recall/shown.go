package recall

import (
	"context"
	"fmt"
	"math"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// maxCounted is the most hidden turns that widen the vector search, since all of them may
// be among the nearest passages.
const maxCounted = 64

// withoutShown is a reader that hides the turns of a conversation that the asker sees
// already.
//
// Removing them from the hits would not be enough: the question itself is such a turn,
// holds all of its own words, misspelled ones included, and would be the best match of
// all.
type withoutShown struct {
	store.Reader
	scope   strata.Scope // of the session that asks
	session int64        // its number
	shown   []strata.TurnRange
}

// hideShown returns a reader that hides the turns that, according to the query, the
// conversation shows. If there are none, it returns r itself.
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
	return r, nil // nothing of the session is indexed
}

// shownTurns returns the number of hidden turns, at most maxCounted.
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

// Match is like that of the store, but neither returns nor counts hidden passages.
func (r *withoutShown) Match(ctx context.Context, scope strata.Scope, terms []string, f store.Filter, o store.MatchOptions) (store.Matches, error) {
	m, err := r.Reader.Match(ctx, scope, terms, f, o)
	if err != nil || scope != r.scope {
		return m, err
	}
	out := store.Matches{Total: m.Total, Words: m.Words, Frequency: append([]int64(nil), m.Frequency...)}
	place := make([]int32, len(m.Passages)) // new index of each passage; -1 if it is hidden
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

// MatchPhrase is like that of the store, without hidden passages.
func (r *withoutShown) MatchPhrase(ctx context.Context, scope strata.Scope, terms []string, prefix bool, f store.Filter, limit int) ([]store.Meta, error) {
	found, err := r.Reader.MatchPhrase(ctx, scope, terms, prefix, f, limit)
	return r.visible(scope, found), err
}

// MatchSubstring is like that of the store, without hidden passages.
func (r *withoutShown) MatchSubstring(ctx context.Context, scope strata.Scope, s string, f store.Filter, limit int) ([]store.Meta, error) {
	found, err := r.Reader.MatchSubstring(ctx, scope, s, f, limit)
	return r.visible(scope, found), err
}

// PassagesAt is like that of the store, without hidden passages.
func (r *withoutShown) PassagesAt(ctx context.Context, scope strata.Scope, places []store.Place, f store.Filter) ([]store.Meta, error) {
	found, err := r.Reader.PassagesAt(ctx, scope, places, f)
	return r.visible(scope, found), err
}

// Items is like that of the store, without hidden passages. It also removes hidden
// passages that were found by vector.
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
