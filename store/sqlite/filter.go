package sqlite

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// kindCode and typeCode are how kinds and types are stored in the index.
func kindCode(k strata.Kind) int64 {
	switch k {
	case strata.KindFact:
		return 1
	case strata.KindTurn:
		return 2
	case strata.KindSection:
		return 3
	}
	return 0
}

func kindOf(code int64) strata.Kind {
	switch code {
	case 1:
		return strata.KindFact
	case 2:
		return strata.KindTurn
	case 3:
		return strata.KindSection
	}
	return ""
}

// Types of passages beside those of facts and notes: sections of documents that
// only main sessions see, and of documents of the system.
const (
	typePrivate = 5
	typeSystem  = 6
)

// sectionType is the type of the passages of a document. It comes from what the
// document is, so that nobody who indexes can leave it out.
func sectionType(d strata.Document) int64 {
	switch {
	case d.Kind == strata.DocumentSystem:
		return typeSystem
	case d.Type != "":
		return typeCode(d.Type)
	case d.Private():
		return typePrivate
	}
	return 0
}

func typeCode(t strata.Type) int64 {
	for i, known := range strata.Types() {
		if t == known {
			return int64(i + 1)
		}
	}
	return 0
}

// passes is the condition that a passage p lies in a scope and passes a
// filter. Its parameters, ?1 to ?7, are those of filterArgs; a statement's own
// begin at ?8. The text is constant, so that statements stay prepared.
const passes = `p.number BETWEEN ?1 AND ?2
	AND ((?3 >> p.kind) & (?4 >> p.type) & 1)
	AND (?5 = 0 OR p.parent = ?5)
	AND CASE WHEN ?6 IS NULL THEN p.retired_at IS NULL
		ELSE p.recorded_at <= ?6 AND (p.retired_at IS NULL OR p.retired_at > ?6) END
	AND (?7 IS NULL OR p.kind <> 2 OR EXISTS (
		SELECT 1 FROM parent AS g CROSS JOIN session AS x ON x.scope_no = g.scope_no AND x.id = g.name
		WHERE g.number = p.parent AND x.kind = ?7))`

// filterArgs are the parameters of passes, followed by more.
func filterArgs(scopeNo int64, f store.Filter, more ...any) []any {
	low, high := numbers(scopeNo)
	var asOf any
	if f.AsOf != nil {
		asOf = f.AsOf.UnixMicro()
	}
	args := []any{low, high, kindMask(f.Kinds), typeMask(f), f.Parent, asOf, optional(string(f.SessionKind))}
	return append(args, more...)
}

// optional is null for empty text.
func optional(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// kindMask has bit k set for each kind code k that passes.
func kindMask(kinds []strata.Kind) int64 {
	if len(kinds) == 0 {
		return ^0
	}
	var mask int64
	for _, k := range kinds {
		if code := kindCode(k); code != 0 {
			mask |= 1 << code
		}
	}
	return mask
}

// typeMask has bit t set for each type code t that passes; bit 0 stands for
// passages without a type that everybody sees.
func typeMask(f store.Filter) int64 {
	mask := int64(^0)
	if len(f.Types) > 0 {
		mask = 0
		for _, t := range f.Types {
			mask |= 1 << typeCode(t)
		}
		mask &^= 1
	}
	for _, t := range f.NotTypes {
		if code := typeCode(t); code != 0 {
			mask &^= 1 << code
		}
	}
	if f.NotPrivate {
		mask &^= 1<<typePrivate | 1<<typeSystem | 1<<typeCode(strata.TypeUser)
	}
	if !f.System {
		mask &^= 1 << typeSystem
	}
	return mask
}
