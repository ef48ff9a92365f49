package recall

import (
	"cmp"
	"slices"
	"time"

	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/text/timeexpr"
)

const (
	// newestDepth is how many of the best candidates are compared with one another.
	newestDepth = 30
	// minMatch is the idf mass that the best sentence of a statement must reach to be
	// compared at all, as a fraction of the best match among the candidates.
	minMatch = 0.65
	// minShared is the idf mass that two statements must share, as a fraction of the
	// better match of the two.
	minShared = 0.8
	// minMatched is how many words of the question two statements must both hold, if any
	// statement holds as many: two that share a single word are seldom about the same
	// thing.
	minMatched = 2
	// maxVersions is the most facts that count as versions of one value. A larger group
	// tells of as many events ("fed the cat" day by day), none of which is out of date.
	// The limit does not apply to turns: people repeat themselves, while memory stores a
	// fact once.
	maxVersions = 8
	// minAlike is the fraction of the content words of the shorter of two statements that
	// the longer one must hold.
	minAlike = 0.2
)

// preferValue reorders statements that say nearly the same with another value, or that
// fill the same slot. It puts the one that the question asks for first: the newest,
// unless the question asks for the past. Each such group keeps the places and scores of
// its members, so nothing else moves. preferValue marks members that are older than the
// newest of their group.
//
// It compares nothing if the query ranks sessions, since a session is more than one of
// its turns, or if the question asks what happened.
func (f *finder) preferValue(ranked []*candidate) {
	before := f.span != nil && f.span.From.IsZero() // "before May"
	if f.req.Query.Sessions || f.req.Analysis.Value == question.AnyValue && !before {
		return
	}
	for _, group := range f.alikeGroups(f.statements(ranked)) {
		f.orderGroup(ranked, group)
	}
}

// alikeGroups returns groups of two or more statements that are alike, each in the order
// of the ranking. A statement joins the first group whose best statement it is like.
func (f *finder) alikeGroups(statements []*statement) [][]*statement {
	leastMatched := 0
	for _, s := range statements {
		leastMatched = min(minMatched, max(leastMatched, s.matched()))
	}
	var groups [][]*statement
	for _, s := range statements {
		i := slices.IndexFunc(groups, func(g []*statement) bool { return f.alike(g[0], s, leastMatched) })
		if i < 0 {
			groups = append(groups, []*statement{s})
			continue
		}
		groups[i] = append(groups[i], s)
	}
	return slices.DeleteFunc(groups, func(g []*statement) bool {
		return len(g) < 2 || len(g) > maxVersions && g[0].c.item.Fact != nil
	})
}

// alike reports whether two statements fill the same slot, or say nearly the same about
// what the question asks. It compares turns only if they have the same speaker.
func (f *finder) alike(a, b *statement, leastMatched int) bool {
	if a.c.pool != b.c.pool || a.c.meta.Kind != b.c.meta.Kind {
		return false
	}
	if sameSlot(a, b) {
		return true
	}
	if x, y := a.c.item.Turn, b.c.item.Turn; x != nil && (x.Speaker != y.Speaker || x.Role != y.Role) {
		return false
	}
	shared, matched := 0.0, 0
	for i, idf := range f.query.idf {
		if a.features[i] && b.features[i] {
			shared += idf
			matched++
		}
	}
	if shared == 0 || shared < minShared*max(a.mass, b.mass) || matched < leastMatched {
		return false
	}
	share := sharedTerms(a, b)
	return share >= minAlike && share < 1
}

// sameSlot reports whether two statements are facts that fill the same slot.
func sameSlot(a, b *statement) bool {
	x, y := a.c.item.Fact, b.c.item.Fact
	return x != nil && y != nil && x.Entity+x.Attribute != "" && x.Entity == y.Entity && x.Attribute == y.Attribute
}

// sharedTerms returns the fraction of the content words of the shorter statement that the
// other one holds. It is 1 only if both have the same content words.
func sharedTerms(a, b *statement) float64 {
	same := 0
	for _, t := range a.terms {
		if slices.Contains(b.terms, t) {
			same++
		}
	}
	shorter, longer := min(len(a.terms), len(b.terms)), max(len(a.terms), len(b.terms))
	if same == longer {
		return 1
	}
	return float64(same) / float64(max(shorter, same+1))
}

// orderGroup orders the members of a group by what the question asks for, within
// the places that they have, and marks those that are older than the newest.
func (f *finder) orderGroup(ranked []*candidate, group []*statement) {
	for _, s := range group {
		s.when = s.statedAt()
	}
	ordered := slices.Clone(group)
	slices.SortStableFunc(ordered, compareAge)
	newest := ordered[0]
	for _, s := range ordered[1:] {
		if compareAge(newest, s) < 0 {
			s.c.newer = newest.c
		}
	}
	switch a := f.req.Analysis; {
	case f.span != nil:
		// The value at the end of the span was stated before that end.
		slices.SortStableFunc(ordered, func(x, y *statement) int {
			return cmp.Compare(after(x.when, f.span), after(y.when, f.span))
		})
	case a.Value == question.FirstValue:
		ordered = slices.Clone(group)
		slices.SortStableFunc(ordered, func(x, y *statement) int { return compareAge(y, x) })
	case a.Value == question.PreviousValue && newest.c != ordered[len(ordered)-1].c:
		ordered = append(ordered[1:], newest)
	}
	scores := make([]float64, len(group))
	for i, s := range group {
		scores[i] = s.c.score
	}
	for i, s := range ordered {
		s.c.why.Order, s.c.score = scores[i]-s.c.score, scores[i]
		ranked[group[i].rank] = s.c
	}
}

// after returns 0 for a time before the end of a span and 1 for a later one.
func after(t time.Time, span *timeexpr.Range) int {
	if t.Before(span.To) {
		return 0
	}
	return 1
}

// compareAge orders statements by the time since which they hold, newest first. It orders
// turns of one session by their place if their times are equal.
func compareAge(a, b *statement) int {
	seq := 0
	if a.c.item.Turn != nil && a.c.meta.Parent == b.c.meta.Parent {
		seq = cmp.Compare(b.c.meta.Seq, a.c.meta.Seq)
	}
	return cmp.Or(b.when.Compare(a.when), seq)
}
