package strata

import (
	"strings"
	"time"
)

// Event is one entry of the engine's event log: what happened, to whom and when. It never
// contains the text of a fact or turn.
type Event struct {
	// Change is the event's position in the order of all changes of the store.
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
	// EventWriteShadowed means that an added note or fact hides another of the same
	// identity or slot from views that see both. Detail names the deeper scope it was
	// added to.
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
	// EventRecallExecuted counts the queries since the process's last event of this kind,
	// EventRecallSkipped the recalls among them that had nothing to show.
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
	// EventSessionArchived means that the turns of a session moved to a file,
	// EventSessionRestored that they came back from it, EventSessionRepaired that a
	// session was closed or its turn count corrected.
	EventSessionArchived = "session.archived"
	EventSessionRestored = "session.restored"
	EventSessionRepaired = "session.repaired"

	EventExtractionCompleted = "extraction.completed" // an extractor read a session to its end
	EventExtractionFailed    = "extraction.failed"    // an attempt to read a session failed
	EventExtractionCoalesced = "extraction.coalesced" // turns that arrived meanwhile were read in the same pass

	// EventModelStopped means that a limit prevented a call to the model named by Ref. It
	// is recorded for the first such call of a day.
	EventModelStopped = "model.stopped"
	// EventModelFailed means that the model named by Ref no longer answers; it has the
	// code of the error. EventModelRecovered means that it answers again. Each reports a
	// change, not a call.
	EventModelFailed    = "model.failed"
	EventModelRecovered = "model.recovered"
	// EventSummarized means that the summary of a scope was rewritten, EventSummaryKept
	// that it was left unchanged, and why.
	EventSummarized  = "summary.written"
	EventSummaryKept = "summary.kept"
	// EventSkillDrafted means that a skill was drafted from facts or that a draft was
	// removed with them, EventSkillKept that none was drafted or one was left unchanged,
	// and why.
	EventSkillDrafted = "skill.drafted"
	EventSkillKept    = "skill.kept"

	// EventFileTrusted means that a person trusts a version of a file that came with a
	// repository, EventFileDistrusted that they no longer do. Detail is its hash.
	EventFileTrusted    = "file.trusted"
	EventFileDistrusted = "file.distrusted"

	EventCommitFailed       = "history.commit_failed"
	EventTranscriptSetAside = "session.transcript_set_aside"
)

// EventKinds returns all kinds of event.
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

// IsKind reports whether the event is of the given kind or family of kinds. A family is
// the part of a kind before the dot, such as "write".
func (e Event) IsKind(kind string) bool {
	return e.Kind == kind || strings.HasPrefix(e.Kind, kind+".")
}
