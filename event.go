package strata

import (
	"strings"
	"time"
)

// Event is one line of the engine's diary: what happened, to whom and when.
// It never carries text of a fact or turn.
type Event struct {
	// Change is the event's place in the order of all changes of the store.
	Change int64     `json:"change"`
	Kind   string    `json:"kind"` // one of the Event constants
	Scope  Scope     `json:"scope"`
	Ref    string    `json:"ref,omitempty"` // id of the decision, fact, turn, …
	Detail string    `json:"detail,omitempty"`
	At     time.Time `json:"at"`
}

// The kinds of event.
const (
	EventWriteCommitted = "write.committed"
	EventWriteRejected  = "write.rejected"
	EventWriteNoop      = "write.noop"
	// EventWriteShadowed says that a note or fact is hidden, to those who see both, by one
	// of the same identity or slot that was added to a deeper scope, which Detail names.
	EventWriteShadowed = "write.shadowed"
	EventReverted      = "write.reverted"
	EventForgotten     = "memory.forgotten"
	EventReindexed     = "memory.reindexed"
	EventModelWanted   = "model.wanted"
	EventModelSwitched = "model.switched"
	EventRegrouped     = "category.regrouped"
	EventRenamed       = "category.renamed"
	EventMerged        = "category.merged"
	EventPinned        = "category.pinned"
	EventUnpinned      = "category.unpinned"
	// EventRecallExecuted counts what was asked since the last event of the process,
	// EventRecallSkipped those recalls of it that had nothing to show.
	EventRecallExecuted = "recall.executed"
	EventRecallSkipped  = "recall.skipped"
	EventRecallDropped  = "recall.dropped"
	EventPromoted       = "dream.promoted"
	EventArchived       = "dream.archived"
	EventDreamt         = "dream.finished"
	EventDreamFailed    = "dream.failed"
	EventQuestioned     = "question.asked"
	EventAnswered       = "question.answered"
	EventSetAside       = "replay.set_aside"
	EventStateSetAside  = "session.state_set_aside"
	EventSessionPruned  = "session.pruned"
	// EventSessionArchived says that what was said in a session went into a file,
	// EventSessionRestored that it came back from there, EventSessionRepaired that a
	// session was closed or its count of turns mended.
	EventSessionArchived = "session.archived"
	EventSessionRestored = "session.restored"
	EventSessionRepaired = "session.repaired"

	EventExtractionCompleted = "extraction.completed" // an extractor read a session to its end
	EventExtractionFailed    = "extraction.failed"    // an attempt to read a session failed
	EventExtractionCoalesced = "extraction.coalesced" // turns that came meanwhile were read in the same go

	// EventModelStopped says that the first call of a model on a day, which Ref names, was
	// not made because a limit was reached.
	EventModelStopped = "model.stopped"
	// EventModelFailed says that a model, which Ref names, no longer answers, and the code
	// of the error; EventModelRecovered that it answers again. Each tells of a change, not
	// of a call.
	EventModelFailed    = "model.failed"
	EventModelRecovered = "model.recovered"
	// EventSummarized says that the summary of a scope was written anew, EventSummaryKept
	// that it was left as it was, and why.
	EventSummarized  = "summary.written"
	EventSummaryKept = "summary.kept"
	// EventSkillDrafted says that a skill was drafted from facts, or that a draft went with
	// them, EventSkillKept that none was or that one was left as it was, and why.
	EventSkillDrafted = "skill.drafted"
	EventSkillKept    = "skill.kept"

	// EventFileTrusted says that a person trusts a version of a file that came with a
	// repository, EventFileDistrusted that they no longer do. Detail is its hash.
	EventFileTrusted    = "file.trusted"
	EventFileDistrusted = "file.distrusted"

	EventCommitFailed       = "history.commit_failed"
	EventTranscriptSetAside = "session.transcript_set_aside"
)

// EventKinds are the kinds of event there are.
func EventKinds() []string {
	return []string{
		EventWriteCommitted, EventWriteRejected, EventWriteNoop, EventWriteShadowed, EventReverted, EventForgotten, EventReindexed,
		EventModelWanted, EventModelSwitched, EventRegrouped, EventRenamed, EventMerged, EventPinned, EventUnpinned,
		EventRecallExecuted, EventRecallSkipped, EventRecallDropped, EventPromoted, EventArchived, EventDreamt, EventDreamFailed, EventQuestioned, EventAnswered,
		EventSetAside, EventStateSetAside, EventSessionPruned, EventSessionArchived, EventSessionRestored, EventSessionRepaired, EventModelStopped, EventModelFailed, EventModelRecovered, EventSummarized, EventSummaryKept, EventSkillDrafted, EventSkillKept, EventExtractionCompleted, EventExtractionFailed, EventExtractionCoalesced,
		EventFileTrusted, EventFileDistrusted,
		EventCommitFailed, EventTranscriptSetAside,
	}
}

// IsKind reports whether the event is of a kind, or of a family of kinds, which is what
// comes before the dot: "write".
func (e Event) IsKind(kind string) bool {
	return e.Kind == kind || strings.HasPrefix(e.Kind, kind+".")
}
