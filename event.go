package strata

import "time"

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
	EventReverted       = "write.reverted"
	EventForgotten      = "memory.forgotten"
	EventReindexed      = "memory.reindexed"
	EventModelWanted    = "model.wanted"
	EventModelSwitched  = "model.switched"
	EventRegrouped      = "category.regrouped"
	EventRenamed        = "category.renamed"
	EventMerged         = "category.merged"
	EventPinned         = "category.pinned"
	EventUnpinned       = "category.unpinned"
	EventRecallDropped  = "recall.dropped"
	EventPromoted       = "dream.promoted"
	EventArchived       = "dream.archived"
	EventDreamt         = "dream.finished"
	EventSetAside       = "replay.set_aside"
	EventStateSetAside  = "session.state_set_aside"

	EventCommitFailed       = "history.commit_failed"
	EventTranscriptSetAside = "session.transcript_set_aside"
)
