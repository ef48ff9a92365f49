// Package failpoint names the points of the write path and of a conversation
// at which a crash test kills the process.
//
// In ordinary builds Hit does nothing and costs nothing. Built with the tag
// failpoint, it kills the process with SIGKILL at the point named by the
// environment variable STRATA_FAILPOINT, as "write.applied=17": the 17th time
// that point is reached.
package failpoint

// The points, in the order a write passes them.
const (
	WritePrepared  = "write.prepared"  // validated, scanned and embedded
	WriteBegun     = "write.begun"     // inside the transaction, nothing read yet
	WriteDecided   = "write.decided"   // decided, nothing changed yet
	WriteRetired   = "write.retired"   // the old version retired, the new one not yet there
	WriteStored    = "write.stored"    // the fact stored, not yet in the index
	WriteIndexed   = "write.indexed"   // in the index, the decision not yet stored
	WriteRecorded  = "write.recorded"  // all written, not yet committed
	WriteCommitted = "write.committed" // committed, not yet acknowledged
	ProjectBegun   = "project.begun"   // before the files of a batch of decisions are rendered
	ProjectWritten = "project.written" // one file written, others of the batch not yet
	ProjectDone    = "project.done"    // all written, not yet stamped
	ProjectStamped = "project.stamped" // stamped, not yet committed

	FileFilled  = "file.filled"  // a document written beside its place, not yet there
	FileRenamed = "file.renamed" // in its place, the directory not yet synced

	SessionClosed     = "session.closed"     // closed in the database, no transcript yet
	TranscriptFilled  = "transcript.filled"  // written beside its place, not yet there
	TranscriptWritten = "transcript.written" // in its place, not yet stamped
	SessionPruned     = "session.pruned"     // pruned in the database, its transcript not yet rewritten
	ArchiveBegun      = "archive.begun"      // the place of an archive noted, no file yet
	ArchiveWritten    = "archive.written"    // the file there and verified, the turns still in the database
	ArchiveKept       = "archive.kept"       // the turns gone from the database, the transcript not yet rewritten
	ArchiveDropped    = "archive.dropped"    // the turns back, or of no use, the file still there
	ForgetCommitted   = "forget.committed"   // forgotten in the database, transcripts not yet rewritten
	EmbedMade         = "embed.made"         // a batch of vectors made, not yet stored
	EmbedStored       = "embed.stored"       // written, not yet committed
	ModelSwitched     = "model.switched"     // another model serves, not yet committed
	ModelServes       = "model.serves"       // committed, the old vectors are still there
	StaleDropped      = "model.dropped"      // a batch of the old vectors is gone

	DreamLeased    = "dream.leased"    // the lease of a dream taken, nothing else
	DreamTended    = "dream.tended"    // what became of facts written, nothing promoted yet
	DreamUnused    = "dream.unused"    // skills that nobody opens archived, not yet committed
	DreamPromoted  = "dream.promoted"  // what rose written, not yet committed
	DreamCommitted = "dream.committed" // committed, files not yet asked to follow

	HistoryWritten = "history.written" // a commit's objects on disk, no branch points to them
	HistoryMoved   = "history.moved"   // the branch moved, the index not yet
	PurgeWritten   = "purge.written"   // the new history on disk, nothing points to it
	PurgeMoved     = "purge.moved"     // one more reference moved to it
	PurgeSwept     = "purge.swept"     // one more object of the old history gone
)

// The points that a conversation passes, in the order of a turn that leads to a
// compaction.
const (
	TurnRecorded     = "turn.recorded"     // in the ledger, not yet in the window
	TurnsTakenIn     = "turns.taken_in"    // of a transcript, in the ledger, no facts extracted yet
	FactsTakenIn     = "facts.taken_in"    // its facts in memory, not yet noted how far they go
	ExtractClaimed   = "extract.claimed"   // a session claimed for the model, nothing read yet
	ExtractFound     = "extract.found"     // what the model found in a part, written nowhere
	ExtractWritten   = "extract.written"   // the facts of a part in memory, not yet noted how far they go
	FlushExtracted   = "flush.extracted"   // facts found, written nowhere
	FlushPending     = "flush.pending"     // facts in the state, not yet in memory
	FlushSaved       = "flush.saved"       // facts in memory, not yet covered by the cursor
	CompactSummary   = "compact.summary"   // the summary made, written nowhere
	CompactCommitted = "compact.committed" // the state holds the summary
)
