package store

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// KeptDreams is how many dreams of a scope are kept: a year of one a day.
const KeptDreams = 366

// DreamFilter selects dreams, newest first. The zero value selects the newest 100.
type DreamFilter struct {
	Outstanding bool // only those that the files have not followed yet
	Limit       int  // 0: 100; at most 10,000
}

// Lease is a right that one process has at a time, for as long as it says.
type Lease struct {
	Scope strata.Scope
	Name  string
	Owner string    // a token that nobody else has
	Until time.Time // when it ends by itself
}

// DreamReader reads what dreams work on and what they did.
type DreamReader interface {
	// Recalls lists the recall events of a scope since a time that somebody asked
	// for, oldest first. Automatic ones are left out.
	Recalls(ctx context.Context, scope strata.Scope, since time.Time) ([]RecallEvent, error)
	// DreamScopes lists, in the order of their keys, the scopes with recall events, or
	// so many facts that [DreamReader.Untagged] lists, whose newest dream began before a
	// time or in the future, or that had none.
	DreamScopes(ctx context.Context, before time.Time, version, facts int) ([]strata.Scope, error)
	// OutstandingDreams lists, in the order of their keys, the scopes with dreams that
	// files have not followed.
	OutstandingDreams(ctx context.Context) ([]strata.Scope, error)
	// Promotions lists the promotions of a scope, the newest and then the strongest
	// first; those that gave way only if archived is set, and then only those.
	Promotions(ctx context.Context, scope strata.Scope, archived bool) ([]strata.Promotion, error)
	// Dreams lists the dreams of a scope in the order they were appended, the newest
	// first.
	Dreams(ctx context.Context, scope strata.Scope, f DreamFilter) ([]strata.Dream, error)
	// Dream returns a dream if one of the scopes had it; else not_found.
	Dream(ctx context.Context, scopes []strata.Scope, id string) (strata.Dream, error)
	// Lease returns who holds a lease of a scope, or held it last; not_found if
	// nobody did.
	Lease(ctx context.Context, scope strata.Scope, name string) (Lease, error)
	// TagCounts counts the concept tags of the current facts of a scope: the most
	// frequent, up to limit of them.
	TagCounts(ctx context.Context, scope strata.Scope, limit int) ([]TagCount, error)

	// FactPairs lists pairs of current facts of a scope that may say nearly the same or
	// contradict each other: those in one slot, and those that [Reader.FactsLike] finds
	// by each other. Those in one slot and the closest come first, then the newest, up
	// to limit of them; of many facts that are all alike only some are compared.
	FactPairs(ctx context.Context, scope strata.Scope, limit int) ([]FactPair, error)
	// Questions lists the open questions of a scope, or all it ever had, the newest
	// first, up to limit of them.
	Questions(ctx context.Context, scope strata.Scope, all bool, limit int) ([]strata.Question, error)
	// Question returns a question if one of the scopes has it; else not_found.
	Question(ctx context.Context, scopes []strata.Scope, id string) (strata.Question, error)
	// Opened lists the documents of a scope that were opened by their address and when
	// that was last, in the order of their ids.
	Opened(ctx context.Context, scope strata.Scope) ([]Opening, error)
	// Untagged lists current facts of a scope whose concept tags are not known to be of
	// a version of what makes them, in the order of their numbers.
	Untagged(ctx context.Context, scope strata.Scope, version, limit int) ([]Source, error)
}

// Mark is what happened to a memory besides being found.
type Mark string

// The marks.
const (
	MarkConfirmed Mark = "confirmed" // a fact was said again, or agreed to
	MarkOpened    Mark = "opened"    // a document was opened by its address
)

// Opening says when a document was opened last.
type Opening struct {
	Document string // its id
	At       time.Time
}

// FactPair is two current facts of a scope, the one that was recorded first first.
type FactPair [2]strata.Fact

// TagCount says how many facts have a concept tag.
type TagCount struct {
	Tag   string
	Facts int64
}

// DreamWriter records what dreams did.
type DreamWriter interface {
	// RecordMark records that something happened to a fact or document, at time Now.
	// One that does not exist is passed over.
	RecordMark(ctx context.Context, scope strata.Scope, memory string, m Mark) error
	// PutPromotion records a promotion, in place of an earlier one of the same fact.
	PutPromotion(ctx context.Context, p strata.Promotion) error
	// PutQuestion records a question, or the answer to one that is there. It returns
	// conflict if there is another of the same versions of facts.
	PutQuestion(ctx context.Context, q strata.Question) error
	// Retag gives a fact version other concept tags and indexes it as p.
	Retag(ctx context.Context, p Passage, tags []string) error
	// StampTags records that the concept tags of the facts of a scope up to a number
	// are of a version of what makes them.
	StampTags(ctx context.Context, scope strata.Scope, version int, through int64) error
	// AppendDream records a dream. The newest [KeptDreams] of the scope stay.
	AppendDream(ctx context.Context, d strata.Dream) error
	// StampDreams records that the files have followed all dreams of a scope up to
	// the one with an id.
	StampDreams(ctx context.Context, scope strata.Scope, id string) error
	// PruneRecalls removes the recall events of a scope from before a time.
	PruneRecalls(ctx context.Context, scope strata.Scope, before time.Time) error
	// TakeLease takes a lease that is free, has ended or is the owner's already, and
	// extends it then. It reports false, and changes nothing, if somebody else holds
	// it. One that would last longer than twice the one that is asked for was taken
	// before the clock went back: it has ended.
	TakeLease(ctx context.Context, l Lease) (bool, error)
	// ReleaseLease gives a lease back if it is the owner's.
	ReleaseLease(ctx context.Context, l Lease) error
}

// CurrentFact returns what is believed now in place of a fact: itself, or the fact
// that superseded it, also by way of others. It is not_found if none is.
func CurrentFact(ctx context.Context, r Reader, scope strata.Scope, id string) (strata.Fact, error) {
	const op, steps = "read current fact", 16
	next := id
	for range steps {
		f, err := r.Fact(ctx, []strata.Scope{scope}, next)
		if err != nil || f.Current() {
			return f, err
		}
		if next = f.SupersededBy; next == "" {
			break
		}
	}
	return strata.Fact{}, strata.NotFound(op, "current fact", id)
}
