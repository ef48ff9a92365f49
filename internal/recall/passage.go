package recall

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// FactPassage returns the index entry of a fact version. indexed is its [FactText].
func FactPassage(number int64, f strata.Fact, indexed string) store.Passage {
	return store.Passage{
		Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: f.Scope,
		Parent: f.Category, Type: f.Type, Text: indexed, Said: f.Text,
		RecordedAt: f.RecordedAt, RetiredAt: f.RetiredAt,
	}
}

// SectionPassage returns the index entry of a section.
func SectionPassage(number int64, d strata.Document, s strata.Section) store.Passage {
	return store.Passage{
		Number: number, Kind: strata.KindSection, Ref: d.ID, Scope: d.Scope,
		Parent: d.Path, Seq: s.Seq, Type: d.Type, Text: SectionText(d, s), RecordedAt: d.RecordedAt,
	}
}

// TurnPassage returns the index entry of a turn or of a part of one. indexed is its
// [PassageText].
func TurnPassage(number int64, t strata.Turn, indexed string) store.Passage {
	return store.Passage{
		Number: number, Kind: strata.KindTurn, Ref: t.ID, Scope: t.Scope,
		Parent: t.Session, Seq: t.Seq, Text: indexed, RecordedAt: t.RecordedAt,
	}
}
