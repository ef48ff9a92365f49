package engine

import (
	"io"

	"github.com/strata-memory/strata/internal/backup/transfer"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/checkpoint"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/documents/handedit"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/dream"
	"github.com/strata-memory/strata/internal/extract/queue"
	"github.com/strata-memory/strata/internal/ingest"
	"github.com/strata-memory/strata/internal/ingest/transcript"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/models/quota"
	"github.com/strata-memory/strata/internal/recall/reopen"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
)

// The types below are those of the packages that do a part of the engine's work.

// What files hold.
type (
	// DailyLog is the log of a day.
	DailyLog = documents.DailyLog
	// FileReport names a file of a scope, and what is wrong with it.
	FileReport = documents.File
	// HeartbeatRule is what is to be looked after at a beat.
	HeartbeatRule = documents.HeartbeatRule
	// Library finds documents.
	Library = documents.Library
	// DocumentPlace is where a document lies.
	DocumentPlace = documents.Place
	// ForgottenVersions says what the history of files holds of a text that was forgotten.
	ForgottenVersions = checkpoint.Forgotten
	// AcceptOptions are how a proposal is accepted.
	AcceptOptions = edit.AcceptOptions
	// Accepted is what became of a proposal.
	Accepted = edit.Accepted
	// AdHocNote is a note that is written as it comes, without a title.
	AdHocNote = edit.AdHocNote
	// DailyOptions say which daily logs are archived, restored or removed.
	DailyOptions = edit.DailyOptions
	// DailyReport says what became of daily logs.
	DailyReport = edit.DailyReport
	// Editor composes and moves documents.
	Editor = edit.Editor
	// LearntSkill is a skill that was learned from calls of tools.
	LearntSkill = edit.LearntSkill
	// Note is a note to be written.
	Note = edit.Note
	// PromoteOptions are how a note rises to another scope or becomes a skill.
	PromoteOptions = edit.PromoteOptions
	// Skill is a skill and where it stands.
	Skill = edit.Skill
	// StaleSkill is a skill that rests on what is out of date.
	StaleSkill = edit.StaleSkill
	// FileChange is what a person did to a file.
	FileChange = handedit.Change
	// Intake takes what people do to files into memory.
	Intake = handedit.Intake
	// SyncReport says what was taken in from files.
	SyncReport = handedit.Report
	// DocumentVersion names the version of a document that an edit rests on.
	DocumentVersion = markdown.Base
	// SkillStatus is whether a skill is offered.
	SkillStatus = markdown.SkillStatus
)

// Sessions, and what they begin with.
type (
	// Expansion is a page of reopened turns.
	Expansion = reopen.Page
	// ExpandRequest says which turns are to be reopened.
	ExpandRequest = reopen.Request
	// ExpandedTurn is a turn, whole or as far as the budget goes.
	ExpandedTurn = reopen.Turn
	// Ledger keeps sessions.
	Ledger = sessions.Ledger
	// LedgerReport says what was written into the ledger.
	LedgerReport = sessions.LedgerReport
	// TalkOptions are how a conversation is opened.
	TalkOptions = sessions.Options
	// PruneOptions say which sessions go.
	PruneOptions = sessions.PruneOptions
	// Pruned says which sessions went.
	Pruned = sessions.Pruned
	// PrunedSession is a session that went.
	PrunedSession = sessions.PrunedSession
	// SessionRepair is a session that was not as it should be.
	SessionRepair = sessions.Repair
	// RepairOptions say which sessions are looked at.
	RepairOptions = sessions.RepairOptions
	// RepairProblem is what was wrong with a session.
	RepairProblem = sessions.RepairProblem
	// RestoredSession says what was brought back.
	RestoredSession = sessions.Restored
	// SkippedSession is a session that stays, and why.
	SkippedSession = sessions.SkippedSession
	// SnapshotLimits bound a snapshot.
	SnapshotLimits = snapshot.Limits
	// SnapshotPart is a part of a snapshot.
	SnapshotPart = snapshot.Part
	// SnapshotPartKind is what a part of a snapshot is made of.
	SnapshotPartKind = snapshot.PartKind
	// Snapshot is what a session is told of memory when it begins.
	Snapshot = snapshot.Snapshot
)

// Conversations of other programs, and what is learned from them.
type (
	// Advice is what an [Adviser] thinks of an ambiguity.
	Advice = decide.Advice
	// Ambiguity is a candidate and the facts that it may change.
	Ambiguity = decide.Ambiguity
	// ExtractionQueue is the turns that wait for their facts.
	ExtractionQueue = queue.Queue
	// IngestOptions are how a transcript is taken in.
	IngestOptions = ingest.Options
	// IngestReport says what was taken in.
	IngestReport = ingest.Report
	// IngestedSession is what was taken in of one session.
	IngestedSession = ingest.Session
	// Transcript reads a conversation as an agent or chat program keeps it.
	Transcript = transcript.Reader
)

// Dreams.
type (
	// DreamGate is what keeps a scope from dreaming.
	DreamGate = dream.Gate
	// DreamGateName is which gate it is.
	DreamGateName = dream.GateName
	// Journal says what dreams did.
	Journal = dream.Journal
	// DreamResult is what came of a dream.
	DreamResult = dream.Result
	// DreamSettings are when and how scopes dream.
	DreamSettings = dream.Settings
	// DreamState says where a scope stands between two dreams.
	DreamState = dream.State
	// ScopeUse is how a scope is used.
	ScopeUse = dream.Use
	// DreamWeights are what counts for a fact that may rise into MEMORY.md.
	DreamWeights = dream.Weights
)

// Models.
type (
	// EmbeddingReport says which model's vectors serve, and what is missing.
	EmbeddingReport = embedding.Report
	// BuiltinEmbedder gives the built-in embedder with the vectors of words that a home has.
	BuiltinEmbedder = embedding.Words
	// ModelLimits bound what models are asked in a day for memory's own work.
	ModelLimits = quota.Limits
	// ModelUse is what models were asked today, and what they may be.
	ModelUse = quota.Use
)

// Exports.
type (
	// Exported counts what an export wrote.
	Exported = transfer.Exported
	// Imported counts what an import added, and what it left out.
	Imported = transfer.Imported
	// ImportOptions are how an export is taken in.
	ImportOptions = transfer.Options
)

// ReadTranscript returns a reader of a conversation, whatever program it is of: the
// format is told from the bytes.
func ReadTranscript(r io.Reader) *Transcript { return transcript.NewReader(r) }
