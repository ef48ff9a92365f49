package passage

import (
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Filter is a [store.Filter] ready to be applied to rows of one scope. It is
// the only implementation: what reads rows from tables and what has them in
// memory ask it alike.
type Filter struct {
	kinds, types uint32
	parent       int64
	asOf         int64 // 0: current
	ofKind       bool  // turns of some sessions alone pass
	sessions     []int64
}

// NewFilter makes a filter ready. Where f names a session kind, sessions are the
// numbers of the sessions of the scope that are of that kind, rising.
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

// Passes reports whether a passage passes.
func (f *Filter) Passes(r *Row) bool {
	return f.atTime(r) && f.PassesCodes(KindCode(r.Kind), r.Type, r.Parent)
}

// PassesCodes is Passes for the codes of a kind and a type and a parent,
// whatever the time.
func (f *Filter) PassesCodes(kind, code, parent int64) bool {
	return f.kinds>>kind&1 != 0 && f.types>>code&1 != 0 &&
		(f.parent == 0 || parent == f.parent) && (!f.ofKind || f.inSession(kind, parent))
}

// PassesAllFacts reports whether every current fact passes.
func (f *Filter) PassesAllFacts() bool {
	const types = 1<<TypePrivate - 1 // those that facts have
	return f.kinds>>KindCode(strata.KindFact)&1 != 0 && f.types&types == types && f.parent == 0 && f.asOf == 0
}

// Past reports whether passages are asked for as of a time.
func (f *Filter) Past() bool { return f.asOf != 0 }

// atTime reports whether a passage was there at the time asked for.
func (f *Filter) atTime(r *Row) bool {
	if f.asOf == 0 {
		return r.Retired == 0
	}
	return r.Recorded <= f.asOf && (r.Retired == 0 || r.Retired > f.asOf)
}

// inSession reports whether a passage is no turn, or one of the sessions.
func (f *Filter) inSession(kind, parent int64) bool {
	if kind != KindCode(strata.KindTurn) {
		return true
	}
	_, ok := slices.BinarySearch(f.sessions, parent)
	return ok
}

// KindMask has bit k set for each kind code k that passes.
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

// TypeMask has bit t set for each type code t that passes; bit 0 stands for
// passages without a type that everybody sees.
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
