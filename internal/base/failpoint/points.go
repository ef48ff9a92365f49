// Package failpoint names the points of the write path and of a conversation
// at which a crash test kills the process.
//
// In ordinary builds Hit does nothing and costs nothing. Built with the tag
// failpoint, it kills the process with SIGKILL at the point named by the
// environment variable STRATA_FAILPOINT, as "write.applied=17": the 17th time
// that point is reached.
package failpoint

// The points, in the order in which a write passes them.
const (
	WritePrepared  = "write.prepared"  // validated, scanned and embedded
	WriteBegun     = "write.begun"     // inside the transaction, nothing read yet
	WriteDecided   = "write.decided"   // decided, nothing changed yet
	WriteRetired   = "write.retired"   // the old version retired, the new one not yet stored
	WriteStored    = "write.stored"    // the fact stored, not yet in the index
	WriteIndexed   = "write.indexed"   // in the index, the decision not yet stored
	WriteRecorded  = "write.recorded"  // all written, not yet committed
	WriteCommitted = "write.committed" // committed, not yet acknowledged
	ProjectBegun   = "project.begun"   // before the files of a batch of decisions are rendered
	ProjectWritten = "project.written" // one file written, others of the batch not
	ProjectDone    = "project.done"    // all written, not yet stamped
	ProjectStamped = "project.stamped" // stamped, not yet committed

	FileFilled  = "file.filled"  // a document written under a temporary name
	FileRenamed = "file.renamed" // renamed into place, the directory not yet synced

	SessionClosed     = "session.closed"     // closed in the database, no transcript yet
	TranscriptFilled  = "transcript.filled"  // written under a temporary name
	TranscriptWritten = "transcript.written" // renamed into place, not yet stamped
	SessionPruned     = "session.pruned"     // pruned in the database, its transcript not yet rewritten
	ArchiveBegun      = "archive.begun"      // the path of an archive recorded, no file yet
	ArchiveWritten    = "archive.written"    // the file written and verified, the turns still in the database
	ArchiveKept       = "archive.kept"       // the turns removed from the database, the transcript not yet rewritten
	ArchiveDropped    = "archive.dropped"    // the turns restored or no longer needed, the file still there
	ForgetCommitted   = "forget.committed"   // forgotten in the database, transcripts not yet rewritten
	EmbedMade         = "embed.made"         // a batch of vectors made, not yet stored
	EmbedStored       = "embed.stored"       // written, not yet committed
	ModelSwitched     = "model.switched"     // another model in use, not yet committed
	ModelServes       = "model.serves"       // committed, the old vectors still there
	StaleDropped      = "model.dropped"      // a batch of the old vectors removed

	DreamLeased    = "dream.leased"    // the lease of a dream taken, nothing else done
	DreamTended    = "dream.tended"    // the outcome for each fact written, nothing promoted yet
	DreamUnused    = "dream.unused"    // unused skills archived, not yet committed
	DreamPromoted  = "dream.promoted"  // promotions written, not yet committed
	DreamCommitted = "dream.committed" // committed, projection not yet requested

	HistoryWritten = "history.written" // a commit's objects on disk, no branch points to them yet
	HistoryMoved   = "history.moved"   // the branch moved, the index not yet
	PurgeWritten   = "purge.written"   // the new history on disk, nothing points to it
	PurgeMoved     = "purge.moved"     // one more reference moved to it
	PurgeSwept     = "purge.swept"     // one more object of the old history removed
)

// The points that a conversation passes, in the order of a turn that causes a compaction.
const (
	TurnRecorded     = "turn.recorded"     // in the ledger, not yet in the window
	TurnsTakenIn     = "turns.taken_in"    // turns of a transcript in the ledger, no facts extracted yet
	FactsTakenIn     = "facts.taken_in"    // their facts in memory, the position not yet recorded
	ExtractClaimed   = "extract.claimed"   // a session claimed for the model, nothing read yet
	ExtractFound     = "extract.found"     // the model's result for a part, not yet written
	ExtractWritten   = "extract.written"   // the facts of a part in memory, the position not yet recorded
	FlushExtracted   = "flush.extracted"   // facts found, not yet written
	FlushPending     = "flush.pending"     // facts in the state, not yet in memory
	FlushSaved       = "flush.saved"       // facts in memory, not yet covered by the cursor
	CompactSummary   = "compact.summary"   // the summary made, not yet written
	CompactCommitted = "compact.committed" // the state holds the summary
)
