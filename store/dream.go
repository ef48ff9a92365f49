package store

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// KeptDreams is how many dreams of a scope are kept: a year of daily dreams.
const KeptDreams = 366

// DreamFilter selects dreams, newest first. The zero value selects the newest 100.
type DreamFilter struct {
	Outstanding bool // only dreams that the files do not reflect yet
	Limit       int  // 0: 100; at most 10,000
}

// Lease is a right that only one process holds at a time, until it expires.
type Lease struct {
	Scope strata.Scope
	Name  string
	Owner string    // a unique token of the holder
	Until time.Time // when it expires
}

// DreamReader reads the input and the records of dreams.
type DreamReader interface {
	// Recalls lists the recall events of a scope since a time, oldest first, without the
	// automatic ones.
	Recalls(ctx context.Context, scope strata.Scope, since time.Time) ([]RecallEvent, error)
	// DreamScopes lists, sorted by key, the scopes that are due for a dream: they have
	// recall events that are not automatic, or at least the given number of facts that
	// [DreamReader.Untagged] lists for version, and their newest dream began before the
	// given time or in the future, or they never had one.
	DreamScopes(ctx context.Context, before time.Time, version, facts int) ([]strata.Scope, error)
	// Promotions lists the promotions of a scope, newest first and then strongest first.
	// If archived is set, it lists only the promotions that gave way to others; otherwise
	// it leaves those out.
	Promotions(ctx context.Context, scope strata.Scope, archived bool) ([]strata.Promotion, error)
	// Dreams lists the dreams of a scope, last appended first.
	Dreams(ctx context.Context, scope strata.Scope, f DreamFilter) ([]strata.Dream, error)
	// Dream returns a dream that belongs to one of the scopes; else not_found.
	Dream(ctx context.Context, scopes []strata.Scope, id string) (strata.Dream, error)
	// Lease returns a lease with its current or last holder; not_found if nobody ever
	// held it.
	Lease(ctx context.Context, scope strata.Scope, name string) (Lease, error)
	// TagCounts returns the concept tags that most current facts of a scope have, at most
	// limit, with the number of those facts.
	TagCounts(ctx context.Context, scope strata.Scope, limit int) ([]TagCount, error)

	// FactPairs lists up to limit pairs of current facts of a scope that may say nearly
	// the same or contradict each other: facts in the same slot, and facts that
	// [Reader.FactsLike] finds for each other. Pairs in one slot and the closest pairs
	// come first, then the newest. Of many facts that are all alike it compares only
	// some.
	FactPairs(ctx context.Context, scope strata.Scope, limit int) ([]FactPair, error)
	// Questions lists up to limit open questions of a scope, newest first; with all set,
	// also those that are closed.
	Questions(ctx context.Context, scope strata.Scope, all bool, limit int) ([]strata.Question, error)
	// Question returns a question if one of the scopes has it; else not_found.
	Question(ctx context.Context, scopes []strata.Scope, id string) (strata.Question, error)
	// Opened lists the documents of a scope that were opened by their address, with the
	// time of the last opening, sorted by id.
	Opened(ctx context.Context, scope strata.Scope) ([]Opening, error)
	// Untagged lists current facts of a scope whose concept tags are not recorded as made
	// by the given version of the tagger, in the order of their numbers.
	Untagged(ctx context.Context, scope strata.Scope, version, limit int) ([]Source, error)
}

// Mark is something that happened to a memory other than being found.
type Mark string

// The marks.
const (
	MarkConfirmed Mark = "confirmed" // a fact was repeated or agreed to
	MarkOpened    Mark = "opened"    // a document was opened by its address
)

// Opening says when a document was last opened.
type Opening struct {
	Document string // id of the document
	At       time.Time
}

// FactPair holds two current facts of a scope. The one recorded first comes first.
type FactPair [2]strata.Fact

// TagCount says how many facts have a concept tag.
type TagCount struct {
	Tag   string
	Facts int64
}

// DreamWriter stores what dreams did and what they work on.
type DreamWriter interface {
	// RecordMark records at time Now that something happened to a fact or document. It
	// ignores one that does not exist.
	RecordMark(ctx context.Context, scope strata.Scope, memory string, m Mark) error
	// PutPromotion stores a promotion. It replaces an earlier promotion of the same fact.
	PutPromotion(ctx context.Context, p strata.Promotion) error
	// PutQuestion stores a question, or the answer to a stored one. If another question
	// about the same versions of facts exists, it returns conflict.
	PutQuestion(ctx context.Context, q strata.Question) error
	// Retag replaces the concept tags of the fact version whose passage is p and indexes
	// p.
	Retag(ctx context.Context, p Passage, tags []string) error
	// StampTags records that a version of the tagger made the concept tags of the facts
	// of a scope up to a number.
	StampTags(ctx context.Context, scope strata.Scope, version int, through int64) error
	// AppendDream appends a dream and keeps the newest [KeptDreams] of the scope.
	AppendDream(ctx context.Context, d strata.Dream) error
	// StampDreams records that the files reflect all dreams of a scope up to the one with
	// the given id.
	StampDreams(ctx context.Context, scope strata.Scope, id string) error
	// PruneRecalls removes the recall events of a scope that are older than a time.
	PruneRecalls(ctx context.Context, scope strata.Scope, before time.Time) error
	// TakeLease takes a lease that is free, has expired or belongs to the owner already;
	// in the last case it extends the lease. If somebody else holds the lease, TakeLease
	// changes nothing and returns false. A lease that has more than twice the requested
	// time left was taken before the clock was set back and counts as expired.
	TakeLease(ctx context.Context, l Lease) (bool, error)
	// ReleaseLease gives a lease back if it belongs to the owner.
	ReleaseLease(ctx context.Context, l Lease) error
}

// CurrentFact returns the fact that holds now in place of a fact: the fact itself if it
// is current, else the current fact at the end of the chain that superseded it; not_found
// if there is none within 32 steps.
func CurrentFact(ctx context.Context, r Reader, scopes []strata.Scope, id string) (strata.Fact, error) {
	const op, steps = "read current fact", 32
	next := id
	for range steps {
		f, err := r.Fact(ctx, scopes, next)
		if err != nil || f.Current() {
			return f, err
		}
		if next = f.SupersededBy; next == "" {
			break
		}
	}
	return strata.Fact{}, strata.NotFound(op, "current fact", id)
}
