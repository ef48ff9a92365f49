package recall

import (
	"cmp"
	"slices"
	"time"

	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/text/timeexpr"
)

const (
	// newestDepth is how many of the best candidates are compared with each other.
	newestDepth = 30
	// minMatch is the part of the best match among the candidates, in idf mass, that
	// the best sentence of a statement must reach to be compared at all.
	minMatch = 0.65
	// minShared is the part of the better match of two statements that both must
	// share, in idf mass.
	minShared = 0.8
	// minMatched is how many words of the question two statements must both hold,
	// where any statement does: what shares a single word is seldom about the same thing.
	minMatched = 2
	// maxVersions is how many facts may be versions of one value. Where more are alike
	// they tell of as many events ("fed the cat" day by day), none of which is out of
	// date. A conversation says the same again and again; memory keeps it once.
	maxVersions = 8
	// minAlike is the part of the content words of the shorter of two statements that
	// the longer must hold.
	minAlike = 0.2
)

// preferValue puts that one of several statements which say nearly the same with
// another value, or fill the same slot, before the others that the question asks
// for: the newest, unless it asks for the past. Each such group keeps the places
// and scores of its members, so nothing else moves. What is older than the newest
// of its group is marked.
//
// Where sessions are ranked nothing is compared: a session is more than one of its
// turns. Nor is anything where the question asks what happened.
func (f *finder) preferValue(ranked []*candidate) {
	before := f.span != nil && f.span.From.IsZero() // "before May"
	if f.req.Query.Sessions || f.req.Analysis.Value == question.AnyValue && !before {
		return
	}
	for _, group := range f.alikeGroups(f.statements(ranked)) {
		f.orderGroup(ranked, group)
	}
}

// alikeGroups returns the statements that are like others, in groups of two or
// more, each in the order of the ranking. A statement joins the first group whose
// best it is like.
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

// alike reports whether two statements fill the same slot, or say nearly the same
// of what the question asks. Only what one and the same said is compared.
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

// sharedTerms returns the part of the content words of the shorter of two
// statements that the other holds; 1 only if neither holds any other.
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
		// What held at the end of a time was said before that end.
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

// after is 0 for a time before the end of a span and 1 for a later one.
func after(t time.Time, span *timeexpr.Range) int {
	if t.Before(span.To) {
		return 0
	}
	return 1
}

// compareAge orders statements by the time they speak of, newest first. Turns of a
// session are in order even where their times are equal.
func compareAge(a, b *statement) int {
	seq := 0
	if a.c.item.Turn != nil && a.c.meta.Parent == b.c.meta.Parent {
		seq = cmp.Compare(b.c.meta.Seq, a.c.meta.Seq)
	}
	return cmp.Or(b.when.Compare(a.when), seq)
}
