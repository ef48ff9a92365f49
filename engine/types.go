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

// The types below come from packages that do parts of the engine's work.

// The contents of files.
type (
	// DailyLog is the log of a day.
	DailyLog = documents.DailyLog
	// FileReport names a file of a scope and says what is wrong with it.
	FileReport = documents.File
	// HeartbeatRule is a rule for what to look after at a heartbeat.
	HeartbeatRule = documents.HeartbeatRule
	// Library finds documents.
	Library = documents.Library
	// DocumentPlace is the scope and path of a document.
	DocumentPlace = documents.Place
	// ForgottenVersions says what the history of files holds of a forgotten text.
	ForgottenVersions = checkpoint.Forgotten
	// AcceptOptions control how a proposal is accepted.
	AcceptOptions = edit.AcceptOptions
	// Accepted is the result of accepting a proposal.
	Accepted = edit.Accepted
	// AdHocNote is a note written as it comes, without a title.
	AdHocNote = edit.AdHocNote
	// DailyOptions select the daily logs to archive, restore or remove.
	DailyOptions = edit.DailyOptions
	// DailyReport says what happened to daily logs.
	DailyReport = edit.DailyReport
	// Editor composes and moves documents.
	Editor = edit.Editor
	// LearntSkill is a skill that was learned from tool calls.
	LearntSkill = edit.LearntSkill
	// Note is a note to write.
	Note = edit.Note
	// PromoteOptions control how a note moves to a wider scope or becomes a skill.
	PromoteOptions = edit.PromoteOptions
	// Skill is a skill and its status.
	Skill = edit.Skill
	// StaleSkill is a skill that nobody opened for a time.
	StaleSkill = edit.StaleSkill
	// FileChange is a person's change to a file.
	FileChange = handedit.Change
	// Intake records people's changes to files in memory.
	Intake = handedit.Intake
	// SyncReport says what was recorded from files.
	SyncReport = handedit.Report
	// DocumentVersion names the version of a document that an edit is based on.
	DocumentVersion = markdown.Base
	// SkillStatus says whether a skill is offered.
	SkillStatus = markdown.SkillStatus
)

// Sessions and their snapshots.
type (
	// Expansion is a page of reopened turns.
	Expansion = reopen.Page
	// ExpandRequest says which turns to reopen.
	ExpandRequest = reopen.Request
	// ExpandedTurn is a reopened turn, cut to the budget if needed.
	ExpandedTurn = reopen.Turn
	// Ledger keeps sessions.
	Ledger = sessions.Ledger
	// LedgerReport says what was written to the ledger.
	LedgerReport = sessions.LedgerReport
	// TalkOptions say how to open a conversation.
	TalkOptions = sessions.Options
	// PruneOptions select the sessions to prune or archive.
	PruneOptions = sessions.PruneOptions
	// Pruned says which sessions were pruned or archived.
	Pruned = sessions.Pruned
	// PrunedSession is a session that was pruned or archived.
	PrunedSession = sessions.PrunedSession
	// SessionRepair is the repair of a session.
	SessionRepair = sessions.Repair
	// RepairOptions select the sessions to check.
	RepairOptions = sessions.RepairOptions
	// RepairProblem says what was wrong with a session.
	RepairProblem = sessions.RepairProblem
	// RestoredSession says what was restored from an archive.
	RestoredSession = sessions.Restored
	// SkippedSession is a session that was kept, and why.
	SkippedSession = sessions.SkippedSession
	// SnapshotLimits bound a snapshot.
	SnapshotLimits = snapshot.Limits
	// SnapshotPart is a part of a snapshot.
	SnapshotPart = snapshot.Part
	// SnapshotPartKind says what a part of a snapshot contains.
	SnapshotPartKind = snapshot.PartKind
	// Snapshot is what a session is told about memory when it begins.
	Snapshot = snapshot.Snapshot
)

// Conversations from other programs, and what is learned from them.
type (
	// Advice is the answer of an [Adviser] to an ambiguity.
	Advice = decide.Advice
	// Ambiguity is a candidate and the facts that it may change.
	Ambiguity = decide.Ambiguity
	// ExtractionQueue is the queue of turns that wait to be read for facts.
	ExtractionQueue = queue.Queue
	// IngestOptions say how to import a transcript.
	IngestOptions = ingest.Options
	// IngestReport says what was imported.
	IngestReport = ingest.Report
	// IngestedSession says what was imported of one session.
	IngestedSession = ingest.Session
	// Transcript reads a conversation in the format of an agent or chat program.
	Transcript = transcript.Reader
)

// Dreams.
type (
	// DreamGate is a condition that keeps a scope from dreaming.
	DreamGate = dream.Gate
	// DreamGateName names a gate.
	DreamGateName = dream.GateName
	// Journal reports on dreams.
	Journal = dream.Journal
	// DreamResult is the result of a dream.
	DreamResult = dream.Result
	// DreamSettings say when and how scopes dream.
	DreamSettings = dream.Settings
	// DreamState is the state of a scope between two dreams.
	DreamState = dream.State
	// ScopeUse says how a scope is used.
	ScopeUse = dream.Use
	// DreamWeights weigh the reasons to promote a fact to MEMORY.md.
	DreamWeights = dream.Weights
)

// Models.
type (
	// EmbeddingReport says which model's vectors serve, and what is missing.
	EmbeddingReport = embedding.Report
	// BuiltinEmbedder provides the built-in embedder with the word vectors of a home.
	BuiltinEmbedder = embedding.Words
	// ModelLimits bound the daily use of models for memory's own work.
	ModelLimits = quota.Limits
	// ModelUse is today's use of models, and its limits.
	ModelUse = quota.Use
)

// Exports.
type (
	// Exported counts what an export wrote.
	Exported = transfer.Exported
	// Imported counts what an import added and left out.
	Imported = transfer.Imported
	// ImportOptions say how to import an export.
	ImportOptions = transfer.Options
)

// ReadTranscript returns a reader for a conversation of any supported program. It detects
// the format from the content.
func ReadTranscript(r io.Reader) *Transcript { return transcript.NewReader(r) }
