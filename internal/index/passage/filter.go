package passage

import (
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Filter is a [store.Filter] prepared for the rows of one scope. It is the only
// implementation, used for rows read from tables and for rows in memory alike.
type Filter struct {
	kinds, types uint32
	parent       int64
	asOf         int64 // 0: current
	ofKind       bool  // only turns of certain sessions pass
	sessions     []int64
}

// NewFilter prepares a filter. If f names a session kind, sessions are the numbers
// of the scope's sessions of that kind, ascending.
func NewFilter(f store.Filter, sessions []int64) Filter {
	out := Filter{
		kinds: uint32(KindMask(f.Kinds)), types: uint32(TypeMask(f)), parent: f.Parent,
		ofKind: f.SessionKind != "", sessions: sessions,
	}
	if f.AsOf != nil {
		out.asOf = f.AsOf.UnixMicro()
	}
	return out
}

// Passes reports whether a passage passes the filter.
func (f *Filter) Passes(r *Row) bool {
	return f.atTime(r) && f.PassesCodes(KindCode(r.Kind), r.Type, r.Parent)
}

// PassesCodes is like [Filter.Passes] for the codes of a kind and a type and a
// parent, but ignores time.
func (f *Filter) PassesCodes(kind, code, parent int64) bool {
	return f.kinds>>kind&1 != 0 && f.types>>code&1 != 0 &&
		(f.parent == 0 || parent == f.parent) && (!f.ofKind || f.inSession(kind, parent))
}

// PassesAllFacts reports whether every current fact passes.
func (f *Filter) PassesAllFacts() bool {
	const types = 1<<TypePrivate - 1 // the types of facts
	return f.kinds>>KindCode(strata.KindFact)&1 != 0 && f.types&types == types && f.parent == 0 && f.asOf == 0
}

// Past reports whether the filter asks for passages as of a time.
func (f *Filter) Past() bool { return f.asOf != 0 }

// atTime reports whether a passage was current at the time asked for.
func (f *Filter) atTime(r *Row) bool {
	if f.asOf == 0 {
		return r.Retired == 0
	}
	return r.Recorded <= f.asOf && (r.Retired == 0 || r.Retired > f.asOf)
}

// inSession reports whether a passage is in one of the sessions or is not a turn.
func (f *Filter) inSession(kind, parent int64) bool {
	if kind != KindCode(strata.KindTurn) {
		return true
	}
	_, ok := slices.BinarySearch(f.sessions, parent)
	return ok
}

// KindMask returns a mask with bit k set for each kind code k that passes.
func KindMask(kinds []strata.Kind) int64 {
	if len(kinds) == 0 {
		return ^0
	}
	var mask int64
	for _, k := range kinds {
		if code := KindCode(k); code != 0 {
			mask |= 1 << code
		}
	}
	return mask
}

// TypeMask returns a mask with bit t set for each type code t that passes. Bit 0
// stands for passages without a type that everybody may see.
func TypeMask(f store.Filter) int64 {
	mask := int64(^0)
	if len(f.Types) > 0 {
		mask = 0
		for _, t := range f.Types {
			mask |= 1 << TypeCode(t)
		}
		mask &^= 1
	}
	for _, t := range f.NotTypes {
		if code := TypeCode(t); code != 0 {
			mask &^= 1 << code
		}
	}
	if f.NotPrivate {
		mask &^= 1<<TypePrivate | 1<<TypeSystem | 1<<TypeCode(strata.TypeUser)
	}
	if !f.System {
		mask &^= 1 << TypeSystem
	}
	return mask
}
