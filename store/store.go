// Package store declares what Strata asks of a database.
//
// A store keeps the authority (facts, turns, decisions, tombstones) and the index derived
// from it (passages, words, vectors, parents). It applies scopes and filters before any
// cut-off. It makes no decisions, and no SQL exists outside its implementations.
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
// The search algorithms are shared by all stores. These packages keep an index in memory
// and ask the store only for rows:
//
//	internal/index/lexical.Source  the entries of a term, passages in blocks, changes since
//	                      a change number; lexical.Host runs its background work
//	internal/index/nearest.Source  codes, vectors and passages in blocks; nearest.Tables
//	                      stores the codes that it makes
//
// A store itself provides a full-text index for phrases, a trigram index for substrings,
// and the condition of internal/index/passage.Filter in its own query language. In these
// ports, scopes, models, passages and parents are numbers. A passage number holds its
// scope in the high bits, so that all tables can be sharded by owner.
//
// Package storetest holds the suite that every implementation passes.
//
// # Transactions
//
// All access goes through [Store.View] and [Store.Update]. A function passed to either
// sees one consistent state. Functions that several goroutines pass to Update may share
// one durable commit (group commit); a function that returns an error is undone alone.
// Keep slow work, such as calls to models or the network, outside.
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

// Store is a memory database. It is safe for concurrent use, and several processes may
// have the same database open at once.
type Store interface {
	// View runs fn in a read transaction that sees every commit made before it
	// by any process. The Reader is valid only inside fn.
	View(ctx context.Context, fn func(Reader) error) error
	// Update runs fn once in a write transaction and returns when the transaction is
	// durable (it survives a power cut). If fn returns an error, Update undoes its
	// changes and returns the error unwrapped.
	Update(ctx context.Context, fn func(Writer) error) error
	// Check looks for damage and for disagreement between tables. It returns no problems
	// for a clean store. If progress is not nil, Check calls it with the steps done and
	// the total number of steps, from one goroutine at a time.
	Check(ctx context.Context, progress func(done, total int64)) ([]Problem, error)
	// Compact returns freed space to the file system and overwrites what is left of
	// deleted rows, in the log and in the database. Forgetting is complete only after
	// Compact.
	Compact(ctx context.Context) error
	// Close waits for running transactions and releases the database. It is
	// idempotent.
	Close() error
}

// Reader reads within one transaction.
type Reader interface {
	Index

	// Scopes lists the scopes that own anything, sorted by key.
	Scopes(ctx context.Context) ([]strata.Scope, error)
	// IDs lists, in order, up to limit ids of one kind (see package internal/base/id) in
	// a scope that begin with begin or end with end: the ids that a shortened id may
	// stand for. If there are none, it lists the matching ids of what was forgotten.
	IDs(ctx context.Context, scope strata.Scope, kind, begin, end string, limit int) ([]string, error)

	// Fact returns the latest version of a fact, current or retired, if one of
	// the scopes owns it; else not_found.
	Fact(ctx context.Context, scopes []strata.Scope, id string) (strata.Fact, error)
	// FactVersions returns all versions of a fact, oldest first.
	FactVersions(ctx context.Context, scope strata.Scope, id string) ([]strata.Fact, error)
	// Facts lists facts of a scope, newest first.
	Facts(ctx context.Context, scope strata.Scope, f strata.FactFilter) ([]strata.Fact, error)
	// FactsByText returns the current facts whose normal form equals that of said.
	FactsByText(ctx context.Context, scope strata.Scope, said *Text) ([]strata.Fact, error)
	// FactsBySlot returns the current facts that fill a slot. It compares entity and
	// attribute in normalized form.
	FactsBySlot(ctx context.Context, scope strata.Scope, entity, attribute string) ([]strata.Fact, error)

	// FactsLike returns up to limit current facts whose words say nearly the same as the
	// text of a sketch: they have the same content terms (the terms of package
	// internal/text that are not stop words), or terms that differ by one added, omitted
	// or changed. The closest come first, then the newest.
	FactsLike(ctx context.Context, scope strata.Scope, like Sketch, limit int) ([]strata.Fact, error)
	// FactsHolding returns up to limit current facts whose text has all of the given
	// terms (see package internal/text), newest first. Without terms it finds nothing.
	FactsHolding(ctx context.Context, scope strata.Scope, terms []string, limit int) ([]strata.Fact, error)

	// Decision returns one decision if one of the scopes owns it; else not_found.
	Decision(ctx context.Context, scopes []strata.Scope, id string) (strata.Decision, error)
	// DecisionByRequest returns the decision that a request id led to; else not_found.
	DecisionByRequest(ctx context.Context, scope strata.Scope, requestID string) (strata.Decision, error)
	// Decisions lists decisions of a scope, newest first; with Pending set, oldest first.
	Decisions(ctx context.Context, scope strata.Scope, f strata.DecisionFilter) ([]strata.Decision, error)
	// PendingScopes lists the scopes that own decisions with outstanding projections, or
	// dreams that the files do not reflect yet, sorted by key. Its cost grows with the number of those scopes, not with the number
	// of all scopes, decisions or dreams.
	PendingScopes(ctx context.Context) ([]strata.Scope, error)

	// Session returns a session; else not_found.
	Session(ctx context.Context, scope strata.Scope, id string) (strata.Session, error)
	// Sessions lists the sessions of a scope, newest first.
	Sessions(ctx context.Context, scope strata.Scope, f SessionFilter) ([]strata.Session, error)
	// Turn returns a turn with its images if one of the scopes owns it; else
	// not_found.
	Turn(ctx context.Context, scopes []strata.Scope, id string) (strata.Turn, error)
	// Turns returns turns of a session in order, with their images unless the filter
	// leaves images out.
	Turns(ctx context.Context, scope strata.Scope, session string, f TurnFilter) ([]strata.Turn, error)

	// Forgotten reports whether the normal form of a text has a tombstone, with or
	// without the mark that ends its sentence, and when it was forgotten. The id of a
	// turn has a tombstone too if a forgotten fact came from the turn or the turn was
	// blanked with one.
	Forgotten(ctx context.Context, scope strata.Scope, said *Text) (time.Time, bool, error)
	// Tombstones returns what was forgotten in a scope under a name: the id of a fact or
	// document, or a former path, title, or type with slug of a document. If nothing was
	// forgotten under the name, the ID of the result is empty.
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

	// Events lists events whose change number is above since, in order.
	Events(ctx context.Context, scope strata.Scope, since int64, limit int) ([]strata.Event, error)

	// LastChange returns the number of the last change of the store. Every later change
	// has a greater number.
	LastChange(ctx context.Context) (int64, error)

	// Workspace returns the id stored for a workspace key; empty if there is none.
	Workspace(ctx context.Context, key string) (string, error)

	// WorkspaceKeys lists the keys that an id is stored under, in order.
	WorkspaceKeys(ctx context.Context, id string) ([]string, error)

	// Stats counts what a scope owns.
	Stats(ctx context.Context, scope strata.Scope) (Stats, error)
}

// Copier is a [Store] that copies itself before its schema changes.
type Copier interface {
	// Copies lists the files beside the database that hold an earlier state of it: the
	// copy made before the last schema change, and automatic backups. They are removed
	// when something is forgotten.
	Copies() ([]string, error)
}

// Writer reads and writes within one transaction.
type Writer interface {
	Reader

	// Now returns the time of the transaction. Every row that it writes carries this
	// time.
	Now() time.Time

	// OnUndo registers fn to be called if the changes of the current function are undone,
	// because the function or its commit fails. It is called before another function
	// begins. Other functions of the same commit may have seen the changes by then; they
	// are undone as well.
	OnUndo(fn func())

	// PutFact inserts a version of a fact and returns its passage number. The caller must
	// already have retired the version before it, if there was one.
	PutFact(ctx context.Context, f strata.Fact) (int64, error)
	// RetireFact marks the current version of a fact as no longer current, in the fact
	// and in the index. supersededBy may be empty. If the current generation is not the
	// given one, RetireFact returns conflict.
	RetireFact(ctx context.Context, scope strata.Scope, id string, generation int64, supersededBy string) error

	// AppendDecision inserts a decision.
	AppendDecision(ctx context.Context, d strata.Decision) error
	// StampDecisions sets AppliedAt of the decisions or, if setAside is not empty,
	// SetAside. If one of the decisions does not exist, it stamps the others and returns
	// not_found.
	StampDecisions(ctx context.Context, scope strata.Scope, ids []string, setAside string) error
	// LinkRevert records that the decision by undid the decision id.
	LinkRevert(ctx context.Context, scope strata.Scope, id, by string) error
	// AppendEvent inserts an event. The store sets its change number and time.
	AppendEvent(ctx context.Context, e strata.Event) error

	// OpenSession inserts a session unless it exists already.
	OpenSession(ctx context.Context, s strata.Session) error
	// CloseSession sets ClosedAt of an open session to at, or to Now if at is zero. It
	// does nothing if the session is closed already.
	CloseSession(ctx context.Context, scope strata.Scope, id string, at time.Time) error
	// AppendTurn inserts a turn and returns it with its passage number. Seq 0 takes the
	// next number of the session; a Seq that is taken is a conflict.
	AppendTurn(ctx context.Context, t strata.Turn) (strata.Turn, int64, error)

	// Forget removes every trace of a fact in its scope: all versions and their passages;
	// its promotion and what dreams say of it; its text in decisions, documents, traces,
	// snapshots, learnings and tool outcomes; the turns that it came from, the turns that
	// hold its text, and the saved states of their sessions. In snapshots, states,
	// learnings and tool outcomes it also finds the text cut short or with its markup
	// defused (package internal/secrets/fence). The transcripts of those sessions become
	// outstanding. Forget leaves a tombstone.
	//
	// If scopes are given as within, Forget changes and names no other scope, except for
	// decisions on the fact itself. told says how the fact was told in other words: what
	// tells the fact is removed like its text, and what holds only one of its values is
	// reported as remaining.
	Forget(ctx context.Context, scope strata.Scope, id string, told *Telling, within ...strata.Scope) (Forgotten, error)

	// ForgetTurns blanks the turns of a scope that told a fact of another scope which is
	// about to be forgotten. Like Forget in the fact's own scope, it also blanks the
	// traces and recall events that found the turns, and removes the saved states of
	// their sessions. It leaves no tombstone. versions are the versions of the fact, at
	// least one.
	ForgetTurns(ctx context.Context, scope strata.Scope, versions []strata.Fact, told *Telling, within ...strata.Scope) (Forgotten, error)

	// ForgetSaid blanks the given turns of a scope and, as Forget does, what quotes one
	// of texts, which are texts of those turns. id names the turns: it is that of the one
	// turn or of their session. ForgetSaid reports the facts that came from the turns as
	// remaining and leaves a tombstone for each turn.
	ForgetSaid(ctx context.Context, scope strata.Scope, id string, turns, texts []string, within ...strata.Scope) (Forgotten, error)

	// ForgetDocument removes every trace of a document of a scope, even of one that is
	// deleted already: its row, sections and passages, and what decisions hold of it
	// except its path. Elsewhere it removes, as Forget does, whole and parts, which are
	// what the document said in all its versions, and the path of a note. former are the
	// versions that had other names, without the paths that belong to other documents
	// now. It leaves a tombstone for each of whole and for every path and title. The
	// caller removes the file.
	ForgetDocument(ctx context.Context, scope strata.Scope, d strata.Document, former []strata.Document, whole, parts []string, within ...strata.Scope) (Forgotten, error)
	// ForgetPath replaces the path of a forgotten document, whose file is gone, in the
	// decisions of its scope with the path that package forget makes of its id.
	ForgetPath(ctx context.Context, scope strata.Scope, id string) error
	// PutTrace inserts an explanation.
	PutTrace(ctx context.Context, t Trace) error
	// RecordAccess adds one access at time Now to each of the facts and documents that
	// exist.
	RecordAccess(ctx context.Context, scope strata.Scope, ids []string) error
	// RecordRecall inserts recall events and keeps only the newest keep of each scope, so
	// that the table cannot grow without bound.
	RecordRecall(ctx context.Context, events []RecallEvent, keep int) error

	// PutWorkspace stores the id of a workspace under a key.
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
	Tombstones int64        `json:"tombstones"`          // forgotten facts and documents
	Learnings  int64        `json:"learnings"`           // not counting the forgotten
	Outcomes   int64        `json:"outcomes"`            // stored runs of tools
	Snapshots  int64        `json:"snapshots"`
	Images     int64        `json:"images"`     // of turns
	Recalls    int64        `json:"recalls"`    // stored recall events
	Promotions int64        `json:"promotions"` // facts in MEMORY.md
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
	// Repair is the command that repairs it; empty if only a backup helps.
	Repair string `json:"repair,omitempty"`
}

// Telling says how a fact was told: what Forget looks for besides the fact's text. Nil
// means unknown.
type Telling = forget.Telling

// Forgotten says what [Writer.Forget] removed and what remains.
type Forgotten struct {
	Versions  int      `json:"versions"`  // fact versions removed
	Decisions int      `json:"decisions"` // decisions blanked
	Turns     []string `json:"turns"`     // ids of turns blanked, whole or in part
	// Shortened are the blanked turns of which some text is left. They are not indexed
	// until the caller indexes them again.
	Shortened []Source `json:"-"`
	Traces    int      `json:"traces"`    // traces and recall events blanked
	Snapshots int      `json:"snapshots"` // snapshots of which lines were blanked
	Learnings int      `json:"learnings"` // learnings and tool outcomes blanked
	States    int      `json:"states"`    // saved states of sessions removed
	// Transcripts are the closed sessions whose transcript became outstanding.
	Transcripts []string `json:"transcripts,omitempty"`
	// Elsewhere are the same for sessions of other scopes.
	Elsewhere []SessionOf `json:"elsewhere,omitempty"`
	// Documents are the paths of the scope's documents that held the text. The text is
	// blanked in them, and their sections that held it are removed, until the documents
	// are put again without it.
	Documents []string `json:"documents,omitempty"`
	// Remaining names what still holds the text and was not asked to be forgotten: facts
	// and turns of this or other scopes, and the paths of documents whose files hold it.
	Remaining []string `json:"remaining,omitempty"`
}

// Blanked adds turns to f.Turns, sorted and without duplicates.
func (f *Forgotten) Blanked(turns ...string) {
	f.Turns = append(f.Turns, turns...)
	slices.Sort(f.Turns)
	f.Turns = slices.Compact(f.Turns)
}

// Remain adds names to f.Remaining, each once.
func (f *Forgotten) Remain(names ...string) {
	for _, name := range names {
		if !slices.Contains(f.Remaining, name) {
			f.Remaining = append(f.Remaining, name)
		}
	}
}

// SessionOf names a session and the scope that it is in.
type SessionOf struct {
	Scope strata.Scope `json:"scope"`
	ID    string       `json:"id"`
}

// AnyForgotten reports whether any of the texts has a tombstone in a scope.
func AnyForgotten(ctx context.Context, r Reader, scope strata.Scope, texts ...*Text) (bool, error) {
	for _, said := range texts {
		if _, forgotten, err := r.Forgotten(ctx, scope, said); err != nil || forgotten {
			return forgotten, err
		}
	}
	return false, nil
}

// ForgottenSince reports whether something was forgotten in a scope after a change. It
// returns the number of the scope's last change, or the given change if there is no later
// one.
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

// Tombstones says what is left of something that was forgotten.
type Tombstones struct {
	ID string // of the fact or document
	// Is reports whether the forgotten item had this text: the whole text of one of its
	// versions, its path or its title. Is is not safe for concurrent use.
	Is func(text string) bool
}

// TraceFilter selects traces, newest first. The zero value selects all.
type TraceFilter struct {
	Session string // empty: any
	Turn    int64  // the turn of the session that asked; 0: any
	// SessionKind leaves out traces from sessions of the scope that are of another kind,
	// or from no session of the scope; empty: leaves out none.
	SessionKind strata.SessionKind
	Limit       int // 0: 100; at most 10,000
}

// Trace is a stored explanation of a recall.
type Trace struct {
	ID      string        `json:"id"`    // "trace_" and a ULID
	Scope   strata.Scope  `json:"scope"` // the first scope of the view
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

// RecallEvent records that a memory was shown to somebody. It refers to the memory by id
// and so survives reindexing.
type RecallEvent struct {
	Scope     strata.Scope
	Memory    string // id of the fact, turn or document
	Query     string
	Score     float64 // score of the hit, in [0,1]
	Session   string
	Automatic bool // nobody asked for it, so it does not count as interest
	At        time.Time
}

// Copies returns the result of [Copier.Copies], or nothing if s is not a [Copier].
func Copies(s Store) ([]string, error) {
	if c, ok := s.(Copier); ok {
		return c.Copies()
	}
	return nil, nil
}
