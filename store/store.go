// Package store declares what Strata asks of a database.
//
// A store keeps the authority (facts, turns, decisions, tombstones) and the
// index derived from it (passages, words, vectors, parents). It applies scopes
// and filters before any cut-off, it never decides anything, and no SQL exists
// outside its implementations.
//
// # What a store implements
//
//	[Store]        transactions, a check for damage, compaction
//	[Reader]       authority by id, text, slot, session, path or request
//	[Writer]       the same rows put, retired, forgotten
//	[Index]        searches: words, phrases, substrings, nearest vectors
//	[IndexWriter]  passages, their vectors, their categories
//
// A store that can copy itself before its schema changes is a [Copier].
//
// How a search works is the same for every store, and none writes it again. The
// packages below index search in memory and ask a store for rows:
//
//	internal/index/lexical.Source  the entries of a term, passages in blocks, what changed
//	                      since a number; lexical.Host runs its background work
//	internal/index/nearest.Source  codes, vectors and passages in blocks; nearest.Tables
//	                      stores the codes that it makes
//	internal/index/small.Source    the facts of a scope that fits in memory whole
//
// What a store brings itself is a full-text index for phrases, one of trigrams
// for substrings, and a condition that says in its own language what
// internal/index/passage.Filter says in Go. Scopes, models, passages and parents are
// numbers in these ports, and a passage's number holds its scope in the high
// bits, so that all tables can be sharded by owner.
//
// Package storetest holds the suite that every implementation passes.
//
// # Transactions
//
// All access goes through [Store.View] and [Store.Update]. A function passed
// to either sees one consistent state. Functions passed to Update by several
// goroutines may share one durable commit (group commit); each is undone alone
// if it returns an error. Nothing slow belongs inside: no model, no network.
//
// # Errors
//
// Implementations return [strata.Error] with code busy, read_only, full,
// corrupt, newer_version, not_found, conflict, invalid or internal.
package store

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/forget"
)

// Store is a database of memory. It is safe for concurrent use, and several
// processes may hold one open at once.
type Store interface {
	// View runs fn in a read transaction that sees every commit made before it
	// by any process. The Reader is valid only inside fn.
	View(ctx context.Context, fn func(Reader) error) error
	// Update runs fn in a write transaction and returns once it is durable
	// (it survives a power cut). If fn returns an error its changes are undone
	// and the error is returned as it is. fn is called once.
	Update(ctx context.Context, fn func(Writer) error) error
	// Check looks for damage and disagreement between tables. A clean store
	// yields no problems. progress, which may be nil, is called with the steps
	// done and the number of all, by one goroutine at a time.
	Check(ctx context.Context, progress func(done, total int64)) ([]Problem, error)
	// Compact gives freed space back and overwrites what is left of deleted
	// rows, in the log and in the database. Forget is complete only after it.
	Compact(ctx context.Context) error
	// Close waits for running transactions and releases the database. It is
	// idempotent.
	Close() error
}

// Reader reads within one transaction.
type Reader interface {
	Index

	// Scopes lists the scopes that own anything, in the order of their keys.
	Scopes(ctx context.Context) ([]strata.Scope, error)
	// IDs lists, in order, the ids of a kind of package internal/base/id in a scope that begin
	// with one text or end with another: those that a shortened id may stand for. Where
	// there are none, they are of what was forgotten.
	IDs(ctx context.Context, scope strata.Scope, kind, begin, end string, limit int) ([]string, error)

	// Fact returns the latest version of a fact, current or retired, if one of
	// the scopes owns it; else not_found.
	Fact(ctx context.Context, scopes []strata.Scope, id string) (strata.Fact, error)
	// FactVersions returns all versions of a fact, oldest first.
	FactVersions(ctx context.Context, scope strata.Scope, id string) ([]strata.Fact, error)
	// Facts lists facts of a scope, newest first.
	Facts(ctx context.Context, scope strata.Scope, f strata.FactFilter) ([]strata.Fact, error)
	// FactsByText returns the current facts whose normal form is that of a text.
	FactsByText(ctx context.Context, scope strata.Scope, said *Text) ([]strata.Fact, error)
	// FactsBySlot returns the current facts that fill a slot; entity and
	// attribute compare normalized.
	FactsBySlot(ctx context.Context, scope strata.Scope, entity, attribute string) ([]strata.Fact, error)

	// FactsLike returns up to limit current facts that say nearly the same as the text
	// of a sketch by their words: with the same content terms (those of package
	// internal/text that are not stop words), or the same but for one that was
	// added, left out or changed. Closest and newest first.
	FactsLike(ctx context.Context, scope strata.Scope, like Sketch, limit int) ([]strata.Fact, error)
	// FactsHolding returns up to limit current facts whose text has all of some
	// terms (those of package internal/text), the newest first. No terms find nothing.
	FactsHolding(ctx context.Context, scope strata.Scope, terms []string, limit int) ([]strata.Fact, error)

	// Decision returns one decision if one of the scopes owns it; else not_found.
	Decision(ctx context.Context, scopes []strata.Scope, id string) (strata.Decision, error)
	// DecisionByRequest returns the decision a request id led to; else not_found.
	DecisionByRequest(ctx context.Context, scope strata.Scope, requestID string) (strata.Decision, error)
	// Decisions lists decisions of a scope, newest first; Pending ones oldest first.
	Decisions(ctx context.Context, scope strata.Scope, f strata.DecisionFilter) ([]strata.Decision, error)
	// PendingScopes lists the scopes that own decisions whose projections are
	// outstanding, in the order of their keys. Its cost depends on their number,
	// not on that of all scopes or of their decisions.
	PendingScopes(ctx context.Context) ([]strata.Scope, error)

	// Session returns a session; else not_found.
	Session(ctx context.Context, scope strata.Scope, id string) (strata.Session, error)
	// Sessions lists the sessions of a scope, newest first.
	Sessions(ctx context.Context, scope strata.Scope, f SessionFilter) ([]strata.Session, error)
	// Turn returns a turn with its images if one of the scopes owns it; else
	// not_found.
	Turn(ctx context.Context, scopes []strata.Scope, id string) (strata.Turn, error)
	// Turns returns turns of a session in order, with their images unless the
	// filter leaves those out.
	Turns(ctx context.Context, scope strata.Scope, session string, f TurnFilter) ([]strata.Turn, error)

	// Forgotten reports whether there is a tombstone for the normal form of a text,
	// with the mark that ends its sentence or without, and since when. There is
	// one also for the id of each turn that a forgotten fact came from or that was
	// blanked with it.
	Forgotten(ctx context.Context, scope strata.Scope, said *Text) (time.Time, bool, error)
	// Tombstones returns what was forgotten in a scope under a name: the id of a
	// fact or document, or a path, title or type with slug that a document had. Its ID
	// is empty if nothing was.
	Tombstones(ctx context.Context, scope strata.Scope, name string) (Tombstones, error)

	// Trace returns a stored explanation if it was made in one of the scopes;
	// else not_found.
	Trace(ctx context.Context, scopes []strata.Scope, id string) (Trace, error)
	// Traces lists the newest traces of a scope.
	Traces(ctx context.Context, scope strata.Scope, f TraceFilter) ([]Trace, error)

	SessionReader
	ModelUseReader
	LearningReader
	DocumentReader
	DreamReader

	// Events lists events with a change number above since, in order.
	Events(ctx context.Context, scope strata.Scope, since int64, limit int) ([]strata.Event, error)

	// LastChange is the number of the last change of the store; the next has a
	// greater one.
	LastChange(ctx context.Context) (int64, error)

	// Workspace returns the id kept for a workspace key; empty if none is.
	Workspace(ctx context.Context, key string) (string, error)

	// WorkspaceKeys lists the keys that an id is kept for, in their order.
	WorkspaceKeys(ctx context.Context, id string) ([]string, error)

	// Stats counts what a scope owns.
	Stats(ctx context.Context, scope strata.Scope) (Stats, error)
}

// Copier is a Store that copies itself before its schema changes.
type Copier interface {
	// Copies lists the files beside it that hold the store as it was: before its schema
	// changed last, and backups made by themselves. They go when something is forgotten.
	Copies() ([]string, error)
}

// Writer reads and changes within one transaction.
type Writer interface {
	Reader

	// Now is the time of the transaction. Every row it writes carries it.
	Now() time.Time

	// OnUndo has fn called if what the function did is undone, because it fails or
	// because its commit does, and before another function begins. Functions of the
	// same commit may have seen the changes by then; they are undone as well.
	OnUndo(fn func())

	// PutFact inserts a version of a fact and returns its passage number. The
	// caller has retired the version before it, if there was one.
	PutFact(ctx context.Context, f strata.Fact) (int64, error)
	// RetireFact marks the current version of a fact as no longer current, in
	// the fact and in the index. supersededBy may be empty. It returns
	// conflict if the current generation is not the given one.
	RetireFact(ctx context.Context, scope strata.Scope, id string, generation int64, supersededBy string) error

	// AppendDecision inserts a decision.
	AppendDecision(ctx context.Context, d strata.Decision) error
	// StampDecisions sets AppliedAt, or SetAside if the reason is not empty, of
	// the decisions that are there. It returns not_found if one is not.
	StampDecisions(ctx context.Context, scope strata.Scope, ids []string, setAside string) error
	// LinkRevert records that the decision was undone by another.
	LinkRevert(ctx context.Context, scope strata.Scope, id, by string) error
	// AppendEvent inserts an event; its change number and time are set here.
	AppendEvent(ctx context.Context, e strata.Event) error

	// OpenSession inserts a session unless it exists.
	OpenSession(ctx context.Context, s strata.Session) error
	// CloseSession sets ClosedAt to the given time, or to Now where that is
	// zero, unless the session is closed.
	CloseSession(ctx context.Context, scope strata.Scope, id string, at time.Time) error
	// AppendTurn inserts a turn and returns its passage number. Seq 0 means
	// the next of the session; a taken Seq is a conflict.
	AppendTurn(ctx context.Context, t strata.Turn) (strata.Turn, int64, error)

	// Forget removes every trace of a fact in its scope: all versions, their
	// passages, its promotion and what dreams say of it, the text in decisions,
	// documents, traces, snapshots, learnings and tool outcomes, the turns it came
	// from and the turns that hold its text, and the saved states of the sessions of
	// those. Snapshots, states, learnings and tool outcomes may hold it cut short or
	// with its markup defused (package internal/secrets/fence): that goes too. The transcripts
	// of those sessions become outstanding. It leaves a tombstone. Where scopes are given
	// as within, no other is changed or named, but for decisions on the fact itself. Told
	// is how the fact was told in other words: what tells it goes as its text does, what
	// only holds a value of it is named as remaining.
	Forget(ctx context.Context, scope strata.Scope, id string, told *Telling, within ...strata.Scope) (Forgotten, error)

	// ForgetTurns blanks the turns of a scope that told a fact of another, which is about
	// to be forgotten, as Forget does with those of the fact's own scope: what found them
	// and what their sessions saved goes too. It leaves no tombstone. Versions are those
	// of the fact, one at least.
	ForgetTurns(ctx context.Context, scope strata.Scope, versions []strata.Fact, told *Telling, within ...strata.Scope) (Forgotten, error)

	// ForgetSaid blanks turns of a scope, which an id stands for, and what quotes the texts of
	// some of them, as Forget does. It names the facts that came from them as remaining, and
	// leaves a tombstone for each turn.
	ForgetSaid(ctx context.Context, scope strata.Scope, id string, turns, texts []string, within ...strata.Scope) (Forgotten, error)

	// ForgetDocument removes every trace of a document of a scope, which may be
	// deleted already: its row, sections and passages, what decisions hold of it
	// but for its path, and elsewhere, as Forget does, whole and parts: what it said
	// in all its versions, and for a note its path. Former are the versions that had
	// other names, without the paths that other documents have now. A tombstone is left
	// for each of whole, for every path and title. The file is the caller's.
	ForgetDocument(ctx context.Context, scope strata.Scope, d strata.Document, former []strata.Document, whole, parts []string, within ...strata.Scope) (Forgotten, error)
	// ForgetPath takes the path of a forgotten document, whose file is gone, out of
	// the decisions of its scope; the path of package forget takes its place.
	ForgetPath(ctx context.Context, scope strata.Scope, id string) error
	// PutTrace inserts an explanation.
	PutTrace(ctx context.Context, t Trace) error
	// RecordAccess adds one access at time Now to each fact and document that
	// exists.
	RecordAccess(ctx context.Context, scope strata.Scope, ids []string) error
	// RecordRecall inserts recall events and prunes those beyond keep (newest
	// stay), so that the table cannot grow without bound.
	RecordRecall(ctx context.Context, events []RecallEvent, keep int) error

	// PutWorkspace keeps the id of a workspace key.
	PutWorkspace(ctx context.Context, key, id string) error

	SessionWriter
	ModelUseWriter
	LearningWriter
	DocumentWriter
	DreamWriter
	IndexWriter
}

// Stats counts what a scope owns.
type Stats struct {
	Scope      strata.Scope `json:"scope"`
	Facts      int64        `json:"facts"` // current
	Retired    int64        `json:"retired"`
	Categories int64        `json:"categories"`
	Turns      int64        `json:"turns"`
	Sessions   int64        `json:"sessions"`
	Decisions  int64        `json:"decisions"`
	Pending    int64        `json:"pending_files"`       // decisions whose projections are outstanding
	Unembedded int64        `json:"pending_vectors"`     // passages in the embedding queue
	Unexported int64        `json:"pending_transcripts"` // closed sessions whose transcript is outstanding
	Tombstones int64        `json:"tombstones"`          // facts and documents forgotten
	Learnings  int64        `json:"learnings"`           // those that were not forgotten
	Outcomes   int64        `json:"outcomes"`            // runs of tools kept
	Snapshots  int64        `json:"snapshots"`
	Images     int64        `json:"images"`     // of turns
	Recalls    int64        `json:"recalls"`    // recall events kept
	Promotions int64        `json:"promotions"` // facts that stand in MEMORY.md
	Documents  int64        `json:"documents"`
	Sections   int64        `json:"sections"` // of documents
	Vectors    int64        `json:"vectors"`  // of all models
	Change     int64        `json:"change"`   // last change number
	Bytes      int64        `json:"bytes"`    // of the whole database, not only the scope
}

// Problem is one thing that [Store.Check] found wrong.
type Problem struct {
	// Kind is a permanent short name, such as "fact_without_passage".
	Kind   string `json:"kind"`
	Scope  string `json:"scope,omitempty"`
	Ref    string `json:"ref,omitempty"`
	Detail string `json:"detail"`
	// Repair is the command that repairs it; empty where a backup is needed.
	Repair string `json:"repair,omitempty"`
}

// Telling is how a fact was told: what is looked for besides its text when it is
// forgotten. Nil is unknown.
type Telling = forget.Telling

// Forgotten says what [Writer.Forget] removed and what remains.
type Forgotten struct {
	Versions  int      `json:"versions"`  // fact versions removed
	Decisions int      `json:"decisions"` // decisions blanked
	Turns     []string `json:"turns"`     // ids of turns blanked, whole or in part
	// Shortened are those of which something is left. They are in no index until they are
	// put there again.
	Shortened []Source `json:"-"`
	Traces    int      `json:"traces"`    // traces and recall events blanked
	Snapshots int      `json:"snapshots"` // snapshots of which lines were blanked
	Learnings int      `json:"learnings"` // learnings and tool outcomes blanked
	States    int      `json:"states"`    // saved states of sessions removed
	// Transcripts are the closed sessions whose transcript is outstanding for it.
	Transcripts []string `json:"transcripts,omitempty"`
	// Elsewhere are such sessions of other scopes.
	Elsewhere []SessionOf `json:"elsewhere,omitempty"`
	// Documents are the paths of the scope's documents that held the text. It is
	// blanked in them, and the sections with it are gone, until they are put again
	// without it.
	Documents []string `json:"documents,omitempty"`
	// Remaining names facts and turns, of this or other scopes, that still
	// hold the text and were not asked to go, and by their paths documents whose
	// files do.
	Remaining []string `json:"remaining,omitempty"`
}

// Blanked adds turns that were blanked.
func (f *Forgotten) Blanked(turns ...string) {
	f.Turns = append(f.Turns, turns...)
	slices.Sort(f.Turns)
	f.Turns = slices.Compact(f.Turns)
}

// Remain adds names of what remains, each once.
func (f *Forgotten) Remain(names ...string) {
	for _, name := range names {
		if !slices.Contains(f.Remaining, name) {
			f.Remaining = append(f.Remaining, name)
		}
	}
}

// SessionOf is a session of a scope.
type SessionOf struct {
	Scope strata.Scope `json:"scope"`
	ID    string       `json:"id"`
}

// AnyForgotten reports whether one of some texts has a tombstone in a scope.
func AnyForgotten(ctx context.Context, r Reader, scope strata.Scope, texts ...*Text) (bool, error) {
	for _, said := range texts {
		if _, forgotten, err := r.Forgotten(ctx, scope, said); err != nil || forgotten {
			return forgotten, err
		}
	}
	return false, nil
}

// ForgottenSince reports whether something was forgotten in a scope after a change,
// and returns the change of its last event.
func ForgottenSince(ctx context.Context, r Reader, scope strata.Scope, change int64) (last int64, forgot bool, err error) {
	const page = 1000
	for {
		events, err := r.Events(ctx, scope, change, page)
		if err != nil {
			return change, forgot, err
		}
		for _, e := range events {
			change = e.Change
			forgot = forgot || e.Kind == strata.EventForgotten
		}
		if len(events) < page {
			return change, forgot, nil
		}
	}
}

// Tombstones are what is left of something forgotten.
type Tombstones struct {
	ID string // of the fact or document
	// Is reports whether a text is one that it had: all that a version of a fact or
	// of a file said, the path or the title. One goroutine may call it at a time.
	Is func(text string) bool
}

// TraceFilter selects traces, newest first. The zero value selects all.
type TraceFilter struct {
	Session string // empty: any
	Turn    int64  // the turn of the session that asked; 0: any
	// SessionKind leaves out what was not asked in a session of this kind that
	// the scope owns; empty: nothing.
	SessionKind strata.SessionKind
	Limit       int // 0: 100; at most 10,000
}

// Trace is a stored explanation of a recall.
type Trace struct {
	ID      string        `json:"id"`    // "trace_" and a ULID
	Scope   strata.Scope  `json:"scope"` // the first of the view
	Session string        `json:"session,omitempty"`
	Turn    int64         `json:"turn,omitempty"`
	At      time.Time     `json:"at"`
	Query   string        `json:"query"`
	Hits    []TraceHit    `json:"hits"`
	Took    time.Duration `json:"took_ns"`
}

// TraceHit is a hit of a trace. It names the memory and does not repeat it.
type TraceHit struct {
	ID    string     `json:"id"`
	Score float64    `json:"score"`
	Tier  int        `json:"tier"`
	Why   strata.Why `json:"why"`
}

// RecallEvent says that a memory was shown to somebody. It is keyed by the id
// of the memory, so that it survives re-indexing.
type RecallEvent struct {
	Scope     strata.Scope
	Memory    string // id of the fact, turn or document
	Query     string
	Score     float64 // in [0,1], the hit's own
	Session   string
	Automatic bool // nobody asked for it: does not count as interest
	At        time.Time
}

// Copies names what [Copier.Copies] does; nothing of a store that is none.
func Copies(s Store) ([]string, error) {
	if c, ok := s.(Copier); ok {
		return c.Copies()
	}
	return nil, nil
}
