// Package passage holds what the index packages share: a passage as a search sees
// it, and the only implementation of a filter.
package passage

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Row is a passage as the index holds it.
type Row struct {
	store.Meta
	// Type is the code of its type: see [TypeCode].
	Type int64
	// Recorded and Retired are microseconds since 1970; Retired is 0 if the passage is
	// current.
	Recorded, Retired int64
}

// KindCode returns the code by which the index stores a kind, or 0 if it does not
// store that kind.
func KindCode(k strata.Kind) int64 {
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

// KindOf is the inverse of [KindCode]. It returns the empty kind for other codes.
func KindOf(code int64) strata.Kind {
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

// TypePrivate and TypeSystem are the codes of document sections that have no fact or
// note type: sections that only main sessions may see, and sections of system
// documents.
const (
	TypePrivate = 5
	TypeSystem  = 6
)

// typeUser and typeAssistant are the codes of turns by their [store.Speech]. Turns
// of other speakers have none.
const (
	typeUser      = 7
	typeAssistant = 8
)

// SpeechType returns the type code of a turn by who speaks.
func SpeechType(s store.Speech) int64 {
	switch s {
	case store.SpeechUser:
		return typeUser
	case store.SpeechAssistant:
		return typeAssistant
	}
	return 0
}

// SpeechOf is the inverse of [SpeechType]; for other codes it is
// [store.SpeechPeople].
func SpeechOf(code int64) store.Speech {
	switch code {
	case typeUser:
		return store.SpeechUser
	case typeAssistant:
		return store.SpeechAssistant
	}
	return store.SpeechPeople
}

// TypeCode returns the code by which the index stores a fact or note type, or 0 if
// there is none.
func TypeCode(t strata.Type) int64 {
	for i, known := range strata.Types() {
		if t == known {
			return int64(i + 1)
		}
	}
	return 0
}

// SectionType returns the type code of a document's sections. It is derived from the
// document, so that no caller can forget it.
func SectionType(d strata.Document) int64 {
	switch {
	case d.Kind == strata.DocumentSystem:
		return TypeSystem
	case d.Type != "":
		return TypeCode(d.Type)
	case d.Private():
		return TypePrivate
	}
	return 0
}
